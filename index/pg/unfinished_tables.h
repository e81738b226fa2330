// A collection that is being copied into a database: a store listed in akin.copies.
#pragma once

#include <memory>
#include <string_view>

#include "index/catalog.h"
#include "index/pg/pool.h"

namespace akin::pg {

/// As Catalog::begin_copy.
[[nodiscard]] Result<std::unique_ptr<UnfinishedCollection>> begin_tables(const std::shared_ptr<Pool>& pool,
                                                                         std::string_view name,
                                                                         const StoreIdentity& identity);

}  // namespace akin::pg
