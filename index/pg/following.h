// Copies what is written into one store to another that will replace it.
#pragma once

#include <cstdint>

#include "index/pg/store.h"
#include "index/transfer.h"

namespace akin::pg {

/// Copies documents with a later revision than seen before, and removals. The references must outlive it.
class Following {
 public:
  Following(Pool& pool, const PgStore& from, PgStore& to, Transfer& transfer, Revision seen)
      : pool_(pool), from_(from), to_(to), transfer_(transfer), seen_(seen) {}

  /// Copies what has been written so far; returns the number of documents. Error: unsupported (stopped).
  [[nodiscard]] Result<std::uint64_t> round();

 private:
  [[nodiscard]] Result<std::uint64_t> follow_removals();

  Pool& pool_;
  const PgStore& from_;
  PgStore& to_;
  Transfer& transfer_;
  Revision seen_;
};

}  // namespace akin::pg
