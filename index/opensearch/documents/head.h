// The head of a store: what its documents mean, which of them exist, and whose turn it is to write.
//
// Writers of all processes take turns, each with a number of its own that grows. A writer takes its turn by
// changing the head, writes documents, and ends it by changing the head again. What it has written exists
// from that moment. A turn that is never ended is `abandoned`: what was written in it never exists. The
// engine changes a head only if it is as it was read, so that no two writers have the same turn, and a writer
// whose turn was taken from it cannot end it.
//
// A turn ends `committed` if the engine has refreshed, so that searches find what was written; otherwise
// `accepted`: its readers refresh. What a turn has removed is erased in a later one, after a commit between
// them. So a reader that has since found neither the commit of a later turn nor a second later turn has all
// documents of its head.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "index/opensearch/documents/layout.h"
#include "index/store/store.h"
#include "index/write/directory_changes.h"

namespace akin::opensearch {

/// A document that no longer exists, and has not been erased: readers leave it out.
struct Gone {
  std::int64_t number = 0;
  std::vector<std::string> further_ids;  ///< RecordField::further_ids
};

/// What a turn has led to.
struct StoreState {
  std::int64_t turn = 0;
  std::vector<Gone> gone;  ///< those of an accepted one begin with those of the committed one
  StoreCounters counters;
};

struct Head {
  StoreIdentity identity;
  std::string dictionary;  ///< the key of what it was built with; empty: nothing is kept
  StoreState committed;
  std::optional<StoreState> accepted;   ///< by the last turn that was, if none was committed after it
  std::int64_t turn = 0;                ///< that was taken last
  std::string writer;                   ///< whose turn it is, or was
  std::vector<std::int64_t> abandoned;  ///< turns
  std::int64_t retired = 0;  ///< when the last write ended, in microseconds since the epoch; 0: none
  std::string successor;     ///< the store that has replaced this one, if it is retired for that
  Version version = {};      ///< of the document in the catalog, as it was read

  [[nodiscard]] const StoreState& latest() const noexcept { return accepted ? *accepted : committed; }
  [[nodiscard]] bool is_free() const noexcept { return turn == latest().turn; }
};

/// The filter of a search for the documents that exist by a head.
[[nodiscard]] Json existing(const Head& head);

/// Error also: not_found (the store was dropped), mismatch (another akin wrote it).
[[nodiscard]] Result<Head> read_head(Client& client, const StoreName& store);

/// Writes a head, if it is still as it was read, or new: as change_catalog.
[[nodiscard]] Result<bool> write_head(Client& client, const StoreName& store, Head& head);

}  // namespace akin::opensearch
