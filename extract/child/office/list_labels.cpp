#include "extract/child/office/list_labels.h"

#include <algorithm>
#include <cstddef>

#include "base/ascii.h"
#include "extract/text_layout.h"

namespace akin::extract {

std::string text_of_label(std::string_view label) {
  constexpr std::size_t kFewestWords = 4, kFewestLetters = 30, kMostBytes = 4096;
  label = whole_characters(label, kMostBytes);
  label.remove_prefix(std::min(label.find_first_not_of(" .)-"), label.size()));
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0xC0;
  };
  std::size_t words = 0, letters = 0;
  for (const std::string_view word : split(label, ' ')) {
    const auto of_word = static_cast<std::size_t>(std::ranges::count_if(word, is_letter));
    words += of_word > 0 ? 1 : 0;
    letters += of_word;
  }
  return words < kFewestWords && letters < kFewestLetters ? std::string() : std::string(label);
}

}  // namespace akin::extract
