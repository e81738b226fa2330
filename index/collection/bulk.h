// Loads many documents into a collection at the machine's speed, in bounded memory.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/collection/collection.h"

namespace akin {

/// A text to be stored, with the owner of its bytes.
struct OwnedDocument {
  std::string id, title, metadata, text;
  bool remove = false;                      ///< remove the document with this id instead
  std::optional<Error> error = {};          ///< the reason, if it is already known that this cannot be stored
  std::uint64_t place = 0;                  ///< the caller's own, for instance a line number
  std::optional<FileOrigin> file = {};      ///< SourceDocument::file
  std::string places = {};                  ///< SourceDocument::places
  std::optional<StoredFile> original = {};  ///< SourceDocument::original
  /// Set: filled before BulkOptions::report gets the document (SourceChange::findings).
  std::optional<TextFindings> findings = {};
};

/// Valid while the document is neither changed nor moved.
[[nodiscard]] SourceDocument view_of(const OwnedDocument& document);

/// Returns the next documents: at least one, together about `bytes` long or one that is longer; none at the
/// end. Called by one thread at a time. An error ends the load.
using DocumentSource = std::function<Result<std::vector<OwnedDocument>>(std::uint64_t bytes)>;

struct BulkOptions {
  /// Memory for documents in flight: read, analysed, packed, and not yet on the disk.
  std::uint64_t memory = std::uint64_t{1} << 30;
  const std::atomic<bool>* stop = nullptr;  ///< set: batches in progress are finished, and no other starts
  /// Called for each document that the collection refuses; the load continues with the others. Called by one
  /// thread at a time.
  std::function<void(const OwnedDocument&, const Error&)> refused;
  /// Set: the result for each document is reported here in the order of the source, once it is on the disk;
  /// an error that fails a whole batch is reported for each of its documents, and the load continues. Called
  /// by one thread at a time.
  std::function<void(std::span<const OwnedDocument>, std::span<const Result<PutResult>>)> report;
  /// After each batch. Called by one thread at a time.
  std::function<void(std::uint64_t documents_done, std::uint64_t bytes_done)> progress;
};

struct BulkResult {
  std::uint64_t stored = 0;    ///< documents now in the collection
  std::uint64_t replaced = 0;  ///< of them, those whose id existed before
  std::uint64_t bytes = 0;     ///< of text stored
  std::uint64_t removed = 0;
  std::uint64_t refused = 0;
  bool interrupted = false;
};

/// Least BulkOptions::memory.
inline constexpr std::uint64_t kLeastBulkMemory = std::uint64_t{16} << 20;

/// Stores all documents that `source` returns. Threads read, analyse and write a batch each, so that the
/// cores work while the disk does; a batch is one transaction, durable before its progress is reported.
/// Batches take effect in the order of the source: documents are numbered so, and of two texts with the same
/// id the later one remains. At the end the postings are merged (Collection::flush_and_merge), unless results
/// are reported (BulkOptions::report): then that is left to the background. Errors: whatever stops the whole
/// job, for instance disk_full, busy (also without memory or threads) or an error from `source`; `result`
/// then counts what was stored before, which is kept.
[[nodiscard]] Result<void> bulk_load(Collection& collection, const DocumentSource& source,
                                     const BulkOptions& options, BulkResult& result);

}  // namespace akin
