// Learns from the ends of a dictionary's words how many letters to remove from words that no dictionary has,
// so that the forms of one word leave the same stem. The longest end that was seen often enough decides, as
// in Mikheev, "Automatic rule induction for unknown-word guessing", Computational Linguistics 23(3), 1997;
// the rules here give a stem instead of his tags.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"

namespace akin {

inline constexpr std::size_t kLongestEnding = 7;  ///< letters of a word's end that are considered
inline constexpr std::size_t kLeastStem = 2;      ///< letters that always remain

/// Folded forms of entries, grouped by entry.
class Paradigms {
 public:
  /// Adds the forms of an entry that begin like its lemma, with kLeastStem letters alike; prefixes make other
  /// words. Adds nothing if there are fewer than two.
  void add(std::u32string_view lemma, std::span<const std::u32string_view> forms);

  [[nodiscard]] std::size_t size() const noexcept { return paradigm_ends_.size(); }
  [[nodiscard]] std::size_t forms() const noexcept { return form_ends_.size(); }
  /// Calls see(forms) for each paradigm, in the order in which they were added. The span dies with the call,
  /// its views with this object.
  template <class See>
  void for_each(See see) const {
    std::vector<std::u32string_view> forms;
    std::size_t form = 0;
    std::size_t begin = 0;
    for (const std::size_t end : paradigm_ends_) {
      forms.clear();
      for (; form < end; begin = form_ends_[form++]) {
        forms.push_back(std::u32string_view(letters_).substr(begin, form_ends_[form] - begin));
      }
      see(std::span<const std::u32string_view>(forms));
    }
  }

 private:
  std::u32string letters_;
  std::vector<std::size_t> form_ends_;      // in letters_
  std::vector<std::size_t> paradigm_ends_;  // in form_ends_
};

/// A word with this ending loses `strip` letters, unless a longer ending is known.
struct Ending {
  std::uint64_t key = 0;  ///< spelling_key of its letters, from the last one backwards
  std::uint32_t strip = 0;
};

/// Learns from the paradigms, on all processors; the result has ascending keys. It does not depend on the
/// order of sources, of entries or of forms. An ending needs kLeastSupport forms that have it, and a share of
/// kLeastPurity of them that lose the same number of letters (a single letter: more than lose any other
/// number); an ending with the same effect as a shorter one is left out.
///
/// The letters that a form should lose are learnt in two rounds: first those after the letters that all forms
/// of its entry begin with; then those after the stem that most of these forms get by the rules of the first
/// round.
[[nodiscard]] std::vector<Ending> learn_endings(std::span<const Paradigms> sources);

inline constexpr std::uint32_t kLeastSupport = 3;
inline constexpr double kLeastPurity = 0.5;

/// The length of a word's stem by `find(key) -> number of letters to remove, or a negative number`; 0 if no
/// ending of the word is known.
template <class Find>
[[nodiscard]] std::size_t stem_length(std::u32string_view word, Find find) {
  std::size_t length = 0;
  SpellingHash hash;
  for (std::size_t i = 1; i <= kLongestEnding && i < word.size(); ++i) {
    hash.add(word[word.size() - i]);
    const int strip = find(hash.value());
    if (strip >= 0 && static_cast<std::size_t>(strip) + kLeastStem <= word.size()) {
      length = word.size() - static_cast<std::size_t>(strip);
    }
  }
  return length;
}

}  // namespace akin
