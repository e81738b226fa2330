// Loads files into a collection, in batches of bounded size.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/error.h"
#include "index/collection/collection.h"
#include "server/ingest/document_batches.h"
#include "server/ingest/walk.h"

namespace akin::ingest {

struct LoadResult {
  std::uint64_t stored = 0;    ///< documents now in the collection
  std::uint64_t replaced = 0;  ///< of them, those whose id existed before
  std::uint64_t bytes = 0;     ///< of text stored
  std::vector<Error> refused;  ///< documents that the collection refused; `what` names file and page
  bool interrupted = false;
};

struct LoadRequest {
  const std::vector<InputFile>* files = nullptr;  ///< the files of `batches`
  DocumentBatches* batches = nullptr;
  std::uint64_t memory = 0;  ///< BulkOptions::memory
  const std::atomic<bool>* stop =
      nullptr;  ///< set: the current batches are finished, and no others are begun
  std::function<void(std::uint64_t documents_done)> progress;
};

/// Runs bulk_load on the documents of `batches`. A document that the collection refuses is reported in
/// `refused`, and the load continues with the others.
[[nodiscard]] Result<void> load_files(Collection& collection, const LoadRequest& request, LoadResult& result);

}  // namespace akin::ingest
