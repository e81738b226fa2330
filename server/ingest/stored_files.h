// Which files a collection already has the documents of.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "index/collection/collection.h"

namespace akin::ingest {

/// Any thread.
class StoredFiles {
 public:
  /// `collection` must outlive it.
  explicit StoredFiles(const Collection& collection) noexcept : collection_(collection) {}

  /// The file that the document with this id was read from, as of a second ago or later; nothing if there is
  /// no such document, or its file is not known. Errors: as Collection::snapshot and Snapshot::find.
  [[nodiscard]] Result<std::optional<FileOrigin>> find(std::string_view id);

  /// Closes the snapshot that `find` keeps open, so that its pages can be reused. `find` opens another.
  void close();

 private:
  using Clock = std::chrono::steady_clock;

  const Collection& collection_;
  std::mutex mutex_;  ///< guards the rest
  std::unique_ptr<Snapshot> snapshot_;
  Clock::time_point opened_;
};

}  // namespace akin::ingest
