// Identity and figures of a store, read from its data file without opening the environment.
//
// Opening takes about a millisecond, two descriptors and a map; a list of thousands of collections needs only
// the table "meta" of each. So this reads the two or three pages concerned into memory of its own, which a
// writer cannot change under the reader and damage cannot lead astray (page_file.h).
#pragma once

#include <filesystem>
#include <optional>

#include "index/store.h"

namespace akin {

struct StoreSummary {
  StoreIdentity identity;
  /// documents, features, postings, text_bytes, text_stored_bytes, disk_bytes, last_revision, tombstones
  /// and files; the others are 0.
  StoreStats stats;
};

/// As of one committed transaction: a reader registers nowhere, so it checks afterwards that no later
/// transaction can have reused the pages that it read, and repeats if so. Nothing if the file is not as this
/// akin's version of the format leaves it, or is damaged: opening the store then gives the reason.
[[nodiscard]] std::optional<StoreSummary> read_summary(const std::filesystem::path& store_folder);

}  // namespace akin
