#include "index/document_writer.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "index/format.h"
#include "index/postings.h"
#include "index/reading.h"
#include "index/records.h"
#include "index/sequence_codec.h"
#include "index/text_codec.h"

namespace akin {

namespace {

/// The postings that a batch takes out and puts in, and the counters as they become.
struct Batch {
  Counters counters;
  std::vector<Posting> removed, added;
};

void append_postings(std::vector<Posting>& postings, DocNumber number,
                     const std::vector<FeatureCount>& counts) {
  for (const FeatureCount& entry : counts) postings.push_back({entry.feature, number, entry.count});
}

/// The postings of a document whose sequence is lost, found by reading all lists.
Result<std::vector<Posting>> postings_by_scan(Reading reading, DocNumber number) {
  std::vector<Posting> found;
  const auto visit = [&](const Posting& posting) {
    if (posting.document == number) found.push_back(posting);
  };
  AKIN_CHECK(
      for_each_posting(reading.txn, reading.tables, visit, [](const std::string&, const std::string&) {}));
  return found;
}

/// Takes a stored document out of the batch's sums, and lists its postings. The tables stay as they are. What
/// is damaged of the document is made good by what is left, so that it can always be replaced or removed; the
/// counters may then stay wrong until a reindex.
Result<void> subtract(Reading reading, DocNumber number, Batch& batch) {
  const Result<DocumentRecord> record = read_record(reading, number);
  const Result<FeatureSequence> sequence = read_sequence(reading, number);
  const Result<std::uint64_t> stored_bytes = read_stored_text_bytes(reading, number);
  if (sequence.has_error()) {
    AKIN_TRY(const std::vector<Posting> left, postings_by_scan(reading, number));
    batch.removed.insert(batch.removed.end(), left.begin(), left.end());
  } else {
    append_postings(batch.removed, number, count_features(sequence->hashes));
  }
  --batch.counters.documents;
  if (!record.has_error()) {
    batch.counters.features -= record->features;
    batch.counters.text_bytes -= record->text_bytes;
  }
  if (!stored_bytes.has_error()) batch.counters.text_stored_bytes -= *stored_bytes;
  return {};
}

Result<DocNumber> new_number(Counters& counters) {
  if (counters.next_document >= static_cast<std::uint64_t>(kEnd)) {
    return Error{Errc::too_large, "collection", "4294967295 document numbers are used up",
                 "run `akin reindex`: it numbers anew"};
  }
  return DocNumber{static_cast<std::uint32_t>(counters.next_document++)};
}

/// Brings the postings and the counters of a batch into the tables. Postings that a replaced document keeps
/// stay untouched.
Result<void> apply(lmdb::WriteTxn& txn, const Tables& tables, Batch& batch) {
  std::sort(batch.removed.begin(), batch.removed.end());
  std::sort(batch.added.begin(), batch.added.end());
  std::vector<Posting> gone;
  std::vector<Posting> fresh;
  std::set_difference(batch.removed.begin(), batch.removed.end(), batch.added.begin(), batch.added.end(),
                      std::back_inserter(gone));
  std::set_difference(batch.added.begin(), batch.added.end(), batch.removed.begin(), batch.removed.end(),
                      std::back_inserter(fresh));
  AKIN_TRY(const PostingChange change, change_postings(txn, tables, gone, fresh));
  batch.counters.postings += static_cast<std::uint64_t>(change.postings);
  batch.counters.distinct_features += static_cast<std::uint64_t>(change.lists);
  return txn.put(tables.meta, format::kCountersEntry, encode_counters(batch.counters));
}

Result<void> put_one(lmdb::WriteTxn& txn, const Tables& tables, DocNumber number,
                     const PreparedDocument& document) {
  const std::string key = document_key(number);
  AKIN_CHECK(txn.put(tables.ids, document.id, encode_document_number(number)));
  AKIN_CHECK(txn.put(tables.records, key, document.record));
  AKIN_CHECK(txn.put(tables.texts, key, document.text));
  return txn.put(tables.sequences, key, document.sequence);
}

Error refused(const DocumentRecord& record, Errc code, std::string reason) {
  return Error{code, "document '" + record.id + "'", std::move(reason), ""};
}

Result<void> check(const NewDocument& document) {
  const DocumentRecord& record = document.record;
  if (record.id.empty() || record.id.size() > kMaxIdBytes) {
    return refused(record, Errc::invalid_argument,
                   "the id does not have 1 to " + std::to_string(kMaxIdBytes) + " bytes");
  }
  if (document.features == nullptr || document.features->hashes.size() != document.features->ranges.size() ||
      document.features->hashes.size() != record.features || document.text.size() != record.text_bytes) {
    return refused(record, Errc::invalid_argument, "record, text and features contradict each other");
  }
  const auto reversed = [](TextRange range) { return range.begin > range.end; };
  if (std::any_of(document.features->ranges.begin(), document.features->ranges.end(), reversed)) {
    return refused(record, Errc::invalid_argument, "a feature's range ends before it begins");
  }
  if (record.features > kMaxFeatures)
    return refused(record, Errc::too_large, "more than 4294967295 features");
  if (document.text.size() > kMaxTextBytes)
    return refused(record, Errc::too_large, "the text is longer than 4 GiB");
  return {};
}

}  // namespace

Result<PreparedDocument> prepare(const NewDocument& document) {
  AKIN_CHECK(check(document));
  PreparedDocument prepared;
  prepared.id = document.record.id;
  prepared.record = encode_record(document.record);
  AKIN_TRY(prepared.text, compress_text(document.text));
  prepared.sequence = encode_sequence(*document.features);
  prepared.counts = count_features(document.features->hashes);
  prepared.text_bytes = document.record.text_bytes;
  prepared.features = document.record.features;
  return prepared;
}

Result<std::uint64_t> put_documents(lmdb::WriteTxn& txn, const Tables& tables,
                                    std::span<const PreparedDocument> documents) {
  std::unordered_map<std::string_view, const PreparedDocument*> last;
  for (const PreparedDocument& document : documents) last[document.id] = &document;

  const Reading reading{txn, tables};
  Batch batch;
  AKIN_TRY(batch.counters, read_counters(txn, tables));
  const std::uint64_t before = batch.counters.documents;
  for (const PreparedDocument& document : documents) {
    if (last[document.id] != &document) continue;
    AKIN_TRY(const std::optional<DocNumber> known, find_number(txn, tables, document.id));
    DocNumber number{};
    if (known) {
      number = *known;
      AKIN_CHECK(subtract(reading, number, batch));
    } else {
      AKIN_TRY(number, new_number(batch.counters));
    }
    AKIN_CHECK(put_one(txn, tables, number, document));
    append_postings(batch.added, number, document.counts);
    ++batch.counters.documents;
    batch.counters.features += document.features;
    batch.counters.text_bytes += document.text_bytes;
    batch.counters.text_stored_bytes += document.text.size();
  }
  AKIN_CHECK(apply(txn, tables, batch));
  return documents.size() - (batch.counters.documents - before);
}

Result<std::uint64_t> remove_documents(lmdb::WriteTxn& txn, const Tables& tables,
                                       std::span<const std::string> ids) {
  const Reading reading{txn, tables};
  Batch batch;
  AKIN_TRY(batch.counters, read_counters(txn, tables));
  std::uint64_t removed = 0;
  for (const std::string& id : ids) {
    AKIN_TRY(const std::optional<DocNumber> number, find_number(txn, tables, id));
    if (!number) continue;
    AKIN_CHECK(subtract(reading, *number, batch));
    const std::string key = document_key(*number);
    AKIN_CHECK(txn.erase(tables.ids, id));
    AKIN_CHECK(txn.erase(tables.records, key));
    AKIN_CHECK(txn.erase(tables.texts, key));
    AKIN_CHECK(txn.erase(tables.sequences, key));
    ++removed;
  }
  AKIN_CHECK(apply(txn, tables, batch));
  return removed;
}

}  // namespace akin
