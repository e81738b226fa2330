#include "index/document_writer.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "index/encoding.h"
#include "index/format.h"
#include "index/parallel.h"
#include "index/posting.h"
#include "index/reading.h"
#include "index/recent_postings.h"
#include "index/records.h"
#include "index/runs.h"
#include "index/sequence_codec.h"
#include "index/sequences.h"
#include "index/text_codec.h"

namespace akin {

namespace {

/// Sorts by feature, document. Features are hashes: their leading bits part them evenly, and what is left to
/// sort is small.
void sort_postings(std::vector<Posting>& postings) {
  constexpr unsigned kBucketBits = 12;
  constexpr std::size_t kBuckets = std::size_t{1} << kBucketBits;
  if (postings.size() < kBuckets) return std::sort(postings.begin(), postings.end());
  const auto bucket = [](const Posting& posting) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(posting.feature) >> (64 - kBucketBits));
  };
  std::vector<std::size_t> ends(kBuckets, 0);
  for (const Posting& posting : postings) ++ends[bucket(posting)];
  std::size_t sum = 0;
  for (std::size_t& end : ends) sum += std::exchange(end, sum);
  std::vector<Posting> parted(postings.size());
  for (const Posting& posting : postings) parted[ends[bucket(posting)]++] = posting;
  auto begin = parted.begin();
  for (std::size_t end : ends) {
    const auto stop = parted.begin() + static_cast<std::ptrdiff_t>(end);
    std::sort(begin, stop);
    begin = stop;
  }
  postings = std::move(parted);
}

/// A batch on its way into the tables.
struct Batch {
  Counters counters;
  PostingState state;
  std::vector<Posting> postings;
};

Result<Batch> begin_batch(const lmdb::Txn& txn, const Tables& tables) {
  Batch batch;
  AKIN_TRY(batch.counters, read_counters(txn, tables));
  AKIN_TRY(batch.state, read_posting_state(txn, tables));
  return batch;
}

/// Takes a stored document away; its postings stay, and it is noted as dead.
Result<void> bury(lmdb::WriteTxn& txn, const Tables& tables, DocNumber number, Counters& counters) {
  const Reading reading{txn, tables};
  const std::string key = document_key(number);
  --counters.documents;
  if (const Result<DocumentRecord> record = read_record(reading, number); !record.has_error()) {
    counters.features -= record->features;
    counters.text_bytes -= record->text_bytes;
  }
  AKIN_TRY(const std::optional<std::string_view> text, txn.get(tables.texts, key));
  if (text) counters.text_stored_bytes -= text->size();
  std::uint32_t postings = 0;
  if (const Result<StoredSequence> stored = read_stored_sequence(reading, number); !stored.has_error()) {
    postings = static_cast<std::uint32_t>(count_features(stored->sequence.hashes).size());
  }
  counters.postings -= postings;
  counters.dead_postings += postings;
  AKIN_CHECK(txn.erase(tables.records, key));
  AKIN_CHECK(txn.erase(tables.texts, key));
  AKIN_CHECK(erase_sequence(txn, tables, number));
  std::string value;
  append_u32(value, postings);
  return txn.put(tables.dead, key, value);
}

Result<DocNumber> new_number(Counters& counters) {
  if (counters.next_document >= static_cast<std::uint64_t>(kEnd)) {
    return Error{Errc::too_large, "collection", "4294967295 document numbers are used up",
                 "run `akin reindex`: it numbers anew"};
  }
  return DocNumber{static_cast<std::uint32_t>(counters.next_document++)};
}

Result<void> write_run(lmdb::WriteTxn& txn, const Tables& tables, Batch& batch) {
  const std::uint32_t id = batch.state.next_run++;
  RunWriter writer(
      id, [&](std::string_view key, std::string_view block) { return txn.append(tables.runs, key, block); });
  std::vector<DocNumber> documents;
  std::vector<std::uint32_t> counts;
  for (std::size_t at = 0; at < batch.postings.size();) {
    const Feature feature = batch.postings[at].feature;
    documents.clear();
    counts.clear();
    for (; at < batch.postings.size() && batch.postings[at].feature == feature; ++at) {
      documents.push_back(batch.postings[at].document);
      counts.push_back(batch.postings[at].count);
    }
    AKIN_CHECK(writer.add(feature, documents, counts));
  }
  AKIN_CHECK(writer.flush());
  batch.state.runs.push_back(writer.info());
  return {};
}

Result<void> finish_batch(lmdb::WriteTxn& txn, const Tables& tables, Batch& batch) {
  if (!batch.postings.empty()) {
    sort_postings(batch.postings);
    batch.counters.postings += batch.postings.size();
    if (batch.postings.size() >= kDirectRunPostings) {
      AKIN_CHECK(write_run(txn, tables, batch));
    } else {
      AKIN_CHECK(add_recent_postings(txn, tables.recent[batch.state.active], batch.postings));
      batch.state.recent += batch.postings.size();
    }
    AKIN_CHECK(write_posting_state(txn, tables, batch.state));
  }
  return txn.put(tables.meta, format::kCountersEntry, encode_counters(batch.counters));
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

Result<PreparedDocument> prepare(const NewDocument& document, bool store_text) {
  AKIN_CHECK(check(document));
  PreparedDocument prepared;
  prepared.id = document.record.id;
  prepared.record = encode_record(document.record);
  if (store_text) {
    AKIN_TRY(prepared.text, compress_text(document.text));
  }
  prepared.sequence = encode_sequence(*document.features);
  prepared.counts = count_features(document.features->hashes);
  prepared.text_bytes = document.record.text_bytes;
  prepared.features = document.record.features;
  return prepared;
}

Result<std::vector<PreparedDocument>> prepare_all(std::span<const NewDocument> documents, bool store_text) {
  std::vector<PreparedDocument> prepared(documents.size());
  std::vector<std::optional<Error>> errors(documents.size());
  for_each_index(documents.size(), [&](std::size_t i) {
    Result<PreparedDocument> one = prepare(documents[i], store_text);
    if (one.has_error()) {
      errors[i] = one.error();
    } else {
      prepared[i] = std::move(*one);
    }
  });
  for (const std::optional<Error>& error : errors) {
    if (error) return *error;
  }
  return prepared;
}

Result<std::uint64_t> put_documents(lmdb::WriteTxn& txn, const Tables& tables,
                                    std::span<const PreparedDocument> documents) {
  std::unordered_map<std::string_view, const PreparedDocument*> last;
  for (const PreparedDocument& document : documents) last[document.id] = &document;

  AKIN_TRY(Batch batch, begin_batch(txn, tables));
  std::vector<std::pair<DocNumber, std::string_view>> sequences;
  std::uint64_t fresh = 0;
  for (const PreparedDocument& document : documents) {
    if (last[document.id] != &document) continue;
    AKIN_TRY(const std::optional<DocNumber> known, find_number(txn, tables, document.id));
    if (known) {
      AKIN_CHECK(bury(txn, tables, *known, batch.counters));
    } else {
      ++fresh;
    }
    AKIN_TRY(const DocNumber number, new_number(batch.counters));
    const std::string key = document_key(number);
    AKIN_CHECK(txn.put(tables.ids, document.id, encode_document_number(number)));
    AKIN_CHECK(txn.append(tables.records, key, document.record));
    if (!document.text.empty()) AKIN_CHECK(txn.append(tables.texts, key, document.text));
    sequences.emplace_back(number, document.sequence);
    for (const FeatureCount& entry : document.counts)
      batch.postings.push_back({entry.feature, number, entry.count});
    ++batch.counters.documents;
    batch.counters.features += document.features;
    batch.counters.text_bytes += document.text_bytes;
    batch.counters.text_stored_bytes += document.text.size();
  }
  AKIN_CHECK(put_sequences(txn, tables, sequences));
  AKIN_CHECK(finish_batch(txn, tables, batch));
  return documents.size() - fresh;
}

Result<std::uint64_t> remove_documents(lmdb::WriteTxn& txn, const Tables& tables,
                                       std::span<const std::string> ids) {
  AKIN_TRY(Batch batch, begin_batch(txn, tables));
  std::uint64_t removed = 0;
  for (const std::string& id : ids) {
    AKIN_TRY(const std::optional<DocNumber> number, find_number(txn, tables, id));
    if (!number) continue;
    AKIN_CHECK(bury(txn, tables, *number, batch.counters));
    AKIN_CHECK(txn.erase(tables.ids, id));
    ++removed;
  }
  AKIN_CHECK(finish_batch(txn, tables, batch));
  return removed;
}

}  // namespace akin
