// A collection that is being copied into a database: a store listed in akin.copies.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "index/collection/catalog.h"
#include "index/pg/client/pool.h"

namespace akin::pg {

/// As Catalog::begin_copy.
[[nodiscard]] Result<std::unique_ptr<UnfinishedCollection>> begin_tables(
    const std::shared_ptr<Pool>& pool, std::string_view name, const StoreIdentity& identity,
    const std::optional<std::string>& packed);

}  // namespace akin::pg
