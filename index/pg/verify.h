// Verifies the contents of a PostgreSQL store.
#pragma once

#include "index/pg/client/look_ups.h"
#include "index/pg/documents/content_reader.h"
#include "index/pg/tables/names.h"
#include "index/store/document_check.h"
#include "index/store/store.h"

namespace akin::pg {

struct VerifySubject {
  StoreNumber store{};
  const StoreIdentity& identity;
  const ContentReader& contents;
};

/// As Snapshot::verify, as of a transaction: directory, texts, sequences, postings and counters against each
/// other.
[[nodiscard]] Result<std::uint64_t> verify_store(LookUps& look_ups, const VerifySubject& subject,
                                                 const VerifyListener& listener);

}  // namespace akin::pg
