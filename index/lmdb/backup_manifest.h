// What a backup holds, as its file akin-backup.json tells (docs/format.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "index/lmdb/hashed_file.h"
#include "index/store.h"

namespace akin {

struct BackedUpCollection {
  std::string name;
  StoreIdentity identity;
  std::uint64_t documents = 0;
  std::uint64_t features = 0;
  FileDigest file;  ///< collections/NAME/data.mdb
};

/// A file of the data folder beside the collections (side_files.h).
struct BackedUpFile {
  std::string path;  ///< "labels/NAME.tsv" or "models/NAME.json", below the data folder and below the backup
  FileDigest file;
};

struct BackupManifest {
  std::string akin;          ///< version of the program that made it
  std::uint32_t format = 0;  ///< of the index
  std::string made;          ///< when it was complete (RFC 3339)
  std::vector<BackedUpCollection> collections;
  std::optional<FileDigest> state;  ///< state/data.mdb, if there was a server's
  std::vector<BackedUpFile> files = {};
};

inline constexpr std::string_view kManifestFile = "akin-backup.json";

/// The file of a collection, or of the server's state, in a backup.
[[nodiscard]] std::filesystem::path backed_up_file(const std::filesystem::path& backup,
                                                   std::string_view name);
[[nodiscard]] std::filesystem::path backed_up_state(const std::filesystem::path& backup);

[[nodiscard]] std::string encode_manifest(const BackupManifest& manifest);

/// Takes any bytes. Error: corrupt (not a manifest, a name that is none of a collection, a name twice, a path
/// that is none of a side file),
/// mismatch (of a later akin).
[[nodiscard]] Result<BackupManifest> decode_manifest(std::string_view bytes);

/// Errors: not_found (no backup there), too_large, io, those of decode_manifest.
[[nodiscard]] Result<BackupManifest> read_manifest(const std::filesystem::path& backup);

}  // namespace akin
