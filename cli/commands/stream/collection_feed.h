// The documents of a collection in the order in which they were stored, as lines for a stream.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "cli/frame/workspace.h"
#include "server/judge/line_stream.h"

namespace akin::cli {

struct FeedOptions {
  /// Documents with larger revisions (DocumentRecord) are returned.
  Revision after;
  /// Documents stored up to this many seconds before `after` come first, as known ones.
  std::int64_t window_seconds = 0;
  bool follow = false;  ///< wait for further documents at the end, instead of ending
};

/// Follows the collection through Snapshot::changes, also across reindexes by this or another process. One
/// thread.
class CollectionFeed {
 public:
  /// Called often, also while waiting.
  using Stopped = std::function<bool()>;

  /// Errors: as open_collection; unsupported (it keeps no texts).
  [[nodiscard]] static Result<CollectionFeed> open(const CommonOptions& options, const FeedOptions& feed);

  /// The next document, in the form that document_of_line reads, with its number from 1 (known ones have 0);
  /// nothing at the end, or once `stopped` returns true. If a document is replaced meanwhile, both versions
  /// are returned if both were listed. Errors: not_found (the collection was dropped), those of reading.
  [[nodiscard]] Result<std::optional<judge::NumberedLine>> next(const Stopped& stopped);

 private:
  CollectionFeed(OpenCollection collection, const FeedOptions& options);

  [[nodiscard]] Result<void> read_page();
  [[nodiscard]] Result<std::optional<judge::NumberedLine>> line_of(const StoredDocument& record);

  OpenCollection collection_;
  FeedOptions options_;
  Revision position_;  ///< of the last document that was listed
  std::uint64_t number_ = 0;
  std::unique_ptr<Snapshot> snapshot_;  ///< to which `listed_` belongs
  std::deque<StoredDocument> listed_;
};

}  // namespace akin::cli
