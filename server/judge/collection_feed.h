// The documents of a collection in the order in which they were stored, as lines for a stream.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "index/collection/catalog.h"
#include "server/judge/line_stream.h"

namespace akin::judge {

/// The revision of what was stored at this time (RFC 3339); `what` names it in errors. Error:
/// invalid_argument.
[[nodiscard]] Result<Revision> revision_at(std::string_view time, std::string what);

struct FeedOptions {
  /// Documents with larger revisions (DocumentRecord) are returned.
  Revision after;
  /// Documents stored up to this many seconds before `after` come first, as known ones.
  std::int64_t window_seconds = 0;
  bool follow = false;  ///< wait for further documents at the end, instead of ending
  /// Documents that it refuses are left out; empty: none.
  std::function<bool(const DocumentRecord&)> selects = nullptr;
};

/// Follows the collection through Snapshot::changes, also across reindexes by this or another process. One
/// thread.
class CollectionFeed {
 public:
  /// Called often, also while waiting.
  using Stopped = std::function<bool()>;

  /// `collection`: one of the catalog's. Error: unsupported (it keeps no texts).
  [[nodiscard]] static Result<CollectionFeed> open(std::shared_ptr<Catalog> catalog,
                                                   std::shared_ptr<Collection> collection,
                                                   const FeedOptions& feed);

  /// The next document, in the form that document_of_line reads, with its number from 1 (known ones have 0);
  /// nothing at the end, or once `stopped` returns true. If a document is replaced meanwhile, both versions
  /// are returned if both were listed. Errors: not_found (the collection was dropped), those of reading.
  [[nodiscard]] Result<std::optional<NumberedLine>> next(const Stopped& stopped);

 private:
  CollectionFeed(std::shared_ptr<Catalog> catalog, std::shared_ptr<Collection> collection,
                 const FeedOptions& options);

  [[nodiscard]] Result<void> read_page();
  [[nodiscard]] Result<std::optional<NumberedLine>> line_of(const StoredDocument& record);

  std::shared_ptr<Catalog> catalog_;
  std::shared_ptr<Collection> collection_;
  FeedOptions options_;
  Revision position_;  ///< of the last document that was listed
  std::uint64_t number_ = 0;
  std::unique_ptr<Snapshot> snapshot_;  ///< to which `listed_` belongs
  std::deque<StoredDocument> listed_;
};

}  // namespace akin::judge
