// Verifies the contents of a PostgreSQL store.
#pragma once

#include <functional>

#include "index/pg/client/look_ups.h"
#include "index/pg/tables/names.h"
#include "index/store/store.h"

namespace akin::pg {

/// Callbacks of a verification; either may be empty.
struct VerifyListener {
  const std::function<void(const Finding&)>& report;
  const std::function<void(std::uint64_t, std::uint64_t)>& progress;
};

struct VerifySubject {
  StoreNumber store{};
  const StoreIdentity& identity;
};

/// As Snapshot::verify, as of a transaction: directory, texts, sequences, postings and counters against each
/// other.
[[nodiscard]] Result<std::uint64_t> verify_store(LookUps& look_ups, const VerifySubject& subject,
                                                 const VerifyListener& listener);

}  // namespace akin::pg
