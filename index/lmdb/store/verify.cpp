#include "index/lmdb/store/verify.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "index/codec/encoding.h"
#include "index/lmdb/documents/chunks.h"
#include "index/lmdb/documents/verify_originals.h"
#include "index/lmdb/postings/posting_stream.h"
#include "index/lmdb/postings/tombstones.h"
#include "index/lmdb/tables/tables.h"
#include "index/store/document_check.h"
#include "index/store/posting_comparison.h"

namespace akin {

namespace {

class Verification {
 public:
  Verification(Reading reading, bool store_text, const std::function<void(const Finding&)>& report,
               const std::function<void(std::uint64_t, std::uint64_t)>& progress)
      : reading_(reading), store_text_(store_text), report_(report), progress_(progress) {}

  Result<std::uint64_t> run() {
    read_stored_counters();
    AKIN_CHECK(check_documents());
    AKIN_CHECK(check_ids());
    AKIN_CHECK(check_revisions());
    AKIN_CHECK(check_files_have_documents());
    AKIN_CHECK(check_chunks(texts_of(reading_.tables)));
    AKIN_CHECK(check_chunks(sequences_of(reading_.tables)));
    AKIN_CHECK(check_tombstones());
    Result<PostingState> state = read_posting_state(reading_.txn, reading_.tables);
    if (state.has_error()) {
      found(state.error());
      return findings_;
    }
    state_ = std::move(*state);
    AKIN_CHECK(check_postings());
    check_counters();
    return findings_;
  }

 private:
  void found(std::string where, std::string broken) {
    ++findings_;
    if (report_) report_({std::move(where), std::move(broken)});
  }
  void found(const Error& error) { found(error.what, error.reason); }

  void read_stored_counters() {
    Result<Counters> counters = read_counters(reading_.txn, reading_.tables);
    if (counters.has_error()) {
      found(counters.error());
    } else {
      stored_ = *counters;
    }
  }

  /// Calls visit(cursor) for every sound entry of a table, and reports the others.
  template <class Visit>
  Result<void> for_each_entry(lmdb::Table table, const Visit& visit) {
    return akin::for_each_entry(reading_.txn, table, visit, [this](const Error& error) { found(error); });
  }

  /// Whether a key leads to a document; damage is reported.
  Result<bool> leads_to(lmdb::Table table, std::string_view key, DocNumber number) {
    const Result<std::optional<std::string_view>> value = reading_.txn.get(table, key);
    if (!value.has_error()) return *value && decode_document_number(**value) == number;
    if (value.error().code != Errc::corrupt) return value.error();
    found(value.error());
    return false;
  }

  Result<void> check_documents() {
    AKIN_TRY(const std::uint64_t total, reading_.txn.entries(reading_.tables.records));
    std::uint64_t done = 0;
    if (progress_) progress_(done, total);
    return for_each_entry(reading_.tables.records, [&](const lmdb::Cursor& cursor) -> Result<void> {
      const std::optional<DocNumber> number = decode_document_key(cursor.key());
      if (!number) {
        found("records", "a key does not have 4 bytes");
      } else {
        postings_.add(*number);
        AKIN_CHECK(check_document(*number));
      }
      if (progress_) progress_(++done, total);
      return {};
    });
  }

  Result<void> check_document(DocNumber number) {
    if (stored_ && static_cast<std::uint32_t>(number) >= stored_->next_document) {
      found(name_of(number), "its number was never given out");
    }
    ++counted_.documents;
    Result<DocumentRecord> record = read_record(reading_, number);
    if (record.has_error()) {
      found(record.error());
    } else {
      counted_.features += record->all_features();
      counted_.text_bytes += record->text_bytes;
      counted_.files->bytes += record->file ? record->file->kept_bytes : 0;
      AKIN_TRY(const bool by_id, leads_to(reading_.tables.ids, record->id, number));
      if (!by_id) found(name_of(number), "its id '" + record->id + "' does not lead back to it");
      AKIN_TRY(const bool by_revision,
               leads_to(reading_.tables.revisions, revision_key(record->revision), number));
      if (!by_revision) found(name_of(number), "its revision does not lead back to it");
      counted_.last_revision = std::max(counted_.last_revision, record->revision);
      find_in_originals(reading_, number, *record, store_text_, [this](const Error& error) { found(error); });
    }
    check_sequence(number, record.has_error() ? nullptr : &*record);
    count_stored_bytes(reading_, number, counted_);
    return {};
  }

  void check_sequence(DocNumber number, const DocumentRecord* record) {
    const Result<StoredSequence> stored = read_stored_sequence(reading_, number);
    if (stored.has_error()) return found(stored.error());
    postings_.set_sequence(*stored);
    if (record == nullptr) return;
    akin::check_sequence(*stored, *record,
                         [&](std::string broken) { found(name_of(number), std::move(broken)); });
  }

  Result<void> check_ids() {
    return for_each_entry(reading_.tables.ids, [&](const lmdb::Cursor& cursor) -> Result<void> {
      const std::string where = "id '" + std::string(cursor.key()) + "'";
      const std::optional<DocNumber> number = decode_document_number(cursor.value());
      if (!number) {
        found(where, "its document number does not have 4 bytes");
      } else if (!postings_.contains(*number)) {
        found(where, "there is no " + name_of(*number));
      } else if (Result<DocumentRecord> record = read_record(reading_, *number);
                 !record.has_error() && record->id != cursor.key()) {
        found(where, name_of(*number) + " has another id");
      }
      return {};
    });
  }

  /// As every document's revision leads back to it, no more entries means the same ones.
  Result<void> check_revisions() {
    AKIN_TRY(const std::uint64_t entries, reading_.txn.entries(reading_.tables.revisions));
    if (entries > postings_.size()) found("revisions", "there are more of them than documents");
    // The entries of these have nothing else to be compared with.
    for (const lmdb::Table table : {reading_.tables.revisions, reading_.tables.changes}) {
      AKIN_CHECK(for_each_entry(table, [](const lmdb::Cursor&) { return Result<void>(); }));
    }
    if (stored_ && counted_.last_revision > stored_->last_revision) {
      found("meta 'counters'", "a document has a later revision than the last one");
    }
    return {};
  }

  Result<void> check_files_have_documents() {
    return for_each_entry(reading_.tables.files, [&](const lmdb::Cursor& cursor) -> Result<void> {
      const std::optional<OriginalKey> key = decode_original_key(cursor.key());
      if (!key) {
        found("files", "a key does not have 4 bytes");
      } else if (!postings_.contains(key->number)) {
        found(name_of(key->number), "there is " + std::string(key->what) + " without a record");
      } else if (key->what == OriginalKey::kFile) {
        const Result<DocumentRecord> record = read_record(reading_, key->number);
        if (!record.has_error() && !keeps_file(*record))
          found(name_of(key->number), "there is a file that its record does not have");
      }
      return {};
    });
  }

  Result<void> check_chunks(const Chunked& chunked) {
    std::optional<DocNumber> last;
    const std::string what(chunked.what);
    return for_each_entry(chunked.table, [&](const lmdb::Cursor& cursor) -> Result<void> {
      const std::optional<DocNumber> first = decode_document_key(cursor.key());
      if (!first) {
        found(what, "a key does not have 4 bytes");
        return {};
      }
      const std::optional<DocumentChunk::Parts> parts = DocumentChunk::open(*first, cursor.value());
      if (!parts) {
        found(name_of(*first), "the chunk of its " + what + " cannot be read");
        return {};
      }
      if (last && *last >= *first) found(name_of(*first), "its chunk begins inside the one before");
      for (const auto& part : *parts) {
        if (!postings_.contains(part.first)) {
          found(name_of(part.first), "there is a " + what + " without a record");
        }
      }
      last = parts->back().first;
      return {};
    });
  }

  Result<void> check_tombstones() {
    AKIN_CHECK(for_each_entry(reading_.tables.tombstones, [&](const lmdb::Cursor& cursor) -> Result<void> {
      const std::optional<DocNumber> number = decode_document_key(cursor.key());
      if (!number || cursor.value().size() != 4) {
        found("tombstones", "an entry does not have 4 bytes of key and of value");
        return {};
      }
      counted_.tombstoned_postings += load_u32(cursor.value().data());
      if (postings_.contains(*number)) found(name_of(*number), "it has a tombstone and a record");
      return {};
    }));
    // Damage was reported above; their postings are then reported as well.
    Result<Tombstones> tombstones = Tombstones::read(reading_.txn, reading_.tables);
    if (!tombstones.has_error()) tombstones_ = std::move(*tombstones);
    return {};
  }

  /// Calls visit(stream) for every posting list, and reports damage.
  template <class Visit>
  Result<std::uint64_t> for_each_list(bool report, const Visit& visit) {
    AKIN_TRY(PostingStream stream,
             PostingStream::open(reading_.txn, reading_.tables, state_.runs, Feature{0}, tombstones_));
    std::string before;  // the last error
    for (;;) {
      const Result<bool> there = stream.next();
      if (there.has_error()) {
        if (there.error().code != Errc::corrupt) return there.error();
        // LMDB does not come past a page that it refuses.
        if (there.error().message() == before) return stream.left_out();
        before = there.error().message();
        if (report) found(there.error());
        continue;
      }
      if (!*there) return stream.left_out();
      visit(stream);
    }
  }

  Result<void> check_postings() {
    const auto visit = [&](const PostingStream& stream) {
      for (std::size_t i = 0; i < stream.documents().size(); ++i) {
        const DocNumber number = stream.documents()[i];
        ++counted_.postings;
        if (!postings_.add_posting(stream.feature(), number, stream.counts()[i]))
          found(name_of(stream.feature()), name_of(number) + " is in its list but does not exist");
      }
    };
    AKIN_TRY(const std::uint64_t left_out, for_each_list(true, visit));
    check_posting_sums(counted_.postings + left_out);
    const auto for_each_posting = [&](const PostingComparison::VisitPosting& visit_posting) -> Result<void> {
      AKIN_CHECK(for_each_list(false, [&](const PostingStream& stream) {
        for (std::size_t i = 0; i < stream.documents().size(); ++i)
          visit_posting(stream.feature(), stream.documents()[i], stream.counts()[i]);
      }));
      return {};
    };
    const auto sequence = [&](DocNumber number) { return read_leading_sequence(reading_, number); };
    return postings_.report_differences(
        {for_each_posting, sequence},
        [&](std::string where, std::string broken) { found(std::move(where), std::move(broken)); });
  }

  /// Compares the number of postings that the state gives for its runs with those that are stored.
  void check_posting_sums(std::uint64_t counted) {
    std::uint64_t listed = 0;
    for (const RunInfo& run : state_.runs) listed += run.postings;
    if (listed == counted) return;
    found("meta 'postings'", "the entry gives " + std::to_string(listed) + " for runs, but " +
                                 std::to_string(counted) + " were counted");
  }

  void check_counters() {
    if (!stored_) return;
    const auto check = [&](std::string_view name, std::uint64_t stored, std::uint64_t counted) {
      if (stored == counted) return;
      found("meta 'counters'", std::string(name) + " is " + std::to_string(stored) + ", but " +
                                   std::to_string(counted) + " were counted");
    };
    check("documents", stored_->documents, counted_.documents);
    check("features", stored_->features, counted_.features);
    check("postings", stored_->postings, counted_.postings);
    check("tombstoned postings", stored_->tombstoned_postings, counted_.tombstoned_postings);
    check("text bytes", stored_->text_bytes, counted_.text_bytes);
    check("stored text bytes", stored_->text_stored_bytes, counted_.text_stored_bytes);
    if (!stored_->files) return;
    check("file bytes", stored_->files->bytes, counted_.files->bytes);
    check("stored file bytes", stored_->files->stored_bytes, counted_.files->stored_bytes);
  }

  Reading reading_;
  bool store_text_;
  Tombstones tombstones_;
  PostingState state_;
  const std::function<void(const Finding&)>& report_;
  const std::function<void(std::uint64_t, std::uint64_t)>& progress_;
  std::uint64_t findings_ = 0;
  std::optional<Counters> stored_;
  Counters counted_{.files = FileSizes()};
  PostingComparison postings_;
};

}  // namespace

Result<std::uint64_t> verify_store(Reading reading, bool store_text,
                                   const std::function<void(const Finding&)>& report,
                                   const std::function<void(std::uint64_t, std::uint64_t)>& progress) {
  return Verification(reading, store_text, report, progress).run();
}

}  // namespace akin
