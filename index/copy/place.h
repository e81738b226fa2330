// Where collections are kept, as those who copy them see it: a data folder, or a database. Features are taken
// over as they are stored, so no dictionary is needed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "index/store.h"

namespace akin {

/// A collection that is there.
struct PlacedStore {
  std::shared_ptr<Store> store;
  std::optional<Time> expires;
};

/// A collection that nobody sees until it is finished. What was put into it stays if the process ends before
/// that. One process at a time works on it.
class UnfinishedStore {
 public:
  virtual ~UnfinishedStore() = default;
  [[nodiscard]] virtual Store& store() const noexcept = 0;
  /// From now on it is the collection of its name. Durable when it returns; call once, and the store no more.
  /// Error: already_exists.
  [[nodiscard]] virtual Result<void> finish(const std::optional<Time>& expires) = 0;
};

class Place {
 public:
  /// A path, or postgres://… . `create` makes what is missing. Errors: not_found; those of either.
  [[nodiscard]] static Result<std::unique_ptr<Place>> open(const std::string& address, bool create);
  virtual ~Place() = default;

  /// Names in byte order.
  [[nodiscard]] virtual Result<std::vector<std::string>> list() const = 0;
  /// Nothing if there is no collection by this name.
  [[nodiscard]] virtual Result<std::optional<PlacedStore>> find(const std::string& name) const = 0;
  /// Goes on with what an earlier process left unfinished under this name, if it has this identity; else
  /// begins anew. Errors: busy (another process works on it), invalid_argument (the name).
  [[nodiscard]] virtual Result<std::unique_ptr<UnfinishedStore>> begin(const std::string& name,
                                                                       const StoreIdentity& identity) = 0;
};

/// A place in a folder, DIR/collections; what is unfinished is in DIR/collections/.copying-NAME.
[[nodiscard]] Result<std::unique_ptr<Place>> open_data_folder(const std::string& folder, bool create);
/// A place in a database; what is unfinished is noted in its table akin.copies.
[[nodiscard]] Result<std::unique_ptr<Place>> open_database(const std::string& conninfo, bool create);

/// Whether features, texts and all that belongs to documents mean the same in both.
[[nodiscard]] bool same_identity(const StoreIdentity& one, const StoreIdentity& other);

/// Error: invalid_argument.
[[nodiscard]] Result<void> check_collection_name(const std::string& name);

}  // namespace akin
