// Words next to numbers that name the scale, unit or month.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

#include "dict/dictionary.h"

namespace akin::judge {

/// The meaning of a word next to a number. A word may have several ("год" is a unit and marks a year).
struct NumberWord {
  std::uint8_t scale = 0;  ///< a power of ten that multiplies; 0: none
  std::uint8_t month = 0;  ///< 1 … 12; 0: none
  bool year = false;       ///< marks a number of four digits as a year
  std::uint64_t unit = 0;  ///< hash of the unit's name; 0: none
};

/// The words of number_words.txt by lemma class. Immutable; any number of threads.
class NumberWords {
 public:
  explicit NumberWords(const Dictionary& dictionary);

  /// The entry of the word with this class hash; null if it has no such meaning.
  [[nodiscard]] const NumberWord* find(std::uint64_t lemma_class) const noexcept {
    const auto found = words_.find(lemma_class);
    return found == words_.end() ? nullptr : &found->second;
  }

 private:
  boost::unordered_flat_map<std::uint64_t, NumberWord> words_;
};

/// The hash of a unit's name in NumberWord::unit.
[[nodiscard]] std::uint64_t unit_hash(std::string_view name) noexcept;

}  // namespace akin::judge
