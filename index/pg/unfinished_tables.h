// A collection of a database on its way: a store that is noted in akin.copies.
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
