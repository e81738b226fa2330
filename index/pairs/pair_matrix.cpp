#include "index/pairs/pair_matrix.h"

#include <algorithm>
#include <cassert>

#include "base/parallel.h"

namespace akin {

namespace {
constexpr std::size_t kHeadWords = 2;
}  // namespace

std::uint32_t PairMatrix::capacity(std::uint32_t first) const noexcept {
  const std::size_t row = survey_.size() - first;
  // The batch must hold the longest list; a quarter of the arena is enough for it to be counted by all
  // threads.
  const std::size_t batch = std::max(row + kHeadWords, arena_.size() / 4);
  if (batch >= arena_.size()) return 0;
  return static_cast<std::uint32_t>(std::min(row, (arena_.size() - batch) / row));
}

void PairMatrix::begin(std::uint32_t first, std::uint32_t last) {
  assert(first < last && last - first <= capacity(first));
  first_ = first;
  last_ = last;
  rows_ = arena_.first((last - first) * row_words());
  batch_ = arena_.subspan(rows_.size());
  batched_ = 0;
  std::ranges::fill(rows_, 0U);
}

void PairMatrix::add(std::uint32_t weight, std::span<const DocNumber> documents) {
  const auto behind = std::lower_bound(documents.begin(), documents.end(), DocNumber{first_});
  const std::span<const DocNumber> members(behind, documents.end());
  if (members.size() < 2 || static_cast<std::uint32_t>(members.front()) >= last_) return;
  if (batched_ + kHeadWords + members.size() > batch_.size()) count_batch();
  batch_[batched_++] = weight;
  batch_[batched_++] = static_cast<std::uint32_t>(members.size());
  for (const DocNumber member : members) batch_[batched_++] = static_cast<std::uint32_t>(member);
}

void PairMatrix::count_batch() {
  run_threads(threads_, [this](unsigned thread) { count_batch(thread); });
  batched_ = 0;
}

void PairMatrix::count_batch(unsigned thread) {
  for (std::size_t at = 0; at < batched_;) {
    const std::uint32_t weight = batch_[at];
    const std::span<const std::uint32_t> members = batch_.subspan(at + kHeadWords, batch_[at + 1]);
    at += kHeadWords + members.size();
    for (std::size_t i = 0; i + 1 < members.size() && members[i] < last_; ++i) {
      const std::uint32_t row = members[i] - first_;
      if (row % threads_ != thread) continue;
      std::uint32_t* const counts = rows_.data() + row * row_words();
      for (const std::uint32_t b : members.subspan(i + 1)) counts[b - first_] += weight;
    }
  }
}

void PairMatrix::partners(std::uint32_t a, std::vector<WantedPair>& found) const {
  assert(a >= first_ && a < last_ && batched_ == 0);
  const std::uint64_t features = survey_[a].features;
  const std::span<const std::uint32_t> row = rows_.subspan((a - first_) * row_words(), row_words());
  for (std::uint32_t b = a + 1; b < survey_.size(); ++b) {
    const std::uint32_t x = row[b - first_];
    if (x != 0 && condition_.holds(Overlap{x, features, survey_[b].features})) found.push_back({a, b, x});
  }
}

}  // namespace akin
