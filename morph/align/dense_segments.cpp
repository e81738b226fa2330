#include "morph/align/dense_segments.h"

#include <cstddef>

namespace akin {
namespace {

/// A candidate of the algorithm, with the score of the whole line up to its begin and up to its end.
struct Candidate {
  WordRange range;
  std::int64_t left = 0;
  std::int64_t right = 0;
  /// The nearest candidate before it with a smaller `left`, kNobody if there is none.
  std::size_t before = 0;
};
constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

}  // namespace

std::vector<WordRange> dense_segments(std::span<const WordRange> marked, unsigned percent) {
  std::vector<Candidate> list;
  std::int64_t score = 0;
  std::uint32_t end = marked.empty() ? 0 : marked.front().begin;
  for (const WordRange& range : marked) {
    score -= std::int64_t{percent} * (range.begin - end);
    Candidate last{range, score, score + std::int64_t{100 - percent} * range.size(), kNobody};
    score = last.right;
    end = range.end;
    std::size_t before = list.size() - 1;  // kNobody if there are none
    for (;;) {
      while (before != kNobody && list[before].left >= last.left) before = list[before].before;
      last.before = before;
      if (before == kNobody || list[before].right >= last.right) break;
      // From that candidate to this one every beginning and every end has a positive score: one segment.
      last.range.begin = list[before].range.begin;
      last.left = list[before].left;
      const std::size_t joined = before;
      before = list[joined].before;
      list.resize(joined);
    }
    list.push_back(last);
  }
  std::vector<WordRange> segments;
  segments.reserve(list.size());
  for (const Candidate& one : list) segments.push_back(one.range);
  return segments;
}

}  // namespace akin
