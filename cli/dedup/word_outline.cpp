#include "cli/dedup/word_outline.h"

#include <algorithm>

#include "base/hash.h"
#include "morph/align/align_options.h"

namespace akin::dedup {

WordOutline::WordOutline(const SentencedWords& text) : size_(text.words.classes.size()) {
  constexpr std::size_t kGram = AlignOptions().seed;
  constexpr std::size_t kBeside = kGram - 1;
  const std::vector<std::uint64_t>& words = text.words.classes;
  keys_.reserve(words.size() + text.sentences.size());
  for (std::size_t at = 0; at + kGram <= words.size(); ++at) {
    std::uint64_t sum = 0;  // of words in any order
    for (std::size_t word = at; word < at + kGram; ++word) sum += mix64(words[word]);
    keys_.push_back({static_cast<std::uint32_t>(mix64(sum)),
                     {static_cast<std::uint32_t>(at - std::min(at, kBeside)),
                      static_cast<std::uint32_t>(std::min(at + kGram + kBeside, words.size()))}});
  }
  for (const SentencePlace& sentence : text.sentences)
    keys_.push_back({static_cast<std::uint32_t>(mix64(sentence.hash)), sentence.words});
  std::ranges::sort(keys_, {}, &Key::key);
}

std::size_t WordOutline::at_most_in(const WordOutline& other) const {
  std::vector<std::uint8_t> found(size_);
  auto in_other = other.keys_.begin();
  for (const Key& key : keys_) {
    while (in_other != other.keys_.end() && in_other->key < key.key) ++in_other;
    if (in_other == other.keys_.end()) break;
    if (in_other->key == key.key) std::fill_n(found.begin() + key.words.begin, key.words.size(), 1);
  }
  return static_cast<std::size_t>(std::ranges::count(found, 1));
}

std::size_t WordOutline::bytes() const noexcept { return sizeof *this + keys_.capacity() * sizeof keys_[0]; }

}  // namespace akin::dedup
