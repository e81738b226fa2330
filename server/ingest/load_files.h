// Files into a collection, in batches of bounded size.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/collection.h"
#include "server/ingest/walk.h"

namespace akin::ingest {

struct LoadResult {
  std::uint64_t stored = 0;    ///< documents now in the collection
  std::uint64_t replaced = 0;  ///< of them, those whose id was there before
  std::uint64_t bytes = 0;     ///< of text stored
  std::vector<Error> refused;  ///< one per file that was not stored, `what` names the file
  bool interrupted = false;
};

struct LoadRequest {
  const std::vector<InputFile>* files = nullptr;
  std::uint64_t memory = 0;                 ///< BulkOptions::memory
  std::string title;                        ///< for a single file; empty = the file's name without extension
  const std::atomic<bool>* stop = nullptr;  ///< set: the batches at hand are finished, no other is begun
  std::function<void(std::uint64_t documents_done, std::uint64_t bytes_done)> progress;
};

/// bulk_load of files. A file that cannot be read, is not UTF-8, or is refused by the collection is told in
/// `refused`, and the others go on.
[[nodiscard]] Result<void> load_files(Collection& collection, const LoadRequest& request, LoadResult& result);

}  // namespace akin::ingest
