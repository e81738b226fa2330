// Where the content of a store is.
#pragma once

#include <memory>
#include <vector>

#include "index/pg/names.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// The parts of a store's content, each with a server of its own; or none: it is in the store's own database.
/// A document belongs to the part that PostgreSQL's hash partitioning gives to its number.
class Parts {
 public:
  /// A role that may not read akin.shards learns how many there are, and reads through the coordinator alone.
  [[nodiscard]] static Result<Parts> read(Connection& connection, Pool& pool, StoreNumber store);

  [[nodiscard]] bool is_local() const noexcept { return pools_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return pools_.size(); }
  /// A connection to the server of a part, of akin's own. Errors name the part; also: forbidden.
  [[nodiscard]] Result<Pool::Lease> lease(std::size_t part) const;

 private:
  std::vector<std::shared_ptr<Pool>> pools_;
};

}  // namespace akin::pg
