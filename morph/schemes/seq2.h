// Seq2 of Veretennikov 2009: sums of neighbouring sentence hashes, last element SH(A_n) + 0.
#pragma once

#include <utility>

#include "morph/schemes/scheme.h"

namespace akin {

/// `SentenceHash` maps a Sentence to an unsigned integer; sums wrap around in that type; kNeeds says
/// what else it reads. A feature's range extends from the first sentence's start to the second's end.
template <class SentenceHash>
class Seq2Stream final : public FeatureStream {
 public:
  Seq2Stream(FeatureSequence& out, SentenceHash hash) : out_(out), hash_(std::move(hash)) {}

  [[nodiscard]] SentenceDetail needs() const override { return SentenceHash::kNeeds; }

  void on_sentence(const Sentence& sentence) override {
    const Value hash = hash_(sentence);
    if (any_) append(static_cast<Value>(last_ + hash), {last_range_.begin, sentence.range.end});
    any_ = true;
    last_ = hash;
    last_range_ = sentence.range;
  }

  void finish() override {
    if (any_) append(last_, last_range_);
  }

 private:
  using Value = decltype(std::declval<SentenceHash&>()(std::declval<const Sentence&>()));

  void append(Value value, TextRange range) {
    out_.hashes.push_back(Feature{value});
    out_.ranges.push_back(range);
  }

  FeatureSequence& out_;
  SentenceHash hash_;
  bool any_ = false;
  Value last_ = 0;
  TextRange last_range_;
};

}  // namespace akin
