// Files into a collection, in batches of bounded size.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/collection.h"
#include "server/cli/walk.h"

namespace akin::cli {

struct IngestResult {
  std::uint64_t stored = 0;    ///< documents now in the collection
  std::uint64_t replaced = 0;  ///< of them, those whose id was there before
  std::uint64_t bytes = 0;     ///< of text stored
  std::vector<Error> refused;  ///< one per file that was not stored, `what` names the file
  bool interrupted = false;
};

struct IngestRequest {
  const std::vector<InputFile>* files = nullptr;
  std::string title;                        ///< for a single file; empty = the file's name without extension
  const std::atomic<bool>* stop = nullptr;  ///< set: the batch at hand is finished, no other begun
  std::function<void(std::uint64_t files_done, std::uint64_t bytes_done)> progress;
};

/// Reads the next batch while the last one is being stored; a batch is one transaction of at most about 32
/// MiB of text (or one larger file). A file that cannot be read or is not UTF-8 is refused and the others go
/// on; when the collection refuses a batch for one of its documents, the documents are put one by one.
/// Errors: what stops the whole job, for instance disk_full or busy; what was stored before stays and
/// `stored` counts it.
[[nodiscard]] Result<void> ingest(Collection& collection, const IngestRequest& request, IngestResult& result);

}  // namespace akin::cli
