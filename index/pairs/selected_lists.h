// The posting lists of some documents.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "index/pairs/list_stream.h"

namespace akin {

/// The lists of another source with the documents of PairsRequest::only, without the lists that none of them
/// is in.
class SelectedLists final : public ListSource {
 public:
  /// Both must outlive it.
  SelectedLists(const ListSource& all, const std::vector<bool>& only) noexcept : all_(all), only_(only) {}

  [[nodiscard]] std::uint64_t document_limit() const noexcept override { return all_.document_limit(); }
  [[nodiscard]] Result<std::unique_ptr<ListStream>> lists() const override;

 private:
  class Stream;

  const ListSource& all_;
  const std::vector<bool>& only_;
};

}  // namespace akin
