#include "server/search/filtered_pairs.h"

#include <string>
#include <unordered_map>

#include "index/pairs/complete_linkage.h"
#include "index/pairs/groups.h"
#include "index/search/tier_search.h"
#include "morph/schemes/tiers.h"
#include "server/api/read/memory_size.h"

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

Result<PairsQuestion> pairs_question(const Parameters& parameters, const Collection* collection) {
  const auto bound = parameters.integer("bound");
  const auto min_containment = parameters.share("min_containment");
  const auto min_resemblance = parameters.share("min_resemblance");
  const auto tier = parameters.text("tier");
  PairsQuestion question;
  PairsRequest& request = question.request;
  request.common_limit = parameters.integer("common_limit");
  const bool counts_words = !request.common_limit || (!min_containment && !min_resemblance);
  request.reuse = !bound && !tier && counts_words &&
                  (collection == nullptr || (finds_reuse(collection->scheme()) && collection->keeps_texts()));
  if (!request.reuse && !bound && !min_containment && !min_resemblance) {
    return Error{Errc::invalid_argument, "pairs",
                 "none of the conditions 'bound', 'min_containment' and 'min_resemblance' is given",
                 "give at least one; a bound of 0 takes every pair that shares anything"};
  }
  request.condition = {.bound = bound.value_or(0),
                       .min_containment = min_containment.value_or(0.0),
                       .min_resemblance = min_resemblance.value_or(0.0)};
  AKIN_TRY(request.memory, parse_memory_size(*parameters.text("memory")));
  if (const auto text = parameters.text("filter")) {
    AKIN_TRY(question.filter, filter::Filter::parse(*text));
  }
  if (collection == nullptr) return question;
  const Scheme* scheme = &collection->scheme();
  if (tier) {
    AKIN_TRY(request.tier, find_tier(*scheme, std::string(*tier)));
    scheme = scheme->tiers()[*request.tier].scheme.get();
  }
  AKIN_CHECK(check_containment(*scheme, request.condition.min_containment));
  return question;
}

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
