#include "server/check/compared_sources.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "server/check/ranges.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

std::uint64_t count_both(const Source& one, const Source& other, const Letters& letters) {
  std::vector<TextRange> both = one.found;
  std::ranges::copy(other.found, std::back_inserter(both));
  join_ranges(both);
  return letters.count_union(both);
}

/// Sources whose date is known come first.
auto age_of(const Source& source) {
  std::string date = publication_date(source.document);
  return std::tuple(date.empty(), std::move(date), source.document.revision.value);
}

}  // namespace

std::vector<TextRange> with_gaps(std::vector<TextRange> found, const std::vector<Passage>& passages) {
  for (const Passage& passage : passages) std::ranges::copy(passage.gaps, std::back_inserter(found));
  join_ranges(found);
  return found;
}

std::string publication_date(const DocumentRecord& document) {
  if (document.metadata.empty()) return "";
  const auto metadata = json::parse_json(document.metadata);
  if (metadata.has_error() || !metadata->is_object()) return "";
  const auto date = metadata->find("date");
  return date != metadata->end() && date->is_string() ? date->get<std::string>() : "";
}

void compare_sources(std::vector<Source>& sources, const std::vector<TextRange>& found,
                     const Letters& letters) {
  constexpr std::size_t kMostDifferent = 100;
  const Letters alone = letters.without(covered_twice(found));
  std::vector<std::size_t> different;                      // numbers of sources, from 1
  std::map<std::size_t, std::vector<std::size_t>> groups;  // places of sources, by the number of the first
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
    groups[same != different.end() ? *same : at + 1].push_back(at);
    if (same == different.end() && different.size() < kMostDifferent) different.push_back(at + 1);
  }
  std::vector<Source> ordered;
  for (auto& [number, members] : groups) {
    if (members.size() > 1)
      std::ranges::stable_sort(members, {}, [&](std::size_t at) { return age_of(sources[at]); });
    const std::size_t first = ordered.size() + 1;
    for (const std::size_t at : members) {
      ordered.push_back(std::move(sources[at]));
      if (ordered.size() > first) ordered.back().same_as = first;
    }
  }
  sources = std::move(ordered);
}

}  // namespace akin::check
