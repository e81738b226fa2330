// The features of a few texts in memory, as posting lists for finding all pairs.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "index/pairs/list_stream.h"

namespace akin::evaluate {

/// Document i is the i-th of the sequences given.
class FeatureLists final : public ListSource {
 public:
  explicit FeatureLists(const std::vector<std::vector<Feature>>& documents);

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return documents_; }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;

 private:
  std::uint64_t documents_;
  std::vector<std::pair<Feature, DocNumber>> occurrences_;  ///< ascending
};

}  // namespace akin::evaluate
