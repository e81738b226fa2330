#include "lab/evaluate/passage_measures.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace akin::evaluate {
namespace {

TextRange intersection(TextRange one, TextRange other) {
  const std::uint32_t begin = std::max(one.begin, other.begin);
  return {begin, std::max(begin, std::min(one.end, other.end))};
}

std::uint64_t characters_of_union(std::vector<TextRange> ranges) {
  std::ranges::sort(ranges, {}, &TextRange::begin);
  std::uint64_t sum = 0;
  std::uint32_t end = 0;
  for (const TextRange& range : ranges) {
    const std::uint32_t begin = std::max(range.begin, end);
    if (range.end > begin) sum += range.end - begin;
    end = std::max(end, range.end);
  }
  return sum;
}

std::map<SourcePair, std::vector<Reuse>> by_documents(const std::vector<Reuse>& all) {
  std::map<SourcePair, std::vector<Reuse>> groups;
  for (const Reuse& one : all) groups[{one.document, one.source}].push_back(one);
  return groups;
}

struct Coverage {
  double share = 0;
  std::size_t count = 0;
};

/// How much of `one` the others cover, and how many of them meet it.
Coverage coverage(const Reuse& one, const std::map<SourcePair, std::vector<Reuse>>& others) {
  const auto group = others.find({one.document, one.source});
  if (group == others.end()) return {};
  std::vector<TextRange> a, b;
  for (const Reuse& other : group->second) {
    const TextRange in_a = intersection(one.a, other.a), in_b = intersection(one.b, other.b);
    if (in_a.begin == in_a.end || in_b.begin == in_b.end) continue;
    a.push_back(in_a);
    b.push_back(in_b);
  }
  const std::size_t count = a.size();
  const auto covered =
      static_cast<double>(characters_of_union(std::move(a)) + characters_of_union(std::move(b)));
  return {covered / static_cast<double>((one.a.end - one.a.begin) + (one.b.end - one.b.begin)), count};
}

}  // namespace

PassageMeasures measure_passages(const std::vector<Reuse>& known, const std::vector<Reuse>& found) {
  PassageMeasures measures;
  measures.known = known.size();
  measures.found = found.size();
  const auto known_groups = by_documents(known), found_groups = by_documents(found);
  std::size_t met = 0;
  for (const Reuse& one : known) {
    const Coverage with = coverage(one, found_groups);
    measures.recall += with.share / static_cast<double>(known.size());
    measures.known_found += with.count > 0 ? 1 : 0;
    met += with.count;
    measures.met.push_back(with.count);
  }
  for (const Reuse& one : found) {
    measures.precision += coverage(one, known_groups).share / static_cast<double>(found.size());
  }
  if (measures.known_found > 0) {
    measures.granularity = static_cast<double>(met) / static_cast<double>(measures.known_found);
  }
  const double sum = measures.recall + measures.precision;
  if (sum > 0) {
    measures.plagdet = 2 * measures.recall * measures.precision / sum / std::log2(1 + measures.granularity);
  }
  return measures;
}

}  // namespace akin::evaluate
