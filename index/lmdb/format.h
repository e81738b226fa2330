// Constants of the LMDB store's format, shared by its writers and readers. docs/format.md describes the
// layout; a change of either requires a higher kFormatVersion.
#pragma once

#include <cstdint>
#include <string_view>

namespace akin::format {

/// Version that this program writes.
inline constexpr std::uint32_t kFormatVersion = 9;
/// The oldest version that this program reads and, in an index that has it, writes.
inline constexpr std::uint32_t kOldestVersion = 3;
/// From this version on, values end with a check (checked_value.h).
inline constexpr std::uint32_t kFirstChecked = 4;
/// From this version on, blocks of `runs` may be bitmaps.
inline constexpr std::uint32_t kFirstWithBitmaps = 5;
/// From this version on, a sequence may lack what follows from its document's text.
inline constexpr std::uint32_t kFirstWithDerived = 6;
/// From this version on, files may be kept.
inline constexpr std::uint32_t kFirstWithFiles = 7;
/// From this version on, the counters count them.
inline constexpr std::uint32_t kFirstWithFileSizes = 8;
/// From this version on, long texts are stored in parts, and their words may be kept.
inline constexpr std::uint32_t kFirstWithParts = 9;

[[nodiscard]] constexpr bool is_known_version(std::uint32_t version) noexcept {
  return version >= kOldestVersion && version <= kFormatVersion;
}

/// First bytes of the "format" entry.
inline constexpr std::string_view kMagic = "akin-ix\n";

// Tables. Numbers in keys are big-endian, so that LMDB's byte order is their order; numbers in values are
// little-endian.
inline constexpr std::string_view kMetaTable = "meta";        ///< name → value
inline constexpr std::string_view kIdsTable = "ids";          ///< id → document number, u32
inline constexpr std::string_view kRecordsTable = "records";  ///< document number → record
inline constexpr std::string_view kTextsTable =
    "texts";  ///< document number → text; and kFileKey → file; and kWordsKey → words
inline constexpr std::string_view kSequencesTable = "sequences";  ///< document number → chunk of sequences
inline constexpr std::string_view kRunsTable = "runs";  ///< run, feature, document → packed postings
inline constexpr std::string_view kRecentTable =
    "recent";  ///< feature → sorted postings; only earlier versions wrote it
inline constexpr std::string_view kTombstoneTable =
    "dead";  ///< document number → its postings still stored, u32
inline constexpr std::string_view kRevisionsTable = "revisions";  ///< revision, u64 → document number
inline constexpr std::string_view kChangesTable = "changes";      ///< place in the change log, u64 → id

// Entries of the meta table.
inline constexpr std::string_view kFormatEntry = "format";
inline constexpr std::string_view kSchemeEntry = "scheme";
inline constexpr std::string_view kFingerprintEntry = "fingerprint";
inline constexpr std::string_view kLanguagesEntry = "languages";
inline constexpr std::string_view kTextsEntry = "store_text";  ///< "yes" or "no"
inline constexpr std::string_view kFilesEntry = "store_file";  ///< "yes"; absent if files are not kept
inline constexpr std::string_view kIdentityEntry =
    "identity";  ///< check of scheme, fingerprint, languages, texts
inline constexpr std::string_view kCountersEntry = "counters";
inline constexpr std::string_view kPostingsEntry = "postings";     ///< PostingState
inline constexpr std::string_view kChangeLogEntry = "change_log";  ///< "on" or "off"; format 3: absent if off

/// In the table of texts, what follows a document's number in the key of its file.
inline constexpr char kFileKey = 'f';
/// And in that of its kept words.
inline constexpr char kWordsKey = 'w';

/// LMDB's files.
inline constexpr std::string_view kDataFile = "data.mdb";
inline constexpr std::string_view kLockFile = "lock.mdb";

/// Next to the data file; locked during a merge.
inline constexpr std::string_view kMergeLock = "MERGE";

/// A recent posting: document number, count, both u32 big-endian because values are sorted by their bytes;
/// since format 4 also a check over them and the feature.
inline constexpr std::size_t kPostingBytes = 8;
inline constexpr std::size_t kFeatureBytes = 8;

}  // namespace akin::format
