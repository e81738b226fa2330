// Words that the table lacks.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "dict/fold.h"
#include "dict/hunspell_stemmer.h"
#include "dict/snowball.h"
#include "dict/table.h"

namespace akin {

/// What an unknown word counts as; a function of its folded spelling and of the configured dictionaries.
struct UnknownWord {
  std::uint64_t hash = 0;  ///< word_hash of the name
  bool known = false;      ///< Hunspell accepts it after all
};

/// Asks Hunspell's stem() (those dictionaries that build words at run time), then Snowball. A word with
/// digits is its own stem. Answers are kept in a cache of fixed size, keyed by the spelling. Thread-safe.
class UnknownWords {
 public:
  /// `table` must outlive it.
  UnknownWords(std::span<const DictionaryPair> run_time, std::span<const std::string> codes,
               const WordClassTable& table);

  [[nodiscard]] UnknownWord find(const FoldedWord& word) const;

  /// What is hashed: the class's name of Hunspell's stem if the table has it, else that stem folded; else the
  /// Snowball stem, else the word. If Hunspell gives several stems, the shortest name, of equally short ones
  /// the first.
  [[nodiscard]] std::u32string name(const FoldedWord& word) const;

 private:
  struct Named {
    std::u32string name;
    bool known = false;
  };
  [[nodiscard]] Named resolve(std::u32string_view letters) const;
  [[nodiscard]] std::u32string name_of_stem(const std::string& stem) const;

  const WordClassTable& table_;
  std::vector<std::unique_ptr<HunspellStemmer>> hunspell_;
  Snowball snowball_;

  struct Cache;
  struct CacheDeleter {
    void operator()(Cache* cache) const noexcept;
  };
  std::unique_ptr<Cache, CacheDeleter> cache_;
};

}  // namespace akin
