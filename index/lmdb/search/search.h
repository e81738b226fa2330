// Exact search: every document with X > bound, best first.
#pragma once

#include "index/lmdb/documents/reading.h"
#include "index/lmdb/postings/posting_lists.h"
#include "index/store/store.h"

namespace akin {

/// The answer to a request as of the transaction. Errors: as check_request; corrupt.
[[nodiscard]] Result<SearchResult> search(Reading reading, LookUps& look_ups, const SearchRequest& request);

}  // namespace akin
