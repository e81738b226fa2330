#include "tests/bench/synthetic.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/hash.h"

namespace akin::bench {

namespace {

void append(FeatureSequence& sequence, Feature feature) {
  const auto begin = static_cast<std::uint32_t>(sequence.hashes.size() * 80);
  sequence.hashes.push_back(feature);
  sequence.ranges.push_back({begin, begin + 160});
}

void finish(FeatureSequence& sequence) {
  sequence.sentences = sequence.hashes.size();
  sequence.words = sequence.sentences * 12;
  sequence.code_points = sequence.sentences * 80 + 80;
}

}  // namespace

SyntheticCollection::SyntheticCollection(std::uint64_t seed) : seed_(seed) {
  double sum = 0;
  for (std::size_t rank = 1; rank <= kBoilerplate; ++rank) {
    sum += std::pow(static_cast<double>(rank), -0.9);
    cumulative_.push_back(sum);
  }
}

std::mt19937_64 SyntheticCollection::stream(std::uint64_t number, std::uint64_t purpose) const {
  return std::mt19937_64(mix64(mix64(seed_ ^ purpose << 32U) ^ number));
}

Feature SyntheticCollection::boilerplate(std::mt19937_64& random) const {
  const double at = cumulative_.back() * static_cast<double>(random() >> 11U) * 0x1p-53;
  const auto rank = std::upper_bound(cumulative_.begin(), cumulative_.end(), at) - cumulative_.begin();
  return Feature{mix64(0xb011e2ULL + static_cast<std::uint64_t>(rank))};
}

FeatureSequence SyntheticCollection::document(std::uint64_t number) const {
  std::mt19937_64 random = stream(number, 1);
  FeatureSequence sequence;
  if (number > 0 && random() % 20 == 0) {
    sequence = document(random() % number);
    for (Feature& feature : sequence.hashes)
      if (random() % 5 == 0) feature = Feature{random()};
    return sequence;
  }
  for (std::size_t i = 0; i < kFeatures; ++i)
    append(sequence, random() % 100 < 6 ? boilerplate(random) : Feature{random()});
  finish(sequence);
  return sequence;
}

std::string SyntheticCollection::id(std::uint64_t number) {
  char buffer[24];
  std::snprintf(buffer, sizeof buffer, "doc%09llu", static_cast<unsigned long long>(number));
  return buffer;
}

FeatureSequence SyntheticCollection::query(std::uint64_t number, std::uint64_t documents,
                                           std::size_t features) const {
  std::mt19937_64 random = stream(number, 2);
  FeatureSequence sequence;
  for (int passage = 0; passage < 2; ++passage) {
    const FeatureSequence source = document(random() % documents);
    const std::size_t length = 50 + random() % 51, begin = random() % (kFeatures - length + 1);
    for (std::size_t i = begin; i < begin + length; ++i) append(sequence, source.hashes[i]);
  }
  while (sequence.hashes.size() < features)
    append(sequence, random() % 100 < 6 ? boilerplate(random) : Feature{random()});
  finish(sequence);
  return sequence;
}

}  // namespace akin::bench
