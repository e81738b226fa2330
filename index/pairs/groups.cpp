#include "index/pairs/groups.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "index/pairs/pairs.h"

namespace akin {

void DocumentGroups::join(DocNumber a, DocNumber b) noexcept {
  sets_.join(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
}

std::vector<std::vector<DocNumber>> DocumentGroups::arranged(std::span<const DocNumber> documents) {
  std::vector<std::uint32_t> sizes(sets_.size());
  for (const DocNumber document : documents) ++sizes[sets_.root(static_cast<std::uint32_t>(document))];
  std::vector<std::uint32_t> numbers(sets_.size());
  std::vector<std::vector<DocNumber>> groups;
  for (const DocNumber document : documents) {
    const std::uint32_t group = sets_.root(static_cast<std::uint32_t>(document));
    if (sizes[group] < 2) continue;
    if (numbers[group] == 0) {
      groups.emplace_back().reserve(sizes[group]);
      numbers[group] = static_cast<std::uint32_t>(groups.size());
    }
    groups[numbers[group] - 1].push_back(document);
  }
  std::ranges::stable_sort(groups, std::ranges::greater(), &std::vector<DocNumber>::size);
  return groups;
}

Result<GroupsSummary> find_groups(const ListSource& lists, const PairsRequest& request,
                                  const GroupNames& names, const GroupVisitor& visit) {
  const std::uint64_t limit = lists.document_limit();
  DocumentGroups groups(static_cast<std::uint32_t>(limit));
  const auto join = [&](DocNumber a, DocNumber b, const Overlap&) -> Result<void> {
    groups.join(a, b);
    return {};
  };
  AKIN_TRY(const PairsSummary pairs, find_pairs(lists, request, join, limit * sizeof(DocNumber)));
  GroupsSummary summary{.pairs = pairs.pairs, .complete = pairs.complete, .common = pairs.common};
  if (!pairs.complete) return summary;
  AKIN_TRY(const std::vector<DocNumber> documents, names.in_order_of_ids());
  std::vector<std::string> ids;
  for (const std::vector<DocNumber>& group : groups.arranged(documents)) {
    ids.clear();
    for (const DocNumber document : group) {
      AKIN_TRY(std::string id, names.id_of(document));
      ids.push_back(std::move(id));
    }
    AKIN_CHECK(visit(ids));
    ++summary.groups;
    summary.documents += group.size();
  }
  return summary;
}

}  // namespace akin
