#include "server/search/filtered_pairs.h"

#include <string>
#include <vector>

#include "index/pairs/complete_linkage.h"
#include "index/pairs/text_copies.h"
#include "index/search/tier_search.h"
#include "morph/schemes/tiers.h"
#include "server/api/read/memory_size.h"

namespace akin::api {

namespace {

/// The documents that satisfy a filter, as PairsRequest::only has them.
Result<std::vector<bool>> selected(const Snapshot& snapshot, const filter::Filter& filter) {
  std::vector<bool> only;
  AKIN_CHECK(for_each_document(snapshot, [&](const StoredDocument& document) -> Result<void> {
    if (!filter.accepts(document)) return {};
    AKIN_TRY(const std::uint64_t number, snapshot.number_in_pairs(document));
    if (only.size() <= number) only.resize(number + 1);
    only[number] = true;
    return {};
  }));
  return only;
}

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
  AKIN_TRY(const std::vector<bool> only, selected(snapshot, *filter));
  PairsRequest of_selected = request;
  of_selected.only = &only;
  return snapshot.pairs(of_selected, visit);
}

Result<GroupsSummary> groups_of(const Snapshot& snapshot, const PairsRequest& wanted,
                                const std::optional<filter::Filter>& filter, Linkage linkage,
                                const GroupVisitor& visit) {
  PairsRequest request = wanted;
  std::vector<bool> only;
  if (filter) {
    AKIN_TRY(only, selected(snapshot, *filter));
    request.only = &only;
  }
  if (linkage == Linkage::single) return snapshot.groups(request, visit);
  AKIN_TRY(const TextCopies copies, TextCopies::find(snapshot, request.only));
  request.only = &copies.others();
  return link_completely([&](const PairVisitor& take) { return snapshot.pairs(request, take); },
                         request.memory / kBytesPerLinkedPair, visit, &copies);
}

}  // namespace akin::api
