// What can still join groups of documents.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/disjoint_sets.h"
#include "index/pairs/list_stream.h"

namespace akin {

/// Documents with the same features as two earlier ones: what shares features with them shares as many with
/// the two.
class FurtherCopies {
 public:
  /// One pass over all lists; 20 bytes per document meanwhile, 4 afterwards. Two different multisets of
  /// features are taken for the same with a probability of 2^-128. Error: corrupt.
  [[nodiscard]] static Result<FurtherCopies> find(const ListSource& lists);

  [[nodiscard]] bool contains(DocNumber document) const noexcept {
    const auto number = static_cast<std::uint32_t>(document);
    return second_[number] != number;
  }
  /// Joins each of them to the second, if that is joined to the first.
  void join(DisjointSets& groups) const noexcept;

 private:
  std::vector<std::uint32_t> second_;  ///< of a further copy: the second; of others: themselves
};

/// Leaves no further copies, and none of the lists whose documents are all in one group at the time: no two
/// documents of different groups share those. Both must outlive it; groups may be joined between passes.
struct Unjoined {
  const FurtherCopies& copies;
  DisjointSets& groups;

  [[nodiscard]] bool keeps(DocNumber document) const noexcept { return !copies.contains(document); }
  [[nodiscard]] bool takes(std::span<const DocNumber> documents) const noexcept;
};

}  // namespace akin
