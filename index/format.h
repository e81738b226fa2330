// Constants of the LMDB store's format, shared by its writers and readers. The layout is told in
// docs/format.md; whoever changes either raises kFormatVersion.
#pragma once

#include <cstdint>
#include <string_view>

namespace akin::format {

/// Version that this program writes.
inline constexpr std::uint32_t kFormatVersion = 1;
/// Oldest version whose documents and texts this program can still read, to rebuild the rest from them.
inline constexpr std::uint32_t kOldestReadable = 1;

/// First bytes of the "format" entry.
inline constexpr std::string_view kMagic = "akin-ix\n";

// Tables. Numbers in keys are big-endian, so that LMDB's byte order is their order; numbers in values are
// little-endian.
inline constexpr std::string_view kMetaTable = "meta";            ///< name → value
inline constexpr std::string_view kIdsTable = "ids";              ///< id → document number, u32
inline constexpr std::string_view kRecordsTable = "records";      ///< document number → record
inline constexpr std::string_view kTextsTable = "texts";          ///< document number → one zstd frame
inline constexpr std::string_view kSequencesTable = "sequences";  ///< document number → feature sequence
inline constexpr std::string_view kPostingsTable =
    "postings";  ///< feature → sorted (document number, count) pairs

// Entries of the meta table.
inline constexpr std::string_view kFormatEntry = "format";
inline constexpr std::string_view kSchemeEntry = "scheme";
inline constexpr std::string_view kFingerprintEntry = "fingerprint";
inline constexpr std::string_view kLanguagesEntry = "languages";
inline constexpr std::string_view kCountersEntry = "counters";

/// A posting: document number, count, both u32 big-endian because the value is sorted by its bytes.
inline constexpr std::size_t kPostingBytes = 8;
inline constexpr std::size_t kFeatureBytes = 8;
inline constexpr std::size_t kChecksumBytes = 4;

}  // namespace akin::format
