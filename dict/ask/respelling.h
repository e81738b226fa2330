// Other spellings of a word that look the same, or that a disguise was made from.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace akin {

/// The two spellings of a word all of whose letters look alike in Latin and Cyrillic, as capitals and as
/// small letters ("сор", "cop"); the first letter of a word of one or two, as capital at least ("В", "B";
/// "Не", "He"). Both are empty for all other words. `letters` are folded.
struct Twins {
  std::u32string cyrillic, latin;
  /// The spelling of words that no dictionary has: Cyrillic if all letters are Russian.
  [[nodiscard]] const std::u32string& common() const {
    return cyrillic.find_first_of(U"іјѕԛԝѵ") == std::u32string::npos ? cyrillic : latin;
  }
};
[[nodiscard]] Twins twins_of(std::u32string_view letters);

/// What a word may have been before digits took the place of some of its letters, the likeliest first
/// ("сл0во"), or before accents were put on letters that few languages put them on: acutes on Latin
/// consonants and on Cyrillic г and к, rings on a, u, w and y. Nothing for a word without either. Digits
/// count between two letters; in words with three letters or more up to three single ones at any place, or
/// any inside that have no more than 96 readings; and several in the middle of words with two letters, unless
/// they count letters ("l10n") or name a model ("F16s").
[[nodiscard]] std::vector<std::u32string> undisguised(std::u32string_view letters);

/// A word of one script as its capitals look in the other one ("тне": "the", "не'ѕ": "he's"); empty unless
/// every letter has a twin there, of either case.
[[nodiscard]] std::u32string in_other_script(std::u32string_view letters);

/// Whether the digits of a word that `undisguised` takes for letters are letters even if no dictionary has
/// what they make, inside a word of three letters or more: up to three single ones; or no more than letters,
/// if the word has letters beyond ASCII, or several runs of up to three and a letter that hexadecimal numbers
/// lack; or none.
[[nodiscard]] bool are_digits_certain(std::u32string_view letters) noexcept;

}  // namespace akin
