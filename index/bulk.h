// Many documents into a collection, at the machine's speed and in bounded memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/collection.h"

namespace akin {

/// A text to be stored, with what its bytes need to live.
struct OwnedDocument {
  std::string id, title, metadata, text;
  bool remove = false;              ///< instead: remove the document with this id
  std::optional<Error> error = {};  ///< known already: why this cannot be stored
  std::uint64_t place = 0;          ///< the caller's own, a line's number for instance
};

/// Gives the next documents: at least one, together about `bytes` long or one that is longer; none at the
/// end. Called by one thread at a time. An error ends the load.
using DocumentSource = std::function<Result<std::vector<OwnedDocument>>(std::uint64_t bytes)>;

struct BulkOptions {
  /// What the documents on their way may take: read, analysed, packed, and not yet on the disk.
  std::uint64_t memory = std::uint64_t{1} << 30;
  const std::atomic<bool>* stop = nullptr;  ///< set: batches begun are finished, no other is begun
  /// A document that the collection refuses: the others go on. Called by one thread at a time.
  std::function<void(const OwnedDocument&, const Error&)> refused;
  /// Set: batches take effect in the order in which the source gave them, and what became of each document is
  /// told here in that order, once it is on the disk; what fails a whole batch is the result of each of its
  /// documents, and the load goes on. Called by one thread at a time.
  std::function<void(std::span<const OwnedDocument>, std::span<const Result<PutResult>>)> told;
  /// After each batch. Called by one thread at a time.
  std::function<void(std::uint64_t documents_done, std::uint64_t bytes_done)> progress;
};

struct BulkResult {
  std::uint64_t stored = 0;    ///< documents now in the collection
  std::uint64_t replaced = 0;  ///< of them, those whose id was there before
  std::uint64_t bytes = 0;     ///< of text stored
  std::uint64_t removed = 0;
  std::uint64_t refused = 0;
  bool interrupted = false;
};

/// Least BulkOptions::memory.
inline constexpr std::uint64_t kLeastBulkMemory = std::uint64_t{16} << 20;

/// Stores all documents that `source` gives. Threads read, analyse and write a batch each, so that the cores
/// work while the disk does; a batch is one transaction, durable before its progress is told. At the end the
/// postings are merged (Collection::settle), unless the load is ordered: then that is left to the background.
/// An id given twice in one load is stored once; which of its texts remains is not defined unless both stand
/// in one batch, or the load is ordered (BulkOptions::told): then the later one does. Errors: what stops the
/// whole job, for instance disk_full, busy or an error of `source`; `result` then tells what was stored
/// before, and stays.
[[nodiscard]] Result<void> bulk_load(Collection& collection, const DocumentSource& source,
                                     const BulkOptions& options, BulkResult& result);

}  // namespace akin
