// Bringing what is written into one store over to another that is to take its place.
#pragma once

#include <cstdint>

#include "index/pg/store.h"
#include "index/transfer.h"

namespace akin::pg {

/// Follows what has a later revision than was seen, and what is gone. The references must outlive it.
class Following {
 public:
  Following(Pool& pool, const PgStore& from, PgStore& to, Transfer& transfer, std::uint64_t seen)
      : pool_(pool), from_(from), to_(to), transfer_(transfer), seen_(seen) {}

  /// Brings over what has been written by now; returns how many documents that were. Error: unsupported
  /// (stopped).
  [[nodiscard]] Result<std::uint64_t> round();

 private:
  [[nodiscard]] Result<std::uint64_t> follow_removals();

  Pool& pool_;
  const PgStore& from_;
  PgStore& to_;
  Transfer& transfer_;
  std::uint64_t seen_;
};

}  // namespace akin::pg
