// The tables of texts and of feature sequences: chunks of several documents under the number of the first.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/codec/document_chunk.h"
#include "index/codec/posting.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/tables.h"

namespace akin {

/// One of the two tables.
struct Chunked {
  lmdb::Table table;
  std::size_t most = 0;   ///< bytes of a chunk
  std::string_view what;  ///< of a document it has, for errors
};
[[nodiscard]] Chunked sequences_of(const Tables& tables) noexcept;
[[nodiscard]] Chunked texts_of(const Tables& tables) noexcept;

/// The value of a document, empty if there is none. Dies with the transaction's next change. Error: corrupt
/// (the chunk cannot be read).
[[nodiscard]] Result<std::string_view> find_part(const lmdb::Txn& txn, const Chunked& chunked,
                                                 DocNumber document);

/// Puts values of documents that have none, numbers ascending, several to a chunk if they are short.
[[nodiscard]] Result<void> put_parts(lmdb::WriteTxn& txn, const Chunked& chunked,
                                     const DocumentChunk::Parts& parts);

/// Removes the values of documents, in any order. A chunk that cannot be read is not changed.
[[nodiscard]] Result<void> erase_parts(lmdb::WriteTxn& txn, const Chunked& chunked,
                                       std::vector<DocNumber> documents);

/// Packs chunks of documents in [from, to) more densely, reading at most `limit` bytes; returns the document
/// at which to continue, `to` when done. A chunk that cannot be read is not changed.
[[nodiscard]] Result<DocNumber> repack_parts(lmdb::WriteTxn& txn, const Chunked& chunked, DocNumber from,
                                             DocNumber to, std::size_t limit);

}  // namespace akin
