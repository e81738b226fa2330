// The location of a store's content.
#pragma once

#include <memory>
#include <vector>

#include "index/pg/names.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// The parts of a store's content, at least one. They are on shards, or part 0 is the only one and in the
/// store's own database. A document belongs to the part that PostgreSQL's hash partitioning gives to its
/// number.
class Parts {
 public:
  /// `pool`: of the store's own database; it must outlive the result. A role that may not read akin.shards
  /// gets their number, and reads through the coordinator only.
  [[nodiscard]] static Result<Parts> read(Connection& connection, Pool& pool, StoreNumber store);

  /// Whether the content is in the store's own database.
  [[nodiscard]] bool is_local() const noexcept { return shards_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return is_local() ? 1 : shards_.size(); }
  /// 0 if the content is in the store's own database.
  [[nodiscard]] std::size_t shards() const noexcept { return shards_.size(); }
  /// Whether the content is on shards that this role may connect to.
  [[nodiscard]] bool is_reachable() const noexcept { return !is_local() && shards_.front() != nullptr; }
  /// A direct connection to the server of a part. Errors name the part; also: forbidden.
  [[nodiscard]] Result<Pool::Lease> lease(std::size_t part) const;

 private:
  explicit Parts(Pool& own) noexcept : own_(&own) {}

  Pool* own_;
  std::vector<std::shared_ptr<Pool>> shards_;
};

}  // namespace akin::pg
