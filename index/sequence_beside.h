// A stored sequence beside the features of a query: exact where they share features, without its other
// features' last bits, which only the postings have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "index/sequence_codec.h"

namespace akin {

class SequenceBeside {
 public:
  /// `query`: its features, perhaps repeated; they must outlive this.
  SequenceBeside(StoredSequence stored, std::span<const Feature> query);

  /// The sequence as if the document had all features that it seems to share; nothing if it shares another
  /// number with the query than `x`, the true one.
  [[nodiscard]] std::optional<FeatureSequence> sharing(std::uint64_t x) const;
  /// The features of the query that have the leading bits of one of the document's, ascending. It has no
  /// others of them.
  [[nodiscard]] std::vector<Feature> possible() const;
  /// The sequence, if the document has those of possible() for which `has` is true: exact where it shares
  /// features with the query; elsewhere the hashes are ones that the query does not have.
  [[nodiscard]] FeatureSequence complete(const std::function<bool(Feature)>& has) &&;

 private:
  [[nodiscard]] std::uint64_t leading_of(Feature feature) const noexcept;
  [[nodiscard]] std::span<const Feature> with_leading(Feature leading) const noexcept;
  [[nodiscard]] Feature other_with_leading(Feature leading) const noexcept;

  StoredSequence stored_;
  std::span<const Feature> query_;
  std::vector<Feature> asked_;  ///< the query's, distinct, ascending
};

}  // namespace akin
