#include "index/pairs/groups.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "index/pairs/pairs.h"

namespace akin {

namespace {

/// The documents that pairs join, numbered in order of appearance.
class JoinedDocuments {
 public:
  void join(std::string_view a, std::string_view b) { pairs_.emplace_back(number_of(a), number_of(b)); }

  /// Groups in the order in which they are reported.
  [[nodiscard]] std::vector<std::vector<std::string>> arranged() const {
    DocumentGroups groups(static_cast<std::uint32_t>(ids_.size()));
    for (const auto& [a, b] : pairs_) groups.join(a, b);
    std::vector<DocNumber> by_id;
    for (std::uint32_t number = 0; number < ids_.size(); ++number) by_id.push_back(DocNumber{number});
    const auto id_of = [this](DocNumber number) -> const std::string& {
      return ids_[static_cast<std::uint32_t>(number)];
    };
    std::ranges::sort(by_id, {}, id_of);
    std::vector<std::vector<std::string>> named;
    for (const std::vector<DocNumber>& group : groups.arranged(by_id)) {
      named.emplace_back();
      for (const DocNumber number : group) named.back().push_back(id_of(number));
    }
    return named;
  }

 private:
  DocNumber number_of(std::string_view id) {
    const auto [place, fresh] =
        numbers_.try_emplace(std::string(id), DocNumber{static_cast<std::uint32_t>(ids_.size())});
    if (fresh) ids_.emplace_back(id);
    return place->second;
  }

  std::unordered_map<std::string, DocNumber> numbers_;
  std::vector<std::string> ids_;
  std::vector<std::pair<DocNumber, DocNumber>> pairs_;
};

}  // namespace

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

Result<GroupsSummary> group_pairs(const FindPairs& find, const GroupVisitor& visit) {
  JoinedDocuments joined;
  AKIN_TRY(const PairsSummary pairs, find([&](const DocumentPair& pair) -> Result<void> {
             joined.join(pair.a, pair.b);
             return {};
           }));
  GroupsSummary summary{.pairs = pairs.pairs,
                        .complete = pairs.complete,
                        .candidates = pairs.candidates,
                        .common = pairs.common};
  if (!pairs.complete) return summary;
  for (const std::vector<std::string>& group : joined.arranged()) {
    AKIN_CHECK(visit(group));
    ++summary.groups;
    summary.documents += group.size();
  }
  return summary;
}

}  // namespace akin
