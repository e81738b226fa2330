#include "index/pg/documents/batch.h"

#include <algorithm>
#include <set>
#include <utility>

#include "index/store/records.h"

namespace akin::pg {
namespace {

template <class T>
std::int64_t as_signed(T value) noexcept {
  return static_cast<std::int64_t>(value);
}

}  // namespace

Batch::Batch(Connection& connection, const BatchSubject& subject)
    : connection_(connection), store_(subject.store), ids_(subject.ids) {
  for (const NumberedDocument& one : subject.documents) numbers_.emplace(one.document, one.number);
}

Statement Batch::select_known() const {
  std::vector<std::int64_t> revisions;
  for (const auto& [document, number] : numbers_) {
    if (document->revision.is_assigned()) revisions.push_back(as_signed(document->revision.value));
  }
  return {of_store("SELECT d.* FROM akin.documents_@ d"
                   " WHERE id = ANY($1) OR revision = ANY($2)",
                   store_),
          Params().byte_strings(ids_).numbers(revisions)};
}

void Batch::take_known(const Rows& rows) {
  const std::set<std::string_view> asked(ids_.begin(), ids_.end());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const Revision revision(static_cast<std::uint64_t>(rows.number(row, 2)));
    const std::string_view id = rows.bytes(row, 1);
    revisions_.emplace(revision, id);
    if (!asked.contains(id)) continue;
    Known known{.number = rows.number(row, 0), .revision = revision};
    known.postings = rows.number(row, 3);
    known.stored_bytes = rows.number(row, 4);
    // The counts of a damaged record are unknown; verify reports it.
    if (const auto record = decode_record(rows.bytes(row, 5))) {
      known.features = as_signed(record->all_features());
      known.text_bytes = as_signed(record->text_bytes);
      known.files.bytes = record->file ? as_signed(record->file->kept_bytes) : 0;
    }
    known.files.stored_bytes = rows.number(row, 6);
    known_.emplace(std::string(id), known);
  }
}

Result<Batch> Batch::begin(Connection& connection, const BatchSubject& subject,
                           std::vector<Statement> before) {
  Batch batch(connection, subject);
  std::vector<Statement> statements = std::move(before);
  const std::size_t counters = statements.size();
  statements.push_back(select_counters(subject.store, true));
  statements.push_back(batch.select_known());
  AKIN_TRY(const std::vector<Rows> answers, connection.run_all(statements));
  AKIN_TRY(batch.counters_, counters_of(answers[counters], subject.store, true));
  batch.take_known(answers.back());
  batch.must_end_.begin();
  return batch;
}

Result<Batch> Batch::rehearse(Connection& connection, const BatchSubject& subject) {
  Batch batch(connection, subject);
  AKIN_TRY(batch.counters_, read_counters(connection, subject.store, false));
  const Statement known = batch.select_known();
  AKIN_TRY(const Rows rows, connection.run(known.sql, known.params));
  batch.take_known(rows);
  return batch;
}

void Batch::continue_after(Revision revision) noexcept {
  counters_.last_revision = std::max(counters_.last_revision, revision);
}

Result<Revision> Batch::new_revision(const PreparedDocument& document) {
  if (!document.revision.is_assigned()) {
    counters_.last_revision = revision_after(counters_.last_revision);
    return counters_.last_revision;
  }
  if (revisions_.contains(document.revision)) {
    return Error{Errc::invalid_argument, "document '" + document.id + "'",
                 "another document has its revision " + std::to_string(document.revision.value), ""};
  }
  continue_after(document.revision);
  return document.revision;
}

/// Removes a document and subtracts its counts.
void Batch::withdraw(const Known& known) {
  --counters_.documents;
  counters_.features -= known.features;
  counters_.postings -= known.postings;
  counters_.text_bytes -= known.text_bytes;
  counters_.text_stored_bytes -= known.stored_bytes;
  counters_.files.bytes -= known.files.bytes;
  counters_.files.stored_bytes -= known.files.stored_bytes;
  revisions_.erase(known.revision);
  if (known.document == nullptr) removed_.push_back(known.number);
}

Result<PutResult> Batch::put(PreparedDocument& document) {
  const auto found = known_.find(document.id);
  const bool replaced = found != known_.end();
  if (replaced) {
    withdraw(found->second);
    known_.erase(found);
  }
  AKIN_TRY(const Revision revision, new_revision(document));
  Known known{numbers_.at(&document),
              revision,
              as_signed(document.features),
              as_signed(document.counts.size()),
              as_signed(document.text_bytes),
              as_signed(document.text.size()),
              {as_signed(document.file_bytes), as_signed(document.file.size())},
              &document};
  set_revision(document.record, revision);
  ++counters_.documents;
  counters_.features += known.features;
  counters_.postings += known.postings;
  counters_.text_bytes += known.text_bytes;
  counters_.text_stored_bytes += known.stored_bytes;
  counters_.files.bytes += known.files.bytes;
  counters_.files.stored_bytes += known.files.stored_bytes;
  revisions_.emplace(revision, document.id);
  known_.emplace(document.id, known);
  return PutResult{replaced, revision};
}

Result<bool> Batch::remove(std::string_view id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return false;
  withdraw(found->second);
  known_.erase(found);
  return true;
}

Result<void> Batch::require(std::string_view id, const Precondition& condition) const {
  const auto found = known_.find(id);
  AKIN_CHECK(require_presence(id, condition, found != known_.end()));
  return found == known_.end() ? Result<void>() : require_revision(id, condition, found->second.revision);
}

Result<std::size_t> Batch::finish() {
  must_end_.end();
  std::vector<std::int64_t> numbers, revisions, postings, stored_bytes, file_bytes;
  std::vector<std::string_view> ids, records;
  std::set<std::int64_t> unused;
  for (const auto& [document, number] : numbers_) unused.insert(number);
  for (const auto& [id, known] : known_) {
    if (known.document == nullptr) continue;
    unused.erase(known.number);
    numbers.push_back(known.number);
    ids.emplace_back(id);
    revisions.push_back(as_signed(known.revision.value));
    postings.push_back(known.postings);
    stored_bytes.push_back(known.stored_bytes);
    file_bytes.push_back(known.files.stored_bytes);
    records.emplace_back(known.document->record);
  }
  std::vector<Statement> statements;
  std::vector<std::int64_t> gone = removed_;
  gone.insert(gone.end(), unused.begin(), unused.end());
  if (!gone.empty()) {
    statements.push_back(
        {of_store("DELETE FROM akin.documents_@ WHERE doc = ANY($1)", store_), Params().numbers(removed_)});
    statements.push_back({of_store("INSERT INTO akin.tombstones_@ (doc) SELECT * FROM unnest($1)", store_),
                          Params().numbers(gone)});
  }
  if (!numbers.empty()) {
    statements.push_back(
        {of_store("INSERT INTO akin.documents_@ SELECT * FROM unnest($1, $2, $3, $4, $5, $6, $7)", store_),
         Params()
             .numbers(numbers)
             .byte_strings(ids)
             .numbers(revisions)
             .numbers(postings)
             .numbers(stored_bytes)
             .byte_strings(records)
             .numbers(file_bytes)});
  }
  statements.push_back(update_counters(store_, counters_));
  statements.push_back({"COMMIT"});
  AKIN_CHECK(connection_.run_all(statements));
  return gone.size();
}

}  // namespace akin::pg
