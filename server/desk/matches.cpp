#include "server/desk/matches.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "server/desk/changes.h"

namespace akin::desk {

using json::Json;

namespace {

std::size_t changed_words(const Json& passage, const SlicedText& text) {
  std::size_t words = 0;
  for (const SideChange& change : changes_of(passage, "a")) {
    const auto parts = split(text.slice(change.range), ' ');
    words += static_cast<std::size_t>(
        std::ranges::count_if(parts, [](std::string_view one) { return !trimmed(one).empty(); }));
    words += change.range.begin == change.range.end ? 1 : 0;
  }
  return words;
}

bool begins_in(const std::vector<TextRange>& ranges, std::size_t place) {
  const auto range = std::ranges::upper_bound(ranges, place, {}, &TextRange::end);
  return range != ranges.end() && range->begin <= place;
}

}  // namespace

std::vector<std::vector<Shown>> passages_of(const Json& check, const check::DecidedMarks& marks,
                                            const SlicedText& text,
                                            const std::vector<TextRange>& bibliographies) {
  std::vector<std::vector<Shown>> all;
  for (const Json& source : check.at("sources")) {
    std::vector<Shown>& shown = all.emplace_back();
    for (const Json& passage : source.at("passages")) {
      const bool counts = marks.passage_counts(all.size(), shown.size() + 1);
      std::vector<TextRange> gaps;
      for (const Json& gap : passage.value("gaps", Json::array())) gaps.push_back(json::read_range(gap));
      const TextRange range = json::read_range(passage.at("a"));
      shown.push_back({&passage,
                       shown.size() + 1,
                       {range, all.size(), 0, counts, std::move(gaps), changed_words(passage, text)},
                       begins_in(bibliographies, range.begin)});
    }
  }
  std::vector<Match*> order;
  for (std::vector<Shown>& shown : all) {
    for (Shown& one : shown) order.push_back(&one.match);
  }
  std::ranges::stable_sort(order, {}, [](const Match* match) { return match->range.begin; });
  std::size_t next = 0;
  for (Match* match : order) match->number = ++next;
  return all;
}

}  // namespace akin::desk
