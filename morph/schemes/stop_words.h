// Words that carry little meaning of their own, by language: morph/stop_words/*.txt, built in.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/key_set.h"
#include "dict/dictionary.h"

namespace akin {

/// Languages that have a list, ascending.
[[nodiscard]] const std::vector<std::string_view>& stop_word_languages();

/// The stop words of some languages, as a set of spelling keys. Immutable.
class StopWords {
 public:
  /// For no language: contains no words.
  StopWords() = default;

  /// `languages`: codes joined by '+' ("ru+en"), or "removed" for all lists. Error: invalid_argument, which
  /// lists the available languages.
  [[nodiscard]] static Result<StopWords> of(std::string_view languages);

  /// The languages, ascending, joined by '+'; empty if there are none.
  [[nodiscard]] const std::string& languages() const noexcept { return languages_; }

  /// Whether the word with this spelling_key (of its folded letters) is among them.
  [[nodiscard]] bool has(std::uint64_t key) const noexcept { return keys_.has(key); }

  /// All keys, ascending.
  [[nodiscard]] std::vector<std::uint64_t> keys() const;

 private:
  std::string languages_;
  KeySet keys_;
};

/// The classes (WordClass::hash) of the stop words of all languages that have a list: they depend on the
/// dictionary's fingerprint alone. Cheap after the first call for a fingerprint. Thread-safe.
[[nodiscard]] std::shared_ptr<const KeySet> stop_classes(const Dictionary& dictionary);

}  // namespace akin
