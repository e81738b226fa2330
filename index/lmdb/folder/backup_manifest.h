// The file akin-backup.json of a backup (docs/index-format.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "index/collection/backup.h"

namespace akin {

inline constexpr std::string_view kManifestFile = "akin-backup.json";

/// The file of a collection, of dictionaries, or of the server's state, in a backup.
[[nodiscard]] std::filesystem::path backed_up_file(const std::filesystem::path& backup,
                                                   std::string_view name);
[[nodiscard]] std::filesystem::path backed_up_dictionaries(const std::filesystem::path& backup,
                                                           std::string_view fingerprint);
[[nodiscard]] std::filesystem::path backed_up_state(const std::filesystem::path& backup);

[[nodiscard]] std::string encode_manifest(const BackupManifest& manifest);

/// Takes any bytes. Errors: corrupt (not a manifest, an invalid collection name, a name twice),
/// mismatch (from a later akin).
[[nodiscard]] Result<BackupManifest> decode_manifest(std::string_view bytes);

/// Errors: not_found (no backup there), too_large, io, those of decode_manifest.
[[nodiscard]] Result<BackupManifest> read_manifest(const std::filesystem::path& backup);

}  // namespace akin
