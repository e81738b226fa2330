// Groups of duplicates that a gate admitted: stored by their ids, which never change, and changed only by
// admissions and by people.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/state/state.h"

namespace akin::gate {

/// The ids of documents, in the order of their arrival. The id of a removed document stays until the next
/// change of its group.
struct Group {
  std::string id;  ///< "group-" and 16 hex digits
  std::vector<std::string> documents;
};

/// Whether a collection has the document with an id.
using IsStored = std::function<Result<bool>(std::string_view id)>;

/// The groups of all collections. A document is in at most one group. Members may be called from any number
/// of threads.
class Groups {
 public:
  explicit Groups(std::shared_ptr<state::State> state) noexcept : state_(std::move(state)) {}

  /// Error: not_found.
  [[nodiscard]] Result<Group> get(std::string_view collection, std::string_view id) const;
  /// The group that a document is in.
  [[nodiscard]] Result<std::optional<Group>> of(std::string_view collection, std::string_view document) const;
  /// Up to `limit` groups with ids after `after`, in byte order.
  [[nodiscard]] Result<std::vector<Group>> list(std::string_view collection, std::string_view after,
                                                std::size_t limit) const;
  [[nodiscard]] Result<std::uint64_t> count(std::string_view collection) const;

  /// Makes a group from documents that are in none. Durable when it returns, like every change.
  [[nodiscard]] Result<Group> make(std::string_view collection, const std::vector<std::string>& documents);
  /// Adds a document that is in no group, and drops documents that are no longer stored.
  [[nodiscard]] Result<Group> add(std::string_view collection, std::string_view group,
                                  std::string_view document, const IsStored& is_stored);
  /// Moves documents of a group into a new one. Errors: not_found (the group); invalid_argument (a document
  /// that is not in it, or all of them, or none).
  [[nodiscard]] Result<std::pair<Group, Group>> split(std::string_view collection, std::string_view group,
                                                      const std::vector<std::string>& documents);
  /// Removes one document from its group, if it is in one.
  [[nodiscard]] Result<void> leave(std::string_view collection, std::string_view document);
  /// Removes all groups of a collection that is dropped.
  [[nodiscard]] Result<void> forget(std::string_view collection);

 private:
  std::shared_ptr<state::State> state_;
};

}  // namespace akin::gate
