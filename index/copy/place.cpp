#include "index/copy/place.h"

#include "index/lmdb/collection_folder.h"
#include "index/pg/catalog.h"

namespace akin {

Result<std::unique_ptr<Place>> Place::open(const std::string& address, bool create) {
  return pg::is_database(address) ? open_database(address, create) : open_data_folder(address, create);
}

bool same_identity(const StoreIdentity& one, const StoreIdentity& other) {
  return one.scheme == other.scheme && one.fingerprint == other.fingerprint &&
         one.store_text == other.store_text;
}

Result<void> check_collection_name(const std::string& name) {
  if (is_collection_name(name)) return {};
  return Error{Errc::invalid_argument, "collection '" + name + "'",
               std::string("a name has ") + kCollectionNameRule, "choose another name"};
}

}  // namespace akin
