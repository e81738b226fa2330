// The tables of one LMDB store, and the counters in its meta table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "index/codec/posting.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/tables/packed_block.h"
#include "index/lmdb/tables/runs.h"
#include "index/store/revision.h"
#include "index/store/store.h"

namespace akin {

struct Tables {
  lmdb::Table meta, ids, records, texts, files, sequences, runs, tombstones, revisions, changes;
  std::uint64_t small_run_postings = kSmallRunPostings;  ///< LmdbStoreOptions
};

/// The specification whose order `tables_of` expects.
[[nodiscard]] const std::vector<lmdb::TableSpec>& table_specs();
[[nodiscard]] Tables tables_of(const lmdb::Env& env);

/// The entry `format` of the table `meta`: the magic bytes and a version.
[[nodiscard]] std::string encode_format(std::uint32_t version = format::kFormatVersion);
/// The version; nothing if the bytes are not such an entry.
[[nodiscard]] std::optional<std::uint32_t> decode_format(std::string_view bytes);

/// Updated in the same transaction as what they count.
struct Counters {
  std::uint64_t next_document = 0;  ///< document numbers below this have been given out
  std::uint64_t documents = 0;
  std::uint64_t features = 0;
  std::uint64_t postings = 0;
  std::uint64_t tombstoned_postings = 0;  ///< of tombstoned documents, not merged away yet
  std::uint64_t text_bytes = 0;
  std::uint64_t text_stored_bytes = 0;
  Revision last_revision = {};          ///< no revision given out or kept is larger
  std::optional<FileSizes> files = {};  ///< in an index that keeps files
  friend bool operator==(const Counters&, const Counters&) = default;
};

[[nodiscard]] std::string encode_counters(const Counters& counters);
[[nodiscard]] std::optional<Counters> decode_counters(std::string_view bytes);

/// Error: corrupt.
[[nodiscard]] Result<Counters> read_counters(const lmdb::Txn& txn, const Tables& tables);

/// Keys and values that are document numbers.
[[nodiscard]] std::string document_key(DocNumber number);
[[nodiscard]] std::optional<DocNumber> decode_document_key(std::string_view key);
/// Of the words of a document's text, in the table of files: it sorts after the document's file.
[[nodiscard]] std::string words_key(DocNumber number);
[[nodiscard]] std::optional<DocNumber> decode_words_key(std::string_view key);
[[nodiscard]] std::string encode_document_number(DocNumber number);
[[nodiscard]] std::optional<DocNumber> decode_document_number(std::string_view value);

/// Keys of the table of revisions.
[[nodiscard]] std::string revision_key(Revision revision);

/// Error: corrupt. Nothing if the id is unknown.
[[nodiscard]] Result<std::optional<DocNumber>> find_number(const lmdb::Txn& txn, const Tables& tables,
                                                           std::string_view id);

/// Calls visit(cursor), which returns Result<void>, for every sound entry, and report(error) for every
/// damaged one. Where LMDB itself refuses to go on, it reports that and ends.
template <class Visit, class Report>
[[nodiscard]] Result<void> for_each_entry(const lmdb::Txn& txn, lmdb::Table table, const Visit& visit,
                                          const Report& report) {
  AKIN_TRY(lmdb::Cursor cursor, txn.cursor(table));
  for (;;) {
    const Result<bool> there = cursor.next();
    if (there.has_error()) {
      if (there.error().code != Errc::corrupt) return there.error();
      report(there.error());
      if (cursor.is_on_damaged_entry()) continue;
      return {};
    }
    if (!*there) return {};
    AKIN_CHECK(visit(cursor));
  }
}

}  // namespace akin
