// Replaces a collection's store in PostgreSQL by another one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "index/collection/generation_switch.h"
#include "index/pg/store.h"

namespace akin::pg {

/// A compaction copies within the database first, if that is possible. Writers wait for the old store's row
/// of akin.stores, which the switch locks.
class PgSwitch final : public CopyingSwitch {
 public:
  PgSwitch(Pool& pool, std::string_view collection, const PgStore& from, PgStore& to, Transfer& transfer)
      : CopyingSwitch(from, to, transfer),
        pool_(pool),
        collection_(collection),
        old_(from.number()),
        new_(to.number()) {}

  [[nodiscard]] Result<void> build() override;
  [[nodiscard]] Result<void> prepare() override;
  [[nodiscard]] Result<Revision> stop_writers() override;
  /// Error: not_found (the collection has been dropped).
  [[nodiscard]] Result<void> switch_over() override;

 private:
  [[nodiscard]] Result<std::uint64_t> follow_removals(const Snapshot& view) override;

  Pool& pool_;
  const std::string collection_;
  const StoreNumber old_, new_;
  bool is_packed_ = false;                   ///< the new store, by an inner copy
  std::optional<Pool::Loan> stops_writers_;  ///< its transaction makes them wait
};

/// Makes a store refuse further writes. Waits for the write in progress.
[[nodiscard]] Result<void> retire_store(Connection& connection, StoreNumber store);

}  // namespace akin::pg
