// Chooses the engine by the address of the collections.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "index/collection/catalog.h"
#include "index/collection/dictionaries.h"

namespace akin {

/// Whether an address is a connection string of PostgreSQL, "postgres://…", "postgresql://…" or libpq's
/// keywords, "host=… dbname=…".
[[nodiscard]] bool is_database(std::string_view address);
/// Whether an address is that of a cluster of OpenSearch or Elasticsearch, "opensearch+https://…". What is
/// neither is a folder.
[[nodiscard]] bool is_cluster(std::string_view address);

/// Whether a place is written as an address, of whatever kind, and so does not name a folder.
[[nodiscard]] inline bool is_address(std::string_view place) { return place.find("://") != place.npos; }

/// Opens (and with `create` makes) a data folder, or akin's schema in a database, or its indices in a
/// cluster. As open_data_folder, pg::open_catalog and opensearch::open_catalog.
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_catalog(const std::string& address,
                                                            std::shared_ptr<Dictionaries> dictionaries,
                                                            bool create, const CatalogOptions& options = {});

}  // namespace akin
