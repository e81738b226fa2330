// Reads one document's parts inside a transaction. Every function: corrupt when what is stored breaks the
// format.
#pragma once

#include <string>
#include <string_view>

#include "index/store.h"
#include "index/tables.h"

namespace akin {

/// A transaction and the tables to read in it; a pair that the reading functions hand on. Dies with the
/// transaction.
struct Reading {
  const lmdb::Txn& txn;
  const Tables& tables;
};

[[nodiscard]] Result<DocumentRecord> read_record(Reading reading, DocNumber number);
[[nodiscard]] Result<std::string> read_text(Reading reading, DocNumber number, const DocumentRecord& record);
[[nodiscard]] Result<FeatureSequence> read_sequence(Reading reading, DocNumber number);
/// Bytes of the text as it is stored.
[[nodiscard]] Result<std::uint64_t> read_stored_text_bytes(Reading reading, DocNumber number);

}  // namespace akin
