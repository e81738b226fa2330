#include "server/desk/matches.h"

#include <algorithm>
#include <utility>

namespace akin::desk {

using json::Json;

std::vector<std::vector<Shown>> passages_of(const Json& check, const check::DecidedMarks& marks) {
  std::vector<std::vector<Shown>> all;
  for (const Json& source : check.at("sources")) {
    std::vector<Shown>& shown = all.emplace_back();
    for (const Json& passage : source.at("passages")) {
      const bool counts = marks.passage_counts(all.size(), shown.size() + 1);
      std::vector<TextRange> gaps;
      for (const Json& gap : passage.value("gaps", Json::array())) gaps.push_back(json::read_range(gap));
      shown.push_back({&passage,
                       shown.size() + 1,
                       {json::read_range(passage.at("a")), all.size(), 0, counts, std::move(gaps)}});
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
