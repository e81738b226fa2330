// Made input for the benchmarks of parts: the same in every run, without corpora.
#pragma once

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace akin::bench {

enum Alphabet : int { kLatin = 0, kCyrillic = 1 };

/// Sentences of about twelve words, drawn from 20,000 made words of 1 to 12 letters, the first far more often
/// than the last: as in a language, a text holds few of its words once. The first letter of a sentence is a
/// capital.
[[nodiscard]] inline std::string made_prose(Alphabet alphabet, std::size_t bytes) {
  constexpr std::size_t kWords = 20'000;
  const char32_t first = alphabet == kLatin ? U'a' : U'а';
  const char32_t capital = alphabet == kLatin ? U'A' : U'А';
  const unsigned letters = alphabet == kLatin ? 26 : 32;
  std::mt19937_64 random(2009);
  std::vector<std::u32string> words(kWords);
  for (std::u32string& word : words) {
    word.resize(1 + random() % 12);
    for (char32_t& letter : word) letter = first + static_cast<char32_t>(random() % letters);
  }
  std::string text;
  bool begins = true;
  while (text.size() < bytes) {
    const double place = static_cast<double>(random() >> 11U) * 0x1p-53;
    std::u32string word = words[static_cast<std::size_t>(std::pow(place, 4.0) * kWords)];
    if (begins) word[0] += capital - first;
    text += to_utf8(word);
    begins = random() % 12 == 0;
    text += begins ? ". " : " ";
  }
  return text;
}

}  // namespace akin::bench
