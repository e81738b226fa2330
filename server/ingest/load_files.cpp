#include "server/ingest/load_files.h"

#include <utility>

#include "index/collection/bulk.h"

namespace akin::ingest {

Result<void> load_files(Collection& collection, const LoadRequest& request, LoadResult& result) {
  BulkOptions options;
  options.memory = request.memory;
  options.stop = request.stop;
  if (request.progress)
    options.progress = [&](std::uint64_t documents, std::uint64_t) { request.progress(documents); };
  options.refused = [&](const OwnedDocument& document, Error error) {
    error.what = document_name(*request.files, document);
    result.refused.push_back(std::move(error));
  };
  BulkResult stored;
  Result<void> outcome = bulk_load(
      collection, [&](std::uint64_t bytes) { return request.batches->next(bytes); }, options, stored);
  result.stored = stored.stored;
  result.replaced = stored.replaced;
  result.bytes = stored.bytes;
  result.interrupted = stored.interrupted;
  return outcome;
}

}  // namespace akin::ingest
