// Verifies the contents of a PostgreSQL store.
#pragma once

#include <functional>

#include "index/pg/pool.h"
#include "index/pg/posting_rows.h"
#include "index/store.h"

namespace akin::pg {

/// Callbacks of a verification; either may be empty.
struct VerifyListener {
  const std::function<void(const Finding&)>& report;
  const std::function<void(std::uint64_t, std::uint64_t)>& progress;
};

struct VerifySubject {
  PostingTables tables;
  bool store_text = true;   ///< the store keeps texts
  bool with_words = false;  ///< and may keep the words of long ones
};

/// As Snapshot::verify, as of the connection's transaction: directory, texts, sequences, postings and
/// counters against each other. The pool is the connection's, to look up what has been written since.
[[nodiscard]] Result<std::uint64_t> verify_store(Connection& connection, Pool& pool,
                                                 const VerifySubject& subject,
                                                 const VerifyListener& listener);

}  // namespace akin::pg
