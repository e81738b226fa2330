#include "server/search/filtered_pairs.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"

namespace akin::api {

namespace {

/// Which documents satisfy a filter.
class Selected {
 public:
  Selected(const Snapshot& snapshot, const filter::Filter& filter) : snapshot_(snapshot), filter_(filter) {}

  Result<bool> has(std::string_view id) {
    const auto [known, fresh] = known_.try_emplace(std::string(id), false);
    if (fresh) {
      AKIN_TRY(const auto record, snapshot_.find(known->first));
      known->second = record && filter_.accepts(*record);
    }
    return known->second;
  }

 private:
  const Snapshot& snapshot_;
  const filter::Filter& filter_;
  std::unordered_map<std::string, bool> known_;
};

/// The documents of pairs, joined into groups.
class Groups {
 public:
  void join(std::string_view a, std::string_view b) { joined_.emplace_back(number(a), number(b)); }

  /// The largest first, then by the bytes of their first id; ids ascend.
  [[nodiscard]] std::vector<std::vector<std::string>> arranged() const {
    DisjointSets sets(numbers_.size());
    for (const auto& [a, b] : joined_) sets.join(a, b);
    std::map<std::uint32_t, std::vector<std::string>> by_root;
    for (const auto& [id, number] : numbers_) by_root[sets.root(number)].push_back(id);
    std::vector<std::vector<std::string>> groups;
    for (auto& [root, ids] : by_root) groups.push_back(std::move(ids));
    std::ranges::sort(groups, [](const auto& one, const auto& other) {
      return one.size() != other.size() ? one.size() > other.size() : one.front() < other.front();
    });
    return groups;
  }
  [[nodiscard]] std::size_t documents() const noexcept { return numbers_.size(); }

 private:
  std::uint32_t number(std::string_view id) {
    return numbers_.try_emplace(std::string(id), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  std::map<std::string, std::uint32_t> numbers_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined_;
};

}  // namespace

Result<PairsSummary> pairs_of(const Snapshot& snapshot, const PairsRequest& request,
                              const std::optional<filter::Filter>& filter, const PairVisitor& visit) {
  if (!filter) return snapshot.pairs(request, visit);
  Selected selected(snapshot, *filter);
  std::uint64_t visited = 0;
  AKIN_TRY(PairsSummary summary, snapshot.pairs(request, [&](const DocumentPair& pair) -> Result<void> {
    for (const std::string_view id : {pair.a, pair.b}) {
      AKIN_TRY(const bool wanted, selected.has(id));
      if (!wanted) return {};
    }
    ++visited;
    return visit(pair);
  }));
  summary.pairs = visited;
  return summary;
}

Result<GroupsSummary> groups_of(const Snapshot& snapshot, const PairsRequest& request,
                                const std::optional<filter::Filter>& filter, const GroupVisitor& visit) {
  if (!filter) return snapshot.groups(request, visit);
  Groups joined;
  AKIN_TRY(const PairsSummary pairs,
           pairs_of(snapshot, request, filter, [&](const DocumentPair& pair) -> Result<void> {
             joined.join(pair.a, pair.b);
             return {};
           }));
  GroupsSummary summary{.pairs = pairs.pairs,
                        .complete = pairs.complete,
                        .candidates = pairs.candidates,
                        .common = pairs.common};
  if (!pairs.complete) return summary;
  const auto groups = joined.arranged();
  summary.groups = groups.size();
  summary.documents = joined.documents();
  for (const auto& ids : groups) AKIN_CHECK(visit(ids));
  return summary;
}

}  // namespace akin::api
