// The documents of a collection in the order in which they were stored, as lines for a stream.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "server/cli/frame/workspace.h"
#include "server/lab/judge/line_stream.h"

namespace akin::cli {

struct FeedOptions {
  /// Told are documents with larger revisions (DocumentRecord).
  std::uint64_t after = 0;
  /// Documents stored up to so many seconds before `after` come first, as known ones.
  std::int64_t window_seconds = 0;
  bool follow = false;  ///< waits for more at the end; else the end is the end
};

/// Follows the collection as Snapshot::changes tells it, over reindexes by this or another process too. One
/// thread.
class CollectionFeed {
 public:
  /// Asked often, also while it waits.
  using Stopped = std::function<bool()>;

  /// Errors: as open_collection; unsupported (it keeps no texts).
  [[nodiscard]] static Result<CollectionFeed> open(const CommonOptions& options, const FeedOptions& feed);

  /// The next document, as document_of_line reads it, with its number from 1 (known ones have 0); nothing
  /// at the end, or once `stopped` says so. Of a document that is replaced meanwhile both are told, if both
  /// were listed. Errors: not_found (the collection was dropped), those of reading.
  [[nodiscard]] Result<std::optional<judge::NumberedLine>> next(const Stopped& stopped);

 private:
  CollectionFeed(OpenCollection collection, const FeedOptions& options);

  [[nodiscard]] Result<void> read_page();
  [[nodiscard]] Result<std::optional<judge::NumberedLine>> line_of(const DocumentRecord& record);

  OpenCollection collection_;
  FeedOptions options_;
  std::uint64_t position_ = 0;  ///< revision of the last document that was listed
  std::uint64_t number_ = 0;
  std::unique_ptr<Snapshot> snapshot_;  ///< that `listed_` is of
  std::deque<DocumentRecord> listed_;
};

}  // namespace akin::cli
