#include "index/pg/documents/batch.h"

#include <algorithm>
#include <set>
#include <utility>

namespace akin::pg {
namespace {

template <class T>
std::int64_t as_signed(T value) noexcept {
  return static_cast<std::int64_t>(value);
}

DirectoryChanges::Numbers numbers_of(std::span<const NumberedDocument> documents) {
  DirectoryChanges::Numbers numbers;
  for (const NumberedDocument& one : documents) numbers.emplace(one.document, one.number);
  return numbers;
}

}  // namespace

Batch::Batch(Connection& connection, const BatchSubject& subject)
    : DirectoryChanges(numbers_of(subject.documents)),
      connection_(connection),
      store_(subject.store),
      ids_(subject.ids) {}

Statement Batch::select_known() const {
  std::vector<std::int64_t> revisions;
  for (const auto& [document, number] : numbers()) {
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
    Known known;
    known.number = rows.number(row, 0);
    known.revision = revision;
    known.postings = rows.number(row, 3);
    known.stored_bytes = rows.number(row, 4);
    known.take_record(rows.bytes(row, 5));
    known.files.stored_bytes = rows.number(row, 6);
    note(id, known, asked.contains(id));
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
  AKIN_TRY(const StoreCounters counted, counters_of(answers[counters], subject.store, true));
  batch.start_from(counted);
  batch.take_known(answers.back());
  batch.must_end_.begin();
  return batch;
}

Result<Batch> Batch::rehearse(Connection& connection, const BatchSubject& subject) {
  Batch batch(connection, subject);
  AKIN_TRY(const StoreCounters counted, read_counters(connection, subject.store, false));
  batch.start_from(counted);
  const Statement known = batch.select_known();
  AKIN_TRY(const Rows rows, connection.run(known.sql, known.params));
  batch.take_known(rows);
  return batch;
}

Result<std::size_t> Batch::finish() {
  must_end_.end();
  std::vector<std::int64_t> numbers, revisions, postings, stored_bytes, file_bytes;
  std::vector<std::string_view> ids, records;
  std::set<std::int64_t> unused;
  for (const auto& [document, number] : this->numbers()) unused.insert(number);
  for (const auto& [id, known] : this->known()) {
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
  std::vector<std::int64_t> gone = removed();
  gone.insert(gone.end(), unused.begin(), unused.end());
  if (!gone.empty()) {
    statements.push_back(
        {of_store("DELETE FROM akin.documents_@ WHERE doc = ANY($1)", store_), Params().numbers(removed())});
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
  statements.push_back(update_counters(store_, counters()));
  statements.push_back({"COMMIT"});
  AKIN_CHECK(connection_.run_all(statements));
  return gone.size();
}

}  // namespace akin::pg
