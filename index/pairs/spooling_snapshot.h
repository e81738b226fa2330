// A snapshot of an engine that cannot pass over its posting lists: for all pairs it reads each document once.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "index/pairs/spooled_lists.h"
#include "index/store/store.h"

namespace akin {

/// The first of the members that needs the documents reads all of them into scratch files (SpooledLists),
/// which is half of its progress. Errors of these members also: those of SpooledLists.
class SpoolingSnapshot : public Snapshot {
 public:
  [[nodiscard]] Result<std::vector<CommonFeature>> most_common(
      std::size_t count, std::optional<std::size_t> tier) const override;
  [[nodiscard]] Result<std::uint64_t> number_in_pairs(const StoredDocument& document) const override;
  [[nodiscard]] Result<PairsSummary> pairs(const PairsRequest& request,
                                           const PairVisitor& visit) const override;
  [[nodiscard]] Result<GroupsSummary> groups(const PairsRequest& request,
                                             const GroupVisitor& visit) const override;

 protected:
  using VisitDocument = std::function<Result<bool>(const StoredDocument&, const FeatureSequence&)>;
  /// Calls `visit` for all documents, in the order of their numbers, until it returns false, and returns what
  /// it returned last.
  [[nodiscard]] virtual Result<bool> for_each_document(const VisitDocument& visit) const = 0;

 private:
  /// find(request) once the documents were read, unless that was stopped.
  template <class Summary, class Find>
  [[nodiscard]] Result<Summary> find_spooled(const PairsRequest& wanted, const Find& find) const;
  /// False if it was stopped.
  [[nodiscard]] Result<bool> spool(const PairsRequest& request) const;

  mutable std::optional<SpooledLists> lists_;   ///< all documents, once they were needed
  mutable std::vector<std::uint64_t> numbers_;  ///< theirs, ascending
};

}  // namespace akin
