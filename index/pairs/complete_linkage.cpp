#include "index/pairs/complete_linkage.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"
#include "index/pairs/text_copies.h"

namespace akin {

namespace {

struct Link {
  double resemblance = 0;
  std::uint32_t a = 0, b = 0;
};

/// The ids of documents, numbered as they come and then in their order.
class DocumentNumbers {
 public:
  std::uint32_t of(std::string_view id) {
    return numbers_.try_emplace(std::string(id), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  /// Numbers them in the order of ids: returns the ids, and renumbers the links.
  std::vector<std::string_view> arrange(std::vector<Link>& links) const {
    std::vector<std::string_view> ids;
    ids.reserve(numbers_.size());
    for (const auto& [id, number] : numbers_) ids.push_back(id);
    std::ranges::sort(ids);
    std::vector<std::uint32_t> places(ids.size());
    for (std::uint32_t place = 0; place < ids.size(); ++place)
      places[numbers_.find(std::string(ids[place]))->second] = place;
    for (Link& link : links) {
      link.a = places[link.a];
      link.b = places[link.b];
    }
    return ids;
  }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// Merges sets of numbers whose members are all linked. A set has the number of its least member. It is
/// linked with another one if all members are: with those alone that both sets of a merger were linked with.
/// So a merger takes links away for each that it looks at, and all of them together take the time of the
/// links, but for a factor of its logarithm.
class Cliques {
 public:
  Cliques(std::size_t numbers, const std::vector<Link>& links) : sets_(numbers), linked_(numbers) {
    std::vector<std::uint32_t> sizes(numbers);
    for (const Link& link : links) {
      ++sizes[link.a];
      ++sizes[link.b];
    }
    for (std::size_t number = 0; number < numbers; ++number) linked_[number].reserve(sizes[number]);
    for (const Link& link : links) {
      linked_[link.a].push_back(link.b);
      linked_[link.b].push_back(link.a);
    }
    for (std::vector<std::uint32_t>& list : linked_) std::ranges::sort(list);
  }

  /// Merges the sets of two linked numbers, if all their members are linked.
  void merge(std::uint32_t a, std::uint32_t b) {
    a = set_of(a);
    b = set_of(b);
    if (a == b || !are_linked(a, b)) return;
    std::vector<std::uint32_t> both;
    std::ranges::set_intersection(linked_[a], linked_[b], std::back_inserter(both));
    std::erase_if(both, [&](std::uint32_t other) {
      return set_of(other) != other || !has(other, a) || !has(other, b);
    });
    for (const std::uint32_t one : {a, b}) std::vector<std::uint32_t>().swap(linked_[one]);
    sets_.join(a, b);
    both.shrink_to_fit();
    linked_[set_of(a)] = std::move(both);
  }

  [[nodiscard]] std::uint32_t set_of(std::uint32_t number) noexcept { return sets_.root(number); }

 private:
  [[nodiscard]] bool has(std::uint32_t one, std::uint32_t other) const {
    return std::ranges::binary_search(linked_[one], other);
  }
  [[nodiscard]] bool are_linked(std::uint32_t one, std::uint32_t other) const {
    return has(one, other) && has(other, one);
  }

  DisjointSets sets_;
  /// Of each set, ascending, the sets that it is linked with and others: those that were merged into another
  /// one, and those whose list does not have this one.
  std::vector<std::vector<std::uint32_t>> linked_;
};

}  // namespace

Result<GroupsSummary> link_completely(const FindPairs& find, std::uint64_t most_pairs,
                                      const GroupVisitor& visit, const TextCopies* copies) {
  DocumentNumbers numbers;
  std::vector<Link> links;
  AKIN_TRY(const PairsSummary pairs, find([&](const DocumentPair& pair) -> Result<void> {
             if (links.size() == most_pairs) {
               return Error{Errc::too_large, "pairs",
                            "are more than " + std::to_string(most_pairs) + ", which complete linkage keeps",
                            "ask for more similar pairs, give more memory, or use single linkage"};
             }
             const double by_words = pair.words ? pair.words->resemblance() : 0.0;
             links.push_back(
                 {std::max(pair.overlap.resemblance(), by_words), numbers.of(pair.a), numbers.of(pair.b)});
             return {};
           }));
  GroupsSummary summary;
  if (pairs.complete) {
    const std::vector<std::string_view> ids = numbers.arrange(links);
    std::ranges::sort(links, [](const Link& left, const Link& right) {
      return std::tie(right.resemblance, left.a, left.b) < std::tie(left.resemblance, right.a, right.b);
    });
    Cliques cliques(ids.size(), links);
    for (const Link& link : links) cliques.merge(link.a, link.b);
    NamedGroups groups;
    for (std::uint32_t number = 0; number < ids.size(); ++number)
      groups.join(ids[cliques.set_of(number)], ids[number]);
    if (copies != nullptr) copies->join(groups);
    AKIN_TRY(summary, groups.visit(visit));
  }
  summary.complete = pairs.complete;
  summary.candidates = pairs.candidates;
  summary.common = pairs.common;
  return summary;
}

}  // namespace akin
