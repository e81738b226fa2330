#include "index/open_catalog.h"

#include <utility>

#include "index/lmdb/catalog.h"
#include "index/pg/catalog.h"

namespace akin {

bool is_database(std::string_view address) noexcept {
  return address.starts_with("postgres://") || address.starts_with("postgresql://");
}

Result<std::shared_ptr<Catalog>> open_catalog(const std::string& address,
                                              std::shared_ptr<const Dictionary> dictionary,
                                              std::string languages, bool create) {
  return is_database(address)
             ? pg::open_catalog(address, std::move(dictionary), std::move(languages), create)
             : open_data_folder(address, std::move(dictionary), std::move(languages), create);
}

}  // namespace akin
