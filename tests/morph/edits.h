// What people and programs do to a text (the list of Veretennikov 2009), as functions from text to text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace akin::edits {

/// One way to set a text anew without changing a word.
struct Reformatting {
  std::string_view name;
  std::function<std::string(const std::string&)> apply;
};

/// Every reformatting that applies to a text in `language` ("ru", "en", "de", "uk").
[[nodiscard]] std::vector<Reformatting> reformattings(std::string_view language);

/// Words of a text: runs without white space, less the punctuation at both ends. Views into `text`.
[[nodiscard]] std::vector<std::string_view> words(std::string_view text);

/// The sentence with its words in another order; punctuation stays where it is.
[[nodiscard]] std::string permute_words(std::string_view sentence, unsigned seed);

/// Every occurrence of a word replaced.
[[nodiscard]] std::string replace_word(std::string_view text, std::string_view word, std::string_view by);

}  // namespace akin::edits
