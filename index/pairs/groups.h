// Clusters of documents that pairs join: union-find over document numbers.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"
#include "index/codec/posting.h"
#include "index/pairs/list_stream.h"
#include "index/store/pair_request.h"

namespace akin {

class TextCopies;

/// Connected components of documents. Four bytes per document.
class DocumentGroups {
 public:
  /// Documents numbered below `documents`, each alone.
  explicit DocumentGroups(std::uint32_t documents) : sets_(documents) {}
  explicit DocumentGroups(DisjointSets sets) : sets_(std::move(sets)) {}

  /// Merges the groups of two documents.
  void join(DocNumber a, DocNumber b) noexcept;
  [[nodiscard]] DisjointSets& sets() noexcept { return sets_; }

  /// The groups of at least two documents, the largest first, equally large ones in the order of their first
  /// documents. Each lists its documents in the order of `documents`, which contains every document once.
  [[nodiscard]] std::vector<std::vector<DocNumber>> arranged(std::span<const DocNumber> documents);

 private:
  DisjointSets sets_;
};

/// The order and the ids with which groups of a snapshot's documents are reported.
struct GroupNames {
  std::function<Result<std::vector<DocNumber>>()> in_order_of_ids;  ///< all of them, in byte order
  std::function<Result<std::string>(DocNumber)> id_of;
};

/// As Snapshot::groups, over a snapshot's lists. Documents that are known to be in one group are not
/// compared, nor those with the same features as two others: memory for 12 bytes per document on top of
/// find_pairs.
[[nodiscard]] Result<GroupsSummary> find_groups(const ListSource& lists, const PairsRequest& request,
                                                const GroupNames& names, const GroupVisitor& visit);

/// Groups of documents by their ids, which it holds.
class NamedGroups {
 public:
  /// Merges the groups of two documents.
  void join(std::string_view a, std::string_view b);
  /// Whether two documents are in one group.
  [[nodiscard]] bool are_joined(std::string_view a, std::string_view b);
  /// Visits the groups of at least two documents: the largest first, equally large ones by their first ids.
  [[nodiscard]] Result<GroupsSummary> visit(const GroupVisitor& visit) const;

 private:
  [[nodiscard]] std::uint32_t number_of(std::string_view id);

  DisjointSets sets_{0};
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<std::string> ids_;
};

/// Visits pairs of documents.
using FindPairs = std::function<Result<PairsSummary>(const PairVisitor& visit)>;
/// As Snapshot::groups, of the pairs that `find` visits, and then of the copies. Holds their ids.
[[nodiscard]] Result<GroupsSummary> group_pairs(const FindPairs& find, const GroupVisitor& visit,
                                                const TextCopies* copies = nullptr);

}  // namespace akin
