#include "server/check/compared_sources.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

#include "server/check/ranges.h"

namespace akin::check {

namespace {

std::uint64_t count_both(const Source& one, const Source& other, const Letters& letters) {
  std::vector<TextRange> both = one.found;
  std::ranges::copy(other.found, std::back_inserter(both));
  join_ranges(both);
  return letters.count_union(both);
}

}  // namespace

std::vector<TextRange> with_gaps(std::vector<TextRange> found, const std::vector<Passage>& passages) {
  for (const Passage& passage : passages) std::ranges::copy(passage.gaps, std::back_inserter(found));
  join_ranges(found);
  return found;
}

void compare_sources(std::vector<Source>& sources, const std::vector<TextRange>& found,
                     const Letters& letters) {
  constexpr std::size_t kMostDifferent = 100;
  const Letters alone = letters.without(covered_twice(found));
  std::vector<std::size_t> different;  // numbers of sources, from 1
  for (std::size_t at = 0; at < sources.size(); ++at) {
    Source& source = sources[at];
    source.only = alone.count_union(source.found);
    const auto is_same = [&](std::size_t number) {
      const Source& earlier = sources[number - 1];
      const auto enough = [](std::uint64_t part, std::uint64_t whole) { return 10 * part >= 9 * whole; };
      if (!enough(std::min(source.letters, earlier.letters), std::max(source.letters, earlier.letters)))
        return false;
      const std::uint64_t either = count_both(source, earlier, letters);
      return enough(source.letters + earlier.letters - either, either);
    };
    const auto same = std::ranges::find_if(different, is_same);
    if (same != different.end()) {
      source.same_as = *same;
    } else if (different.size() < kMostDifferent) {
      different.push_back(at + 1);
    }
  }
}

}  // namespace akin::check
