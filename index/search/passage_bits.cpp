#include "index/search/passage_bits.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cmath>

namespace akin {

PassageBits::PassageBits(std::span<const std::uint64_t> classes, const WordWeights& weights)
    : own_(classes.size()),
      bits_(classes.size() + 1),
      words_(classes.size() + 1),
      matched_(classes.size() + 1) {
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> counts;
  for (const std::uint64_t one : classes) ++counts[one];
  for (std::size_t i = 0; i < classes.size(); ++i)
    own_[i] = weights.share(i) * std::log2(static_cast<double>(classes.size()) / counts[classes[i]]);
}

std::vector<WordRange> PassageBits::joined(const Passages& passages) {
  std::vector<WordRange> all;
  for (const auto& one : passages) all.insert(all.end(), one.begin(), one.end());
  join_ranges(all);
  return all;
}

void PassageBits::add(const Passages& passages) {
  for (const WordRange& range : joined(passages)) {
    ++matched_[range.begin];
    --matched_[range.end];
  }
}

void PassageBits::sum_up() {
  if (summed_) return;
  summed_ = true;
  double bits = 0, words = 0;
  std::int32_t documents = 0;
  for (std::size_t i = 0; i < own_.size(); ++i) {
    documents += matched_[i];
    const double weight = std::min(1.0, kFewDocuments / std::max(documents, 1));
    bits += own_[i] * weight;
    words += weight;
    bits_[i + 1] = bits;
    words_[i + 1] = words;
  }
}

double PassageBits::most(const Passages& passages) {
  sum_up();
  double most = 0;
  for (const auto& one : passages) {
    double bits = 0;
    for (const WordRange& range : one) bits += bits_[range.end] - bits_[range.begin];
    most = std::max(most, bits);
  }
  return most;
}

double PassageBits::most_of(const Passages& passages,
                            const std::function<bool(std::size_t word)>& counts) const {
  double most = 0;
  for (const auto& one : passages) {
    double bits = 0;
    for (const WordRange& range : one) {
      for (std::size_t word = range.begin; word < range.end; ++word) {
        if (counts(word)) bits += own_[word];
      }
    }
    most = std::max(most, bits);
  }
  return most;
}

double PassageBits::rare_words(const Passages& passages) {
  sum_up();
  double words = 0;
  for (const WordRange& range : joined(passages)) words += words_[range.end] - words_[range.begin];
  return words;
}

}  // namespace akin
