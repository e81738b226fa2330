// Documents that a request brings while other threads store them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "base/error.h"
#include "index/collection/bulk.h"

namespace akin::api {

/// Memory for a document in addition to its bytes.
inline constexpr std::uint64_t kDocumentOverhead = 256;

/// Documents between the thread that reads and those that store. A batch waits for more documents only while
/// another one is under way, so a client may wait for an answer before it sends more. Thread-safe.
class DocumentQueue {
 public:
  /// Waits until there is room. False if the documents are no longer taken.
  bool add(OwnedDocument document, std::uint64_t bytes);
  /// No document will be taken any more.
  void refuse();
  /// No document will be added any more.
  void end();
  /// Returns all waiting documents, at the latest when they have `bytes`; none at the end.
  [[nodiscard]] std::vector<OwnedDocument> take(std::uint64_t bytes);
  /// A batch has been reported.
  void done();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<OwnedDocument> waiting_;
  std::uint64_t bytes_ = 0;  ///< of the waiting documents
  std::uint64_t under_way_ = 0;
  bool ended_ = false;    ///< none will be added
  bool refused_ = false;  ///< none will be taken
};

using StoreReport = std::function<void(std::span<const OwnedDocument>, std::span<const Result<PutResult>>)>;

/// Calls `read`, which adds documents to the queue, while other threads store them in their order. `report`
/// gets the outcome of each batch once it is on the disk, as BulkOptions::report. Errors: of `read`; else as
/// bulk_load.
[[nodiscard]] Result<void> store_while_reading(Collection& collection, DocumentQueue& documents,
                                               const StoreReport& report,
                                               const std::function<Result<void>()>& read);

}  // namespace akin::api
