// Collections in a cluster of OpenSearch or Elasticsearch.
#pragma once

#include <memory>
#include <string>

#include "index/collection/catalog.h"
#include "index/collection/dictionaries.h"

namespace akin::opensearch {

/// The collections under a prefix, which any number of akin processes on any number of machines may use at
/// once. As Catalog, with these differences:
/// - A generation that was replaced is dropped ten minutes later at the earliest, so that processes that have
///   opened it can finish reading.
/// - `compact` erases what was removed, and has the engine merge what it left.
/// - `backup` and `restore` are `unsupported`: the cluster has snapshots of its own.
///
/// Errors of all members also: those of Client. `create` makes the catalog's index if it is missing.
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_catalog(const std::string& address,
                                                            std::shared_ptr<Dictionaries> dictionaries,
                                                            bool create);

}  // namespace akin::opensearch
