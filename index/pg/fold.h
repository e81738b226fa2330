// Recent postings made compact, on one server.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/names.h"
#include "index/pg/segments.h"

namespace akin::pg {

/// What a server holds of a store.
struct PostingSizes {
  std::uint64_t rows = 0;                ///< postings in rows of their own
  std::map<int, std::uint64_t> compact;  ///< level → postings
};
[[nodiscard]] Result<PostingSizes> read_posting_sizes(Connection& connection, StoreNumber store);

struct Fold {
  int level = 0;            ///< of the rows that it makes
  std::vector<int> merged;  ///< levels whose rows are made anew, besides the postings in rows of their own
  std::int64_t hot = kHotDocuments;  ///< features with so many documents keep rows of their own
};

/// What should be done: levels are merged that are not four times as large as all that is smaller, or all;
/// nothing (level 0) where there is little.
[[nodiscard]] Fold plan_fold(const PostingSizes& sizes, bool everything);

/// Does it in the connection's transaction; searches see postings before or after. Postings of `gone`
/// documents are left out of what is made compact.
[[nodiscard]] Result<void> fold_postings(Connection& connection, StoreNumber store, const Fold& fold,
                                         std::span<const std::int64_t> gone);

}  // namespace akin::pg
