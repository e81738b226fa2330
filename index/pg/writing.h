// A write into a PostgreSQL store from beginning to end: content first, then the directory.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "index/pg/batch.h"
#include "index/pg/parts.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// What is to be written.
struct Writing {
  std::vector<const PreparedDocument*> documents = {};  ///< that `body` may put
  std::vector<std::string_view> ids = {};               ///< that `body` speaks of
  bool rehearse = false;  ///< `body` may refuse: ask it before anything is written. It then runs twice.
  std::function<Result<void>(Batch&)> body = {};
};

/// Writes what `body` makes of the documents, all of that or nothing. Where the content is in the store's own
/// database, one transaction does it. Otherwise three steps, each durable before the next begins: the
/// documents get numbers, which are noted as being written; content is written on the shards, one transaction
/// on each; one transaction on the coordinator puts the documents into the directory. What is cut short
/// before the last leaves content that nobody sees, and that erase_gone erases. Returns how many documents'
/// content is now to be erased.
[[nodiscard]] Result<std::size_t> write_documents(Pool& pool, const Parts& parts, StoreNumber store,
                                                  const Writing& writing);

}  // namespace akin::pg
