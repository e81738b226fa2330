// A collection that is copied into a cluster and is invisible until that is finished.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "index/collection/catalog.h"
#include "index/opensearch/client/client.h"

namespace akin::opensearch {

/// As Catalog::begin_copy.
[[nodiscard]] Result<std::unique_ptr<UnfinishedCollection>> continue_copy(
    std::shared_ptr<Client> client, std::string_view name, const StoreIdentity& identity,
    const std::optional<std::string>& packed);

}  // namespace akin::opensearch
