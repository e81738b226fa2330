// Copies a store into another one within its database: no document passes through akin.
#pragma once

#include "index/collection/transfer.h"
#include "index/pg/client/pool.h"
#include "index/pg/tables/schema.h"
#include "index/store/store.h"

namespace akin::pg {

/// `to` is empty and has the identity of `from`.
struct StoreCopy {
  StoreNumber from{}, to{};
};

/// Whether copy_inside can copy: the numbers of the documents leave as many for others.
[[nodiscard]] Result<bool> can_copy_inside(Pool& pool, const StoreCopy& stores);

/// Copies the documents that `from` has at some moment during the call, and returns its last revision of that
/// moment. Documents keep their numbers; their records, texts, files and sequences are copied as they are,
/// whether they can be decoded or not. Their postings are packed as a merge of everything packs them. Errors
/// also: corrupt (damaged postings, or documents without content), unsupported (stopped).
[[nodiscard]] Result<Revision> copy_inside(Pool& pool, const StoreCopy& stores, Transfer& transfer);

}  // namespace akin::pg
