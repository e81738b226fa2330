#include "index/open_catalog.h"

#include <utility>

#include "index/lmdb/catalog.h"
#include "index/opensearch/catalog.h"
#include "index/opensearch/client/address.h"
#include "index/pg/catalog.h"
#include "index/pg/client/conninfo.h"

namespace akin {

bool is_database(std::string_view address) {
  if (address.starts_with("postgres://") || address.starts_with("postgresql://")) return true;
  const auto options = pg::parse_conninfo(std::string(address));
  return options.has_value() && !options->empty();
}

bool is_cluster(std::string_view address) { return opensearch::is_cluster(address); }

Result<std::shared_ptr<Catalog>> open_catalog(const std::string& address,
                                              std::shared_ptr<Dictionaries> dictionaries, bool create,
                                              const CatalogOptions& options) {
  if (is_cluster(address)) return opensearch::open_catalog(address, std::move(dictionaries), create);
  return is_database(address) ? pg::open_catalog(address, std::move(dictionaries), create)
                              : open_data_folder(address, std::move(dictionaries), create, options);
}

}  // namespace akin
