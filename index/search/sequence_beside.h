// Compares a stored sequence, whose features may lack their last bits, with the features of a query. Only the
// postings have these bits; they are needed just where both may share a feature.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "index/codec/sequence_codec.h"

namespace akin {

class SequenceBeside {
 public:
  /// `query`: its features, perhaps repeated; they must outlive this.
  SequenceBeside(StoredSequence stored, std::span<const Feature> query);

  /// The sequence, if the document has every feature of possible(): then X is `x`, its true value. Nothing if
  /// X would be another.
  [[nodiscard]] std::optional<FeatureSequence> sharing(std::uint64_t x) const;
  /// The query's features whose leading bits occur in the document, ascending: it can share no others.
  [[nodiscard]] std::vector<Feature> possible() const;
  /// The sequence, if `has` says which features of possible() the document has. Each feature that the query
  /// does not have is replaced by another one that it does not have.
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
