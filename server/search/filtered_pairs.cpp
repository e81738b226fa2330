#include "server/search/filtered_pairs.h"

#include <string>
#include <unordered_map>

#include "index/pairs/complete_linkage.h"
#include "index/pairs/groups.h"

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
                                const std::optional<filter::Filter>& filter, Linkage linkage,
                                const GroupVisitor& visit) {
  const auto find = [&](const PairVisitor& take) { return pairs_of(snapshot, request, filter, take); };
  if (linkage == Linkage::complete) return link_completely(find, request.memory / kBytesPerLinkedPair, visit);
  return filter ? group_pairs(find, visit) : snapshot.groups(request, visit);
}

}  // namespace akin::api
