// Collections in a PostgreSQL database.
#pragma once

#include <memory>
#include <string>

#include "index/catalog.h"

namespace akin::pg {

/// The collections of a database, which any number of akins on any number of machines may use at once. As
/// Catalog, but for these:
/// - A generation that was replaced is dropped no sooner than ten minutes later: who has opened it goes on
/// reading.
/// - `compact` writes hints and statistics anew; the space of removed documents is the database's to reuse.
/// - `backup` and `restore` are `unsupported`: pg_dump and pg_restore of the schema akin do it.
/// Errors of all members also: those of Connection. `create` makes what is missing in the database.
[[nodiscard]] Result<std::shared_ptr<Catalog>> open_catalog(const std::string& conninfo,
                                                            std::shared_ptr<const Dictionary> dictionary,
                                                            std::string languages, bool create);

}  // namespace akin::pg
