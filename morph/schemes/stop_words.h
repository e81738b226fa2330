// Words that carry little meaning of their own, by language: morph/stop_words/*.txt, built in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

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
  [[nodiscard]] bool has(std::uint64_t key) const noexcept {
    if (places_.empty()) return false;
    for (std::size_t at = key & mask_;; at = (at + 1) & mask_) {
      if (places_[at] == key) return true;
      if (places_[at] == 0) return false;
    }
  }

  /// All keys, ascending.
  [[nodiscard]] std::vector<std::uint64_t> keys() const;

 private:
  void insert(const std::vector<std::uint64_t>& keys);

  std::string languages_;
  std::vector<std::uint64_t> places_;  ///< a hash table, at most half full; 0 is a free place
  std::size_t mask_ = 0;
};

}  // namespace akin
