#include "index/lmdb/documents/document_batch.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/radix_sort.h"
#include "index/codec/encoding.h"
#include "index/codec/sequence_codec.h"
#include "index/lmdb/documents/change_log.h"
#include "index/lmdb/documents/chunks.h"
#include "index/lmdb/documents/reading.h"
#include "index/lmdb/env/format.h"
#include "index/store/records.h"

namespace akin {
namespace {

/// Nothing, if it is damaged. A read that fails for want of memory says nothing of what is stored.
template <class Value>
Result<std::optional<Value>> unless_damaged(Result<Value> read) {
  if (!read.has_error()) return std::optional<Value>(*std::move(read));
  if (read.error().code == Errc::busy) return std::move(read).error();
  return std::optional<Value>();
}

}  // namespace

Result<DocumentBatch> DocumentBatch::begin(lmdb::WriteTxn& txn, const Tables& tables) {
  DocumentBatch batch(txn, tables);
  AKIN_TRY(batch.counters_, read_counters(txn, tables));
  batch.before_ = batch.counters_;
  AKIN_TRY(batch.state_, read_posting_state(txn, tables));
  AKIN_TRY(batch.log_is_on_, log_is_on(txn, tables));
  batch.first_ = batch.counters_.next_document;
  batch.must_end_.begin();
  return batch;
}

Result<PutResult> DocumentBatch::put(PreparedDocument& document) {
  AKIN_TRY(const std::optional<DocNumber> known, find_number(txn_, tables_, document.id));
  if (known) AKIN_CHECK(add_tombstone(*known));
  if (log_is_on_) changed_.push_back(document.id);
  AKIN_TRY(const DocNumber number, new_number());
  AKIN_TRY(const Revision revision, new_revision(document));
  const std::string key = document_key(number);
  set_revision(document.record, revision);
  AKIN_CHECK(txn_.put(tables_.ids, document.id, encode_document_number(number)));
  AKIN_CHECK(txn_.append(tables_.records, key, document.record));
  AKIN_CHECK(txn_.put(tables_.revisions, revision_key(revision), encode_document_number(number)));
  if (!document.file.empty()) AKIN_CHECK(txn_.append(tables_.files, key, document.file));
  if (!document.words.empty()) AKIN_CHECK(txn_.append(tables_.files, words_key(number), document.words));
  if (!document.text.empty()) texts_.emplace_back(number, document.text);
  sequences_.emplace_back(number, document.sequence);
  postings_ += document.counts.size();
  counts_.emplace_back(number, document.counts);
  ++counters_.documents;
  counters_.features += document.features;
  counters_.text_bytes += document.text_bytes;
  counters_.text_stored_bytes += document.text.size();
  if (counters_.files) {
    counters_.files->bytes += document.file_bytes;
    counters_.files->stored_bytes += document.file.size();
  }
  return PutResult{known.has_value(), revision};
}

Result<bool> DocumentBatch::remove(std::string_view id) {
  AKIN_TRY(const std::optional<DocNumber> number, find_number(txn_, tables_, id));
  if (!number) return false;
  AKIN_CHECK(add_tombstone(*number));
  AKIN_CHECK(txn_.erase(tables_.ids, id));
  if (log_is_on_) changed_.emplace_back(id);
  return true;
}

Result<void> DocumentBatch::require(std::string_view id, const Precondition& condition) const {
  if (condition.kind == Precondition::Kind::none) return {};
  AKIN_TRY(const std::optional<DocNumber> number, find_number(txn_, tables_, id));
  AKIN_CHECK(require_presence(id, condition, number.has_value()));
  if (!number || condition.kind != Precondition::Kind::revision_in) return {};
  AKIN_TRY(const DocumentRecord record, read_record({txn_, tables_}, *number));
  return require_revision(id, condition, record.revision);
}

/// For a document whose record cannot be read: searches the tables for the entries that refer to it.
Result<void> DocumentBatch::erase_revisions_of(DocNumber number) {
  const std::string wanted = encode_document_number(number);
  AKIN_TRY(lmdb::Cursor cursor, txn_.write_cursor(tables_.revisions));
  AKIN_TRY(bool there, cursor.first());
  while (there) {
    if (cursor.value() == wanted) AKIN_CHECK(cursor.erase());
    AKIN_TRY(there, cursor.next());
  }
  return {};
}

/// Of a document that this batch put.
std::uint64_t DocumentBatch::pending_text_bytes(DocNumber number) const {
  const auto text = std::ranges::lower_bound(texts_, number, {}, &DocumentChunk::Parts::value_type::first);
  return text != texts_.end() && text->first == number ? text->second.size() : 0;
}

/// Removes a stored document; its postings stay, and it gets a tombstone.
Result<void> DocumentBatch::add_tombstone(DocNumber number) {
  const Reading reading{txn_, tables_};
  const std::string key = document_key(number);
  --counters_.documents;
  AKIN_TRY(const auto record, unless_damaged(read_record(reading, number)));
  if (record) {
    counters_.features -= record->all_features();
    counters_.text_bytes -= record->text_bytes;
    if (counters_.files) counters_.files->bytes -= record->file ? record->file->kept_bytes : 0;
    AKIN_CHECK(txn_.erase(tables_.revisions, revision_key(record->revision)));
  } else {
    AKIN_CHECK(erase_revisions_of(number));
  }
  const bool of_this_batch = static_cast<std::uint32_t>(number) >= first_;
  std::uint32_t postings = 0;
  if (of_this_batch) {
    counters_.text_stored_bytes -= pending_text_bytes(number);
  } else {
    AKIN_TRY(const auto bytes, unless_damaged(read_stored_text_bytes(reading, number)));
    counters_.text_stored_bytes -= bytes.value_or(0);
    AKIN_TRY(const auto stored, unless_damaged(read_stored_sequence(reading, number)));
    if (stored) {
      postings = static_cast<std::uint32_t>(stored->derived ? stored->derived->postings.postings
                                                            : count_features(stored->sequence.hashes).size());
    }
  }
  if (counters_.files) {
    AKIN_TRY(const std::uint64_t file_bytes, txn_.value_size(tables_.files, key));
    counters_.files->stored_bytes -= file_bytes;
  }
  AKIN_CHECK(txn_.erase(tables_.records, key));
  if (counters_.files) AKIN_CHECK(txn_.erase(tables_.files, key));
  AKIN_CHECK(txn_.erase(tables_.files, words_key(number)));
  if (of_this_batch) {
    withdrawn_.insert(static_cast<std::uint32_t>(number));
    return {};
  }
  counters_.postings -= postings;
  counters_.tombstoned_postings += postings;
  erased_.push_back(number);
  std::string value;
  append_u32(value, postings);
  return txn_.put(tables_.tombstones, key, value);
}

Result<DocNumber> DocumentBatch::new_number() {
  if (counters_.next_document >= static_cast<std::uint64_t>(kEnd)) {
    return Error{Errc::too_large, "collection", "4294967295 document numbers are used up",
                 "run `akin reindex`, which numbers the documents again"};
  }
  return DocNumber{static_cast<std::uint32_t>(counters_.next_document++)};
}

Result<Revision> DocumentBatch::new_revision(const PreparedDocument& document) {
  if (!document.revision.is_assigned()) {
    counters_.last_revision = revision_after(counters_.last_revision);
    return counters_.last_revision;
  }
  AKIN_TRY(const std::optional<std::string_view> taken,
           txn_.get(tables_.revisions, revision_key(document.revision)));
  if (taken) {
    return Error{Errc::invalid_argument, "document '" + document.id + "'",
                 "another document has its revision " + std::to_string(document.revision.value), ""};
  }
  continue_after(document.revision);
  return document.revision;
}

void DocumentBatch::continue_after(Revision revision) noexcept {
  counters_.last_revision = std::max(counters_.last_revision, revision);
}

/// Takes over the newest runs, if they are recent and together at most twice as large as what comes after
/// them: each posting is written again a few times, and the recent runs at least halve in size from one to
/// the next. Returns their postings, those of a run after another.
Result<std::vector<Posting>> DocumentBatch::take_recent_runs() {
  std::vector<Posting> taken;
  const std::uint64_t limit = tables_.small_run_postings;
  if (postings_ >= limit) return taken;
  while (!state_.runs.empty()) {
    const RunInfo run = state_.runs.back();
    if (!is_recent(state_, run) || run.postings >= limit || run.postings > 2 * (postings_ + taken.size()))
      break;
    std::vector<Posting> postings;
    postings.reserve(run.postings + taken.size());
    const Result<void> read = read_run(txn_, tables_, run, postings);
    // A damaged run stays as it is, for `verify` to find: it must not keep documents from being stored.
    if (read.has_error() && read.error().code == Errc::corrupt) break;
    AKIN_CHECK(read);
    if (postings.size() != run.postings) break;
    postings.insert(postings.end(), taken.begin(), taken.end());
    taken = std::move(postings);
    AKIN_CHECK(erase_run(txn_, tables_, run.id));
    // No run has a larger number, so that the new one can have this one.
    state_.next_run = run.id;
    state_.runs.pop_back();
  }
  return taken;
}

/// Makes a run of the documents' postings.
Result<void> DocumentBatch::write_postings() {
  if (postings_ == 0) return {};
  counters_.postings += postings_;
  // Whatever a large batch stores is packed densely.
  if (postings_ >= tables_.small_run_postings && static_cast<std::uint64_t>(state_.packed_to) == first_)
    state_.packed_to = DocNumber{static_cast<std::uint32_t>(counters_.next_document)};
  AKIN_TRY(std::vector<Posting> postings, take_recent_runs());
  postings.reserve(postings.size() + postings_);
  for (const auto& [document, counts] : counts_) {
    for (const FeatureCount& entry : counts) postings.push_back({entry.feature, document, entry.count});
  }
  // Stable, and the documents' numbers ascend.
  radix_sort(std::span(postings),
             [](const Posting& posting) { return static_cast<std::uint64_t>(posting.feature); });
  AKIN_CHECK(write_run(postings));
  return write_posting_state(txn_, tables_, state_);
}

Result<void> DocumentBatch::write_run(std::span<const Posting> postings) {
  RunWriter writer(state_.next_run++, [this](std::string_view key, std::string_view block) {
    return append_block(txn_, tables_, key, block);
  });
  std::vector<DocNumber> documents;
  std::vector<std::uint32_t> counts;
  for (std::size_t at = 0; at < postings.size();) {
    const Feature feature = postings[at].feature;
    documents.clear();
    counts.clear();
    for (; at < postings.size() && postings[at].feature == feature; ++at) {
      documents.push_back(postings[at].document);
      counts.push_back(postings[at].count);
    }
    AKIN_CHECK(writer.add(feature, documents, counts));
  }
  AKIN_CHECK(writer.flush());
  state_.runs.push_back(writer.info());
  return {};
}

Result<void> DocumentBatch::finish() {
  must_end_.end();
  if (counters_ == before_) return {};  // every change changes one of them
  if (!withdrawn_.empty()) {
    const auto is_withdrawn = [this](DocNumber number) {
      return withdrawn_.contains(static_cast<std::uint32_t>(number));
    };
    for (DocumentChunk::Parts* const parts : {&texts_, &sequences_})
      std::erase_if(*parts, [&](const auto& part) { return is_withdrawn(part.first); });
    std::erase_if(counts_, [&](const auto& counts) {
      if (!is_withdrawn(counts.first)) return false;
      postings_ -= counts.second.size();
      return true;
    });
  }
  for (const auto& [parts, chunked] :
       {std::pair(&texts_, texts_of(tables_)), std::pair(&sequences_, sequences_of(tables_))}) {
    AKIN_CHECK(erase_parts(txn_, chunked, erased_));
    AKIN_CHECK(put_parts(txn_, chunked, *parts));
  }
  AKIN_CHECK(write_postings());
  if (!changed_.empty()) AKIN_CHECK(note_changes(txn_, tables_, changed_));
  return txn_.put(tables_.meta, format::kCountersEntry, encode_counters(counters_));
}

}  // namespace akin
