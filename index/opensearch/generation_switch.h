// Replaces a collection's store in a cluster by another one.
#pragma once

#include <string>

#include "index/collection/generation_switch.h"
#include "index/opensearch/store.h"

namespace akin::opensearch {

/// Copies documents by their revisions, and removals by comparison. Writers wait for the turn that the switch
/// takes. The references must outlive it.
class ClusterSwitch final : public GenerationSwitch {
 public:
  ClusterSwitch(ClusterStore& from, ClusterStore& to, Transfer& transfer)
      : from_(from), to_(to), transfer_(transfer) {}

  [[nodiscard]] Result<void> build() override;
  [[nodiscard]] Result<std::uint64_t> follow() override;
  [[nodiscard]] Result<void> prepare() override;
  [[nodiscard]] Result<Revision> stop_writers() override;
  /// Retires the old store for the new one: from then on what reads the collection's entry takes the new
  /// one.
  [[nodiscard]] Result<void> switch_over() override;
  [[nodiscard]] Store& new_store() override { return to_; }

 private:
  [[nodiscard]] Result<std::uint64_t> follow_writes();
  [[nodiscard]] Result<std::uint64_t> follow_removals(const Snapshot& view);

  ClusterStore& from_;
  ClusterStore& to_;
  Transfer& transfer_;
  Revision seen_;  ///< the last one copied
};

}  // namespace akin::opensearch
