// Constants of the LMDB store's format, shared by its writers and readers. docs/index-format.md describes the
// layout; a change of either requires a higher kFormatVersion.
#pragma once

#include <cstdint>
#include <string_view>

namespace akin::format {

/// The version that this program writes and reads.
inline constexpr std::uint32_t kFormatVersion = 2;

/// First bytes of the "format" entry.
inline constexpr std::string_view kMagic = "akin-ix\n";

// Tables. Numbers in keys are big-endian, so that LMDB's byte order is their order; numbers in values are
// little-endian.
inline constexpr std::string_view kMetaTable = "meta";        ///< name → value
inline constexpr std::string_view kIdsTable = "ids";          ///< id → document number, u32
inline constexpr std::string_view kRecordsTable = "records";  ///< document number → record
inline constexpr std::string_view kTextsTable = "texts";      ///< document number → chunk of texts
inline constexpr std::string_view kFilesTable = "files";  ///< document number → file; and kWordsKey → words
inline constexpr std::string_view kSequencesTable = "sequences";  ///< document number → chunk of sequences
inline constexpr std::string_view kRunsTable = "runs";  ///< run, feature, document → packed postings
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
inline constexpr std::string_view kChangeLogEntry = "change_log";  ///< "on" or "off"

/// In the table of files, what follows a document's number in the key of its kept words.
inline constexpr char kWordsKey = 'w';

/// LMDB's files.
inline constexpr std::string_view kDataFile = "data.mdb";
inline constexpr std::string_view kLockFile = "lock.mdb";

/// Next to the data file; locked during a merge.
inline constexpr std::string_view kMergeLock = "MERGE";

}  // namespace akin::format
