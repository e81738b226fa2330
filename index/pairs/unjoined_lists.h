// The posting lists that can still join groups of documents.
#pragma once

#include <cstdint>
#include <memory>
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

/// The lists of another source without further copies and without the lists whose documents are all in one
/// group at the time: no two documents of different groups share those.
class UnjoinedLists final : public ListSource {
 public:
  /// All of them must outlive it; groups may be joined between passes.
  UnjoinedLists(const ListSource& all, const FurtherCopies& copies, DisjointSets& groups) noexcept
      : all_(all), copies_(copies), groups_(groups) {}

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return all_.document_limit(); }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;

 private:
  class Stream;

  const ListSource& all_;
  const FurtherCopies& copies_;
  DisjointSets& groups_;
};

}  // namespace akin
