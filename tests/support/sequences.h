// Made-up documents for tests: features by number, a text that fits them.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "index/store/store.h"

namespace akin::test {

using Values = std::vector<std::uint64_t>;

/// Sentence i of a made-up text; feature i spans sentences i and i+1, as sentence-pairs does.
inline constexpr std::uint32_t kSentenceLength = 10;

inline FeatureSequence make_sequence(const Values& values) {
  FeatureSequence sequence;
  const auto count = static_cast<std::uint32_t>(values.size());
  sequence.sentences = count;
  sequence.words = std::uint64_t{2} * count;
  sequence.code_points = std::uint64_t{count} * kSentenceLength;
  for (std::uint32_t i = 0; i < count; ++i) {
    sequence.hashes.push_back(Feature{values[i]});
    sequence.ranges.push_back({i * kSentenceLength, std::min(i + 2, count) * kSentenceLength});
  }
  return sequence;
}

/// A text with as many code points as make_sequence says, some of them of two bytes, different for each
/// content.
inline std::string make_text(const Values& values) {
  std::string text;
  for (std::uint64_t value : values) {
    std::string sentence = "д" + std::to_string(value % 10'000'000);
    sentence.resize(kSentenceLength, ' ');
    text += sentence + " ";
  }
  return text;
}

/// Owns what a NewDocument views.
struct MadeDocument {
  MadeDocument(std::string id, const Values& values)
      : features(make_sequence(values)), text(make_text(values)) {
    document.record.id = std::move(id);
    document.record.title = "title of " + document.record.id;
    document.record.text_bytes = text.size();
    document.record.code_points = features.code_points;
    document.record.sentences = features.sentences;
    document.record.features = features.hashes.size();
  }
  NewDocument view() const {
    NewDocument result = document;
    result.text = text;
    result.features = &features;
    return result;
  }
  FeatureSequence features;
  std::string text;
  NewDocument document;
};

/// The slow twin of every X in akin: the definition, word by word.
inline std::uint64_t naive_x(const Values& a, const Values& b) {
  std::map<std::uint64_t, std::uint64_t> in_a;
  std::map<std::uint64_t, std::uint64_t> in_b;
  for (std::uint64_t v : a) ++in_a[v];
  for (std::uint64_t v : b) ++in_b[v];
  std::uint64_t x = 0;
  for (const auto& [v, count] : in_a) {
    const auto other = in_b.find(v);
    if (other != in_b.end()) x += std::min(count, other->second);
  }
  return x;
}

/// Random multisets: values Zipf-distributed, so that a few stand in nearly every document and often in one.
class RandomValues {
 public:
  RandomValues(std::uint32_t seed, std::uint64_t vocabulary, std::uint64_t spread)
      : random_(seed), vocabulary_(vocabulary), spread_(spread) {}

  std::uint64_t below(std::uint64_t limit) {
    return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(random_);
  }

  Values values(std::uint64_t longest) {
    Values result(below(longest + 1));
    for (std::uint64_t& value : result) value = (below(below(vocabulary_) + 1) + 1) * spread_;
    return result;
  }

 private:
  std::mt19937 random_;
  std::uint64_t vocabulary_;
  std::uint64_t
      spread_;  ///< distance of neighbouring values: 1 gives 32-bit features, a large odd number 64-bit ones
};

}  // namespace akin::test
