#include "index/pairs/complete_linkage.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "index/pairs/text_copies.h"

namespace akin {

namespace {

struct Link {
  double resemblance = 0;
  std::string_view a, b;  ///< ids
};

/// Merges sets of ids whose members are all linked.
class Cliques {
 public:
  void link(std::string_view a, std::string_view b) {
    ++links_[of(a)][of(b)];
    ++links_[of(b)][of(a)];
  }

  /// Merges the sets of two linked ids, if all their members are linked.
  void merge(std::string_view a, std::string_view b) {
    std::string_view one = of(a), other = of(b);
    if (one == other || links_[one][other] != members_[one].size() * members_[other].size()) return;
    if (links_[one].size() < links_[other].size()) std::swap(one, other);
    const auto links = links_.extract(other);
    for (const auto& [third, count] : links.mapped()) {
      links_[third].erase(other);
      if (third == one) continue;
      links_[one][third] += count;
      links_[third][one] += count;
    }
    const auto members = members_.extract(other);
    for (const std::string_view member : members.mapped()) {
      members_[one].push_back(member);
      set_[member] = one;
    }
  }

  [[nodiscard]] const auto& members() const noexcept { return members_; }

 private:
  /// The set of an id, which has the name of one of its members.
  std::string_view of(std::string_view id) {
    const auto [place, fresh] = set_.try_emplace(id, id);
    if (fresh) members_[id].push_back(id);
    return place->second;
  }

  std::unordered_map<std::string_view, std::string_view> set_;
  std::unordered_map<std::string_view, std::vector<std::string_view>> members_;
  std::unordered_map<std::string_view, std::unordered_map<std::string_view, std::uint64_t>> links_;
};

}  // namespace

Result<GroupsSummary> link_completely(const FindPairs& find, std::uint64_t most_pairs,
                                      const GroupVisitor& visit, const TextCopies* copies) {
  std::unordered_map<std::string, std::string_view> ids;  // each viewing its own key
  const auto kept = [&](std::string_view id) {
    const auto [place, fresh] = ids.try_emplace(std::string(id));
    if (fresh) place->second = place->first;
    return place->second;
  };
  std::vector<Link> links;
  AKIN_TRY(const PairsSummary pairs, find([&](const DocumentPair& pair) -> Result<void> {
             if (links.size() == most_pairs) {
               return Error{Errc::too_large, "pairs",
                            "are more than " + std::to_string(most_pairs) + ", which complete linkage keeps",
                            "ask for more similar pairs, give more memory, or use single linkage"};
             }
             const double by_words = pair.words ? pair.words->resemblance() : 0.0;
             links.push_back({std::max(pair.overlap.resemblance(), by_words), kept(pair.a), kept(pair.b)});
             return {};
           }));
  GroupsSummary summary;
  if (pairs.complete) {
    std::ranges::sort(links, [](const Link& left, const Link& right) {
      return std::tie(right.resemblance, left.a, left.b) < std::tie(left.resemblance, right.a, right.b);
    });
    Cliques cliques;
    for (const Link& link : links) cliques.link(link.a, link.b);
    for (const Link& link : links) cliques.merge(link.a, link.b);
    NamedGroups groups;
    for (const auto& [name, members] : cliques.members())
      for (const std::string_view member : members) groups.join(name, member);
    if (copies != nullptr) copies->join(groups);
    AKIN_TRY(summary, groups.visit(visit));
  }
  summary.complete = pairs.complete;
  summary.candidates = pairs.candidates;
  summary.common = pairs.common;
  return summary;
}

}  // namespace akin
