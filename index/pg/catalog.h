// Collections in a PostgreSQL database.
#pragma once

#include <memory>
#include <string>

#include "index/collection/catalog.h"
#include "index/collection/dictionaries.h"

namespace akin::pg {

/// The collections of a database, which any number of akin processes on any number of machines may use at
/// once. As Catalog, with these differences:
/// - A generation that was replaced is dropped ten minutes later at the earliest, so that processes that
///   have opened it can finish reading.
/// - `compact` rebuilds the lists of frequent features and the statistics; the database reuses the space of
///   removed documents.
/// - `backup` and `restore` are `unsupported`: use pg_dump and pg_restore with the schema akin.
///
/// Errors of all members also: those of Connection. `create` makes the schema if it is missing.
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_catalog(const std::string& conninfo,
                                                            std::shared_ptr<Dictionaries> dictionaries,
                                                            bool create);

}  // namespace akin::pg
