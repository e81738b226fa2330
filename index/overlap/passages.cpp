#include "index/overlap/passages.h"

#include <algorithm>
#include <array>

#include "index/overlap/occurrences.h"

namespace akin {

namespace {

constexpr std::uint32_t kNone = Occurrences::kNone;

/// The number of places in B tried for the start of a run, and how far each is followed. Both bound the work
/// per feature.
constexpr std::uint32_t kCandidates = 8;
constexpr std::uint32_t kLookAhead = 16;

/// Rounds of matching: long runs get their places first, single features fill the rest.
constexpr std::array<std::uint32_t, 4> kShortestRun = {kLookAhead, 4, 2, 1};

/// A one-to-one matching of A's positions with B's positions of equal features. It is complete when the last
/// round allows runs of one: a position stays alone only if its feature has no unused place in B, so each
/// value is matched min(count in A, count in B) times.
class Matching {
 public:
  Matching(std::span<const Feature> a, std::span<const Feature> b)
      : b_(a, b), value_(a.size()), match_(a.size(), kNone) {
    for (std::size_t i = 0; i < a.size(); ++i) value_[i] = b_.value_of(a[i]);
  }

  void match_runs(std::uint32_t shortest) {
    std::uint32_t diagonal = kNone;  // the place in B that continues the current run
    for (std::uint32_t i = 0; i < value_.size(); ++i) {
      if (match_[i] == kNone) {
        if (can_match(i, diagonal)) {
          take(i, diagonal);
        } else if (const std::uint32_t j = best_start(i, shortest); j != kNone) {
          take(i, j);
          extend_back(i, j);
        }
      }
      diagonal = match_[i] == kNone ? kNone : match_[i] + 1;
    }
  }

  [[nodiscard]] const std::vector<std::uint32_t>& places() const noexcept { return match_; }

 private:
  [[nodiscard]] bool can_match(std::uint32_t i, std::uint32_t j) const noexcept {
    return i < value_.size() && j < b_.size() && match_[i] == kNone && !b_.used(j) &&
           value_[i] == b_.value_at(j);
  }

  [[nodiscard]] std::uint32_t best_start(std::uint32_t i, std::uint32_t shortest) const noexcept {
    std::uint32_t best = kNone;
    std::uint32_t longest = shortest - 1;
    std::uint32_t j = b_.first(value_[i]);
    for (std::uint32_t tried = 0; j != kNone && tried < kCandidates && longest < kLookAhead; ++tried) {
      std::uint32_t run = 0;
      while (run < kLookAhead && can_match(i + run, j + run)) ++run;
      if (run > longest) {
        longest = run;
        best = j;
      }
      j = b_.next(j);
    }
    return best;
  }

  void take(std::uint32_t i, std::uint32_t j) noexcept {
    match_[i] = j;
    b_.use(j);
  }

  void extend_back(std::uint32_t i, std::uint32_t j) noexcept {
    while (i > 0 && j > 0 && can_match(i - 1, j - 1)) take(--i, --j);
  }

  Occurrences b_;
  std::vector<std::uint32_t> value_;  ///< for each position of A, the number of its value
  std::vector<std::uint32_t> match_;
};

TextRange cover(TextRange left, TextRange right) noexcept {
  return {std::min(left.begin, right.begin), std::max(left.end, right.end)};
}

}  // namespace

std::vector<Passage> shared_passages(const FeatureSequence& a, const FeatureSequence& b) {
  Matching matching(a.hashes, b.hashes);
  for (std::uint32_t shortest : kShortestRun) matching.match_runs(shortest);

  std::vector<Passage> passages;
  const std::vector<std::uint32_t>& place = matching.places();
  for (std::size_t i = 0; i < place.size(); ++i) {
    const std::uint32_t j = place[i];
    if (j == kNone) continue;
    if (i > 0 && place[i - 1] != kNone && place[i - 1] + 1 == j) {
      Passage& run = passages.back();
      run.a = cover(run.a, a.ranges[i]);
      run.b = cover(run.b, b.ranges[j]);
      ++run.features;
    } else {
      passages.push_back({a.ranges[i], b.ranges[j], 1});
    }
  }
  std::stable_sort(passages.begin(), passages.end(),
                   [](const Passage& left, const Passage& right) { return left.a.begin < right.a.begin; });
  return passages;
}

}  // namespace akin
