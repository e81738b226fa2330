// A complete write into a PostgreSQL store: content first, then the directory, in one transaction.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "index/pg/client/pool.h"
#include "index/pg/documents/batch.h"

namespace akin::pg {

/// The contents of a write.
struct Writing {
  std::vector<const PreparedDocument*> documents = {};  ///< that `body` may put
  std::vector<std::string_view> ids = {};               ///< that `body` refers to
  bool rehearse = false;  ///< `body` may refuse: run it before anything is written. It then runs twice.
  std::function<Result<void>(Batch&)> body = {};
};

/// The work that a write leaves to merge_store.
struct Written {
  std::uint64_t gone = 0;       ///< documents whose content must be erased
  std::uint64_t postings = 0;   ///< of the documents that were put
  std::uint64_t documents = 0;  ///< in the store now
};

/// Writes the changes that `body` makes, all or none.
[[nodiscard]] Result<Written> write_documents(Pool& pool, StoreNumber store, const Writing& writing);

}  // namespace akin::pg
