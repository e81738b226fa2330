// Reads one document's parts inside a transaction. Every function returns corrupt if the stored bytes break
// the format.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "index/codec/sequence_codec.h"
#include "index/lmdb/tables/tables.h"
#include "index/store/store.h"

namespace akin {

/// A transaction and the tables to read in it, as the reading functions pass them on. Valid as long as the
/// transaction.
struct Reading {
  const lmdb::Txn& txn;
  const Tables& tables;
  const DeriveFeatures* derive = nullptr;  ///< null: sequences that follow from texts cannot be read
};

[[nodiscard]] Result<DocumentRecord> read_record(Reading reading, DocNumber number);
[[nodiscard]] Result<StoredDocument> read_document(Reading reading, DocNumber number);
[[nodiscard]] inline DocNumber number_of(const StoredDocument& document) noexcept {
  return DocNumber{static_cast<std::uint32_t>(document.number)};
}
[[nodiscard]] Result<std::string> read_text(Reading reading, DocNumber number, const DocumentRecord& record);
/// The same, to be read in part. Must not outlive the transaction.
[[nodiscard]] Result<StoredText> open_text(Reading reading, DocNumber number, const DocumentRecord& record);
/// What is kept of the words of its text; nothing if they are not.
[[nodiscard]] Result<std::optional<std::string_view>> read_kept_words(Reading reading, DocNumber number);
/// Requires a record that says that the file is kept (FileOrigin::kept_bytes).
[[nodiscard]] Result<StoredFile> read_stored_file(Reading reading, DocNumber number,
                                                  const DocumentRecord& record);
/// The sequence as stored; hashes may lack their last bits, or follow from the text.
[[nodiscard]] Result<StoredSequence> read_stored_sequence(Reading reading, DocNumber number);
/// The same, derived from the text where that is needed. Errors also: corrupt (the text gives other features
/// than those that the document was stored with), unsupported (no reading.derive).
[[nodiscard]] Result<StoredSequence> read_leading_sequence(Reading reading, DocNumber number);
[[nodiscard]] Result<StoredSequence> read_leading_sequence(Reading reading, const StoredDocument& document);
/// The whole sequence; looks up the features' last bits in the posting lists.
[[nodiscard]] Result<FeatureSequence> read_sequence(Reading reading, const StoredDocument& document);
/// The sequence of a document beside a query: exact where it shares features with it; elsewhere the hashes
/// are ones that the query does not have. Much cheaper than the whole sequence: looks up the features that
/// they seem to share, and none if `x`, the number that they do share, says that all of these are shared.
[[nodiscard]] Result<FeatureSequence> read_sequence_beside(Reading reading, const StoredDocument& document,
                                                           std::span<const Feature> query,
                                                           std::optional<std::uint64_t> x = {});
/// Bytes of the text as stored; 0 if there is none.
[[nodiscard]] Result<std::uint64_t> read_stored_text_bytes(Reading reading, DocNumber number);

}  // namespace akin
