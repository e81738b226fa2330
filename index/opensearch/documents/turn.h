// The changes that are made in one turn of writing (head.h).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "index/opensearch/documents/head.h"
#include "index/store/change.h"
#include "index/write/directory_changes.h"

namespace akin::opensearch {

/// Sends lines of a bulk request of the engine, and empties them.
using SendLines = std::function<Result<void>(std::string& lines)>;

/// Adds a line that erases a document of the engine.
void add_erasure(std::string& lines, const std::string& id);

/// A batch for write_in. One thread.
class Turn : public DirectoryChanges {
 public:
  /// For these changes, which must outlive this, in the turn of the head.
  Turn(std::span<const std::span<Change>> writes, const Head& head);

  /// Reads which of the documents exist.
  [[nodiscard]] Result<void> look_up(const StoreIndex& index, const Head& head);
  /// Adds the documents that exist by this turn to the lines of a request; sends them when they are many.
  [[nodiscard]] Result<void> write(std::string& lines, const SendLines& send) const;
  /// Adds to a state the documents that no longer exist.
  void add_gone(StoreState& state) const;

 private:
  [[nodiscard]] Result<void> take(const Json& hit);
  [[nodiscard]] Result<void> add(const Known& one, std::string& lines, const SendLines& send) const;

  const std::int64_t turn_;
  std::vector<std::string> ids_;  ///< ascending
  std::vector<std::uint64_t> revisions_;
  std::unordered_map<std::int64_t, std::vector<std::string>> further_ids_;  ///< of those that existed before
};

}  // namespace akin::opensearch
