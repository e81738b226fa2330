// The table of feature sequences: chunks under the number of their first document.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "index/codec/posting.h"
#include "index/codec/sequence_codec.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// The encoded sequence of a document, empty if there is none. Dies with the transaction's next change.
/// Error: corrupt (the chunk cannot be read).
[[nodiscard]] Result<std::string_view> find_sequence(const lmdb::Txn& txn, const Tables& tables,
                                                     DocNumber document);

/// Puts sequences of documents that have none, numbers ascending, several to a chunk if they are short.
[[nodiscard]] Result<void> put_sequences(lmdb::WriteTxn& txn, const Tables& tables,
                                         std::span<const std::pair<DocNumber, std::string_view>> sequences);

/// Removes a document's sequence. A chunk that cannot be read is not changed.
[[nodiscard]] Result<void> erase_sequence(lmdb::WriteTxn& txn, const Tables& tables, DocNumber document);

/// Packs chunks of documents in [from, to) more densely, reading at most `limit` bytes; returns the document
/// at which to continue, `to` when done. A chunk that cannot be read is not changed.
[[nodiscard]] Result<DocNumber> repack_sequences(lmdb::WriteTxn& txn, const Tables& tables, DocNumber from,
                                                 DocNumber to, std::size_t limit);

}  // namespace akin
