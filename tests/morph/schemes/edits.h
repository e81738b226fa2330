// What people and programs do to a text (the list of Veretennikov 2009), as functions from text to text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace akin::edits {

/// One way to typeset a text differently without changing a word.
struct Reformatting {
  std::string_view name;
  std::function<std::string(const std::string&)> apply;
  bool sets_lines = false;  ///< makes lines, so that one such is enough for a text
  bool only_alone = false;  ///< promised alone, not on top of every other
};

/// Every reformatting that applies to a text in `language` ("ru", "en", "de", "uk"). Words are divided by
/// hyphens only if `divisible` says so.
[[nodiscard]] std::vector<Reformatting> reformattings(
    std::string_view language, const std::function<bool(std::string_view word)>& divisible);

/// Words of a text: runs without white space, less the punctuation at both ends. Views into `text`.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);

/// The sentence with its words in another order; punctuation stays where it is. Words next to a mark inside
/// the sentence that could end one (an abbreviation's, "— Да! — сказал он.") stay too: whether it does, they
/// decide; so do words next to a hanging hyphen ("ein- und aus").
[[nodiscard]] std::string permute_words(std::string_view sentence, unsigned seed);

/// Every occurrence of a word replaced.
[[nodiscard]] std::string replace_word(std::string_view text, std::string_view word, std::string_view by);

}  // namespace akin::edits
