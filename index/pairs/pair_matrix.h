// A round of all pairs for documents whose lists do not fit into memory: a few documents are counted against
// all others in one pass over the lists. Slower than pair_round.h, equally exact, and able to work in as
// little memory as one row of counters.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/pairs/pair_round.h"

namespace akin {

/// Begin, add every set of at least two documents, seal, then request partners, from any number of threads.
class PairMatrix {
 public:
  /// Arena, survey and condition must outlive the matrix.
  PairMatrix(const PairSurvey& survey, const PairCondition& condition, std::span<std::uint32_t> arena,
             unsigned threads)
      : survey_(survey), condition_(condition), arena_(arena), threads_(threads) {}

  /// The documents from `first` on that fit into the arena at once; 0 if not even one does.
  [[nodiscard]] std::uint32_t capacity(std::uint32_t first) const noexcept;

  /// Begins a round. Requires 0 < last - first <= capacity(first).
  void begin(std::uint32_t first, std::uint32_t last);
  void add(std::uint32_t weight, std::span<const DocNumber> documents);
  void seal() { count_batch(); }

  [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
  [[nodiscard]] std::uint32_t last() const noexcept { return last_; }

  /// As PairRound::partners.
  void partners(std::uint32_t a, std::vector<WantedPair>& found) const;

 private:
  /// Lists wait in a batch, as (weight, length, documents), until it is full and all threads count it.
  void count_batch();
  void count_batch(unsigned thread);
  [[nodiscard]] std::size_t row_words() const noexcept { return survey_.size() - first_; }

  const PairSurvey& survey_;
  const PairCondition& condition_;
  std::span<std::uint32_t> arena_;
  unsigned threads_;
  std::uint32_t first_ = 0, last_ = 0;
  std::span<std::uint32_t> rows_, batch_;
  std::size_t batched_ = 0;  ///< words of the batch in use
};

}  // namespace akin
