#include "index/pairs/groups.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "index/pairs/filtered_lists.h"
#include "index/pairs/further_copies.h"
#include "index/pairs/pairs.h"
#include "index/pairs/text_copies.h"

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
  if (request.common_limit || request.only != nullptr) {
    return find_in_some(lists, request, [&](const ListSource& some, const PairsRequest& rest) {
      return find_groups(some, rest, names, visit);
    });
  }
  constexpr std::uint32_t kFirstRound = 64;
  const std::uint64_t limit = lists.document_limit();
  DocumentGroups groups(static_cast<std::uint32_t>(limit));
  AKIN_TRY(const FurtherCopies copies, FurtherCopies::find(lists));
  const auto join = [&](DocNumber a, DocNumber b, const Overlap&) -> Result<void> {
    groups.join(a, b);
    return {};
  };
  AKIN_TRY(const PairsSummary pairs,
           find_pairs(FilteredLists(lists, Unjoined{copies, groups.sets()}), request, join,
                      {.set_aside = 3 * limit * sizeof(DocNumber), .first_round = kFirstRound}));
  GroupsSummary summary{.complete = pairs.complete};
  if (!pairs.complete) return summary;
  copies.join(groups.sets());
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

std::uint32_t NamedGroups::number_of(std::string_view id) {
  const auto [place, fresh] = numbers_.try_emplace(std::string(id), static_cast<std::uint32_t>(ids_.size()));
  if (fresh) {
    ids_.emplace_back(id);
    sets_.add();
  }
  return place->second;
}

void NamedGroups::join(std::string_view a, std::string_view b) { sets_.join(number_of(a), number_of(b)); }

bool NamedGroups::are_joined(std::string_view a, std::string_view b) {
  const auto of_a = numbers_.find(std::string(a)), of_b = numbers_.find(std::string(b));
  return of_a != numbers_.end() && of_b != numbers_.end() &&
         sets_.root(of_a->second) == sets_.root(of_b->second);
}

Result<GroupsSummary> NamedGroups::visit(const GroupVisitor& visit) const {
  std::vector<DocNumber> by_id;
  for (std::uint32_t number = 0; number < ids_.size(); ++number) by_id.push_back(DocNumber{number});
  const auto id_of = [this](DocNumber number) -> const std::string& {
    return ids_[static_cast<std::uint32_t>(number)];
  };
  std::ranges::sort(by_id, {}, id_of);
  GroupsSummary summary;
  std::vector<std::string> ids;
  for (const std::vector<DocNumber>& group : DocumentGroups(sets_).arranged(by_id)) {
    ids.clear();
    for (const DocNumber number : group) ids.push_back(id_of(number));
    AKIN_CHECK(visit(ids));
    ++summary.groups;
    summary.documents += group.size();
  }
  return summary;
}

Result<GroupsSummary> group_pairs(const FindPairs& find, const GroupVisitor& visit,
                                  const TextCopies* copies) {
  NamedGroups groups;
  AKIN_TRY(const PairsSummary pairs, find([&](const DocumentPair& pair) -> Result<void> {
             groups.join(pair.a, pair.b);
             return {};
           }));
  GroupsSummary summary;
  if (pairs.complete) {
    if (copies != nullptr) copies->join(groups);
    AKIN_TRY(summary, groups.visit(visit));
  }
  summary.complete = pairs.complete;
  summary.candidates = pairs.candidates;
  summary.common = pairs.common;
  return summary;
}

}  // namespace akin
