// Replaces a collection's store in PostgreSQL by another one.
#pragma once

#include <string>
#include <string_view>

#include "index/collection/generation_switch.h"
#include "index/pg/store.h"

namespace akin::pg {

/// Copies documents by their revisions, and removals by comparison; a compaction copies them within the
/// database first, if that is possible. Writers wait for the old store's row of
/// akin.stores, which the switch locks. The references must outlive it.
class PgSwitch final : public GenerationSwitch {
 public:
  PgSwitch(Pool& pool, std::string_view collection, const PgStore& from, PgStore& to, Transfer& transfer)
      : pool_(pool), collection_(collection), from_(from), to_(to), transfer_(transfer) {}

  [[nodiscard]] Result<void> build() override;
  [[nodiscard]] Result<std::uint64_t> follow() override;
  [[nodiscard]] Result<void> prepare() override;
  [[nodiscard]] Result<Revision> stop_writers() override;
  /// Error: not_found (the collection has been dropped).
  [[nodiscard]] Result<void> switch_over() override;
  [[nodiscard]] Store& new_store() override { return to_; }

 private:
  [[nodiscard]] Result<std::uint64_t> follow_writes();
  [[nodiscard]] Result<std::uint64_t> follow_removals();

  Pool& pool_;
  const std::string collection_;
  const PgStore& from_;
  PgStore& to_;
  Transfer& transfer_;
  Revision seen_;                             ///< the last one copied
  bool is_packed_ = false;                    ///< the new store, by an inner copy
  std::optional<Pool::Lease> stops_writers_;  ///< its transaction makes them wait
};

/// Makes a store refuse further writes. Waits for the write in progress.
[[nodiscard]] Result<void> retire_store(Connection& connection, StoreNumber store);

}  // namespace akin::pg
