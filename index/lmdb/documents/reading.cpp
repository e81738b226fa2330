#include "index/lmdb/documents/reading.h"

#include <algorithm>
#include <span>
#include <unordered_set>
#include <utility>

#include "index/lmdb/documents/chunks.h"
#include "index/lmdb/postings/posting_lists.h"
#include "index/search/sequence_beside.h"
#include "index/store/stored_document.h"
#include "index/write/derived_features.h"

namespace akin {

namespace {

/// An error of a table, with the document that was read.
Error of_document(DocNumber number, Error error) {
  if (error.code == Errc::corrupt) error.what = name_of(number) + " (" + error.what + ")";
  return error;
}

Result<std::string_view> read_value(Reading reading, lmdb::Table table, DocNumber number,
                                    std::string_view what) {
  const Result<std::optional<std::string_view>> bytes = reading.txn.get(table, document_key(number));
  if (bytes.has_error()) return of_document(number, bytes.error());
  if (!*bytes) return corrupt(name_of(number), "its " + std::string(what) + " is missing");
  return **bytes;
}

Result<std::string_view> read_part(Reading reading, const Chunked& chunked, DocNumber number) {
  const Result<std::string_view> bytes = find_part(reading.txn, chunked, number);
  if (bytes.has_error()) return of_document(number, bytes.error());
  if (bytes->empty()) return corrupt(name_of(number), "its " + std::string(chunked.what) + " is missing");
  return *bytes;
}

Result<FeatureSequence> complete(Reading reading, DocNumber number, StoredSequence stored) {
  if (stored.shift == 0) return std::move(stored.sequence);
  AKIN_TRY(PostingLists lists, PostingLists::open(reading.txn, reading.tables));
  std::vector<Feature> leading(stored.sequence.hashes);
  std::sort(leading.begin(), leading.end());
  leading.erase(std::unique(leading.begin(), leading.end()), leading.end());
  std::vector<Feature> whole;
  whole.reserve(leading.size());
  for (Feature bits : leading) {
    AKIN_TRY(const std::vector<Feature> found,
             lists.features_of(static_cast<std::uint64_t>(bits), stored.shift, number));
    if (found.size() != 1) {
      return corrupt(name_of(number), "a feature of its sequence is in " +
                                          std::string(found.empty() ? "no" : "more than one") +
                                          " posting list");
    }
    whole.push_back(found.front());
  }
  for (Feature& hash : stored.sequence.hashes) {
    hash = whole[static_cast<std::size_t>(std::lower_bound(leading.begin(), leading.end(), hash) -
                                          leading.begin())];
  }
  return std::move(stored.sequence);
}

}  // namespace

Result<DocumentRecord> read_record(Reading reading, DocNumber number) {
  AKIN_TRY(const std::string_view bytes, read_value(reading, reading.tables.records, number, "record"));
  return record_of(bytes, static_cast<std::uint32_t>(number));
}

Result<StoredDocument> read_document(Reading reading, DocNumber number) {
  AKIN_TRY(DocumentRecord record, read_record(reading, number));
  return StoredDocument{std::move(record), static_cast<std::uint32_t>(number)};
}

Result<std::string> read_text(Reading reading, DocNumber number, const DocumentRecord& record) {
  AKIN_TRY(StoredText text, open_text(reading, number, record));
  return std::move(text).take();
}

Result<StoredText> open_text(Reading reading, DocNumber number, const DocumentRecord& record) {
  AKIN_TRY(const std::string_view bytes, read_part(reading, texts_of(reading.tables), number));
  return StoredText::of(bytes, record.text_bytes, name_of(number));
}

Result<std::optional<std::string_view>> read_kept_words(Reading reading, DocNumber number) {
  Result<std::optional<std::string_view>> bytes = reading.txn.get(reading.tables.files, words_key(number));
  if (bytes.has_error()) return of_document(number, bytes.error());
  return bytes;
}

Result<StoredFile> read_stored_file(Reading reading, DocNumber number, const DocumentRecord& record) {
  AKIN_TRY(const std::string_view bytes, read_value(reading, reading.tables.files, number, "file"));
  return file_of(bytes, record, static_cast<std::uint32_t>(number));
}

Result<StoredSequence> read_stored_sequence(Reading reading, DocNumber number) {
  AKIN_TRY(const std::string_view bytes, read_part(reading, sequences_of(reading.tables), number));
  return sequence_of(bytes, static_cast<std::uint32_t>(number));
}

Result<StoredSequence> read_leading_sequence(Reading reading, DocNumber number) {
  AKIN_TRY(StoredSequence stored, read_stored_sequence(reading, number));
  if (!stored.derived) return stored;
  AKIN_TRY(const StoredDocument document, read_document(reading, number));
  return read_leading_sequence(reading, document);
}

Result<StoredSequence> read_leading_sequence(Reading reading, const StoredDocument& document) {
  AKIN_TRY(StoredSequence stored, read_stored_sequence(reading, number_of(document)));
  if (!stored.derived) return stored;
  AKIN_TRY(const std::string text, read_text(reading, number_of(document), document));
  AKIN_TRY(FeatureSequence derived,
           derive_sequence(*stored.derived, text, reading.derive, name_of(number_of(document))));
  return StoredSequence{.sequence = std::move(derived)};
}

Result<FeatureSequence> read_sequence(Reading reading, const StoredDocument& document) {
  AKIN_TRY(StoredSequence stored, read_leading_sequence(reading, document));
  return complete(reading, number_of(document), std::move(stored));
}

Result<FeatureSequence> read_sequence_beside(Reading reading, const StoredDocument& document,
                                             std::span<const Feature> query, std::optional<std::uint64_t> x) {
  AKIN_TRY(StoredSequence stored, read_leading_sequence(reading, document));
  if (stored.shift == 0) return std::move(stored.sequence);
  SequenceBeside beside(std::move(stored), query);
  if (x) {
    if (std::optional<FeatureSequence> known = beside.sharing(*x)) return *std::move(known);
  }
  AKIN_TRY(PostingLists lists, PostingLists::open(reading.txn, reading.tables));
  std::unordered_set<Feature> own;
  for (const Feature feature : beside.possible()) {
    AKIN_TRY(const ListRef list, lists.find(feature));
    if (list.size == 0) continue;
    AKIN_TRY(const std::uint32_t count, lists.count(list, number_of(document)));
    if (count > 0) own.insert(feature);
  }
  return std::move(beside).complete([&](Feature feature) { return own.contains(feature); });
}

Result<std::uint64_t> read_stored_text_bytes(Reading reading, DocNumber number) {
  AKIN_TRY(const std::string_view bytes, find_part(reading.txn, texts_of(reading.tables), number));
  return std::uint64_t{bytes.size()};
}

}  // namespace akin
