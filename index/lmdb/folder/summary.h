// Identity and figures of a store, read from its data file without opening the environment.
#pragma once

#include <filesystem>
#include <optional>

#include "index/store/store.h"

namespace akin {

struct StoreSummary {
  StoreIdentity identity;
  /// documents, features, postings, text_bytes, text_stored_bytes, disk_bytes, last_revision, tombstones
  /// and files; the others are 0.
  StoreStats stats;
};

/// As of one committed transaction (meta_table.h). Nothing if the file is of another format, or is damaged:
/// opening the store then gives the reason.
[[nodiscard]] std::optional<StoreSummary> read_summary(const std::filesystem::path& store_folder);

/// Whether this process may open the store: its summary can also be read where that is refused. Error: io.
[[nodiscard]] Result<void> check_permissions(const std::filesystem::path& store_folder);

}  // namespace akin
