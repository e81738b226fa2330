// How much of one text another one has, by alignment of both.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/dedup/condition.h"
#include "cli/dedup/word_outline.h"
#include "index/collection/collection.h"
#include "index/search/word_cache.h"

namespace akin::dedup {

/// The id of a text in the index of a run: ten digits, so that the order of ids is that of the numbers.
[[nodiscard]] std::string index_id(TextNumber text);
[[nodiscard]] TextNumber text_of_id(std::string_view id);

/// Measures shares of words, on all cores. One thread calls it.
class ShareMeter {
 public:
  /// `memory`: bytes of what is remembered of texts. The collection must outlive it.
  ShareMeter(const Collection& collection, const Condition& condition, std::uint64_t memory)
      : collection_(collection), condition_(condition), words_(memory) {}

  /// In the order of the texts. Errors: those of reading texts.
  [[nodiscard]] Result<std::vector<WordOutline>> outlines(std::span<const TextNumber> texts);

  /// The share of each candidate by the words in passages that both texts share, aligned from `preferred`; if
  /// that covers nothing, by the words in passages and in equal sentences; 0 of some that cover nothing.
  /// Errors: those of reading texts.
  [[nodiscard]] Result<std::vector<double>> measure(std::span<const Candidate> candidates);

 private:
  [[nodiscard]] Result<void> measure_some(std::span<const Candidate> candidates, std::span<double> shares);

  const Collection& collection_;
  const Condition condition_;
  WordCache words_;
};

}  // namespace akin::dedup
