#include "cli/dedup/word_outline.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "morph/align/align_options.h"

namespace akin::dedup {

namespace {

/// Of the filter, for each word; of those of a kept text one in twelve is set.
constexpr std::size_t kFilterBits = 8;

}  // namespace

WordOutline::WordOutline(const SentencedWords& text)
    : size_(text.words.classes.size()), filter_(size_, kFilterBits) {
  constexpr std::size_t kGram = AlignOptions().seed;
  constexpr std::size_t kBeside = kGram - 1;
  const std::vector<std::uint64_t>& words = text.words.classes;
  std::vector<std::pair<std::uint32_t, WordRange>> keys;
  keys.reserve(words.size() + text.sentences.size());
  for (std::size_t at = 0; at + kGram <= words.size(); ++at) {
    std::uint64_t sum = 0;  // of words in any order
    for (std::size_t word = at; word < at + kGram; ++word) sum += mix64(words[word]);
    keys.push_back({static_cast<std::uint32_t>(mix64(sum)),
                    {static_cast<std::uint32_t>(at - std::min(at, kBeside)),
                     static_cast<std::uint32_t>(std::min(at + kGram + kBeside, words.size()))}});
  }
  for (const SentencePlace& sentence : text.sentences)
    keys.push_back({static_cast<std::uint32_t>(mix64(sentence.hash)), sentence.words});
  std::ranges::sort(keys, {}, [](const auto& key) { return key.first; });
  keys_.reserve(keys.size());
  words_.reserve(keys.size());
  for (const auto& [key, having] : keys) {
    keys_.push_back(key);
    words_.push_back(having);
  }
  classes_.reserve(words.size());
  for (const std::uint64_t word : words) classes_.push_back(static_cast<std::uint32_t>(mix64(word)));
  for (const std::uint32_t word : classes_) filter_.add(word);
}

std::size_t WordOutline::at_most_in(const WordOutline& other) const {
  std::vector<std::uint8_t> found(size_);
  auto in_other = other.keys_.begin();
  for (std::size_t at = 0; at < keys_.size(); ++at) {
    while (in_other != other.keys_.end() && *in_other < keys_[at]) ++in_other;
    if (in_other == other.keys_.end()) break;
    if (*in_other == keys_[at]) std::fill_n(found.begin() + words_[at].begin, words_[at].size(), 1);
  }
  std::size_t most = 0;
  for (std::size_t at = 0; at < size_; ++at)
    most += found[at] != 0 && other.filter_.may_have(classes_[at]) ? 1 : 0;
  return most;
}

std::size_t WordOutline::bytes() const noexcept {
  return sizeof *this + (keys_.capacity() + classes_.capacity()) * sizeof keys_[0] +
         words_.capacity() * sizeof words_[0] + filter_.bytes();
}

}  // namespace akin::dedup
