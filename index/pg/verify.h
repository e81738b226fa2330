// Checks what a PostgreSQL store holds.
#pragma once

#include <functional>

#include "index/pg/connection.h"
#include "index/pg/schema.h"
#include "index/store.h"

namespace akin::pg {

/// Who is told of a verification; either may be empty.
struct VerifyListener {
  const std::function<void(const Finding&)>& report;
  const std::function<void(std::uint64_t, std::uint64_t)>& progress;
};

/// As Snapshot::verify, as of the connection's transaction: records, texts, sequences, postings and counters
/// against each other.
[[nodiscard]] Result<std::uint64_t> verify_store(Connection& connection, StoreNumber store, bool store_text,
                                                 const VerifyListener& listener);

}  // namespace akin::pg
