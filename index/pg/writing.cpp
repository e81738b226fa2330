#include "index/pg/writing.h"

#include <mutex>
#include <optional>
#include <utility>

#include "base/parallel.h"
#include "base/time.h"
#include "index/pg/entry.h"

namespace akin::pg {
namespace {

/// Documents grouped by their part.
using ByPart = std::vector<std::vector<NumberedDocument>>;

class Writer {
 public:
  Writer(Pool& pool, const Parts& parts, StoreNumber store, const Writing& writing)
      : pool_(pool), parts_(parts), store_(store), writing_(writing) {
    subject_.store = store;
    subject_.ids = writing.ids;
  }

  Result<Written> write() {
    AKIN_TRY(const Pool::Lease connection, pool_.lease());
    if (writing_.rehearse) {
      for (const PreparedDocument* const one : writing_.documents) documents_.push_back({0, one});
      subject_.documents = documents_;
      AKIN_TRY(Batch trial, Batch::rehearse(*connection, subject_));
      AKIN_CHECK(writing_.body(trial));
    }
    AKIN_TRY(std::vector<Statement> before,
             parts_.is_local() ? write_here(*connection) : write_on_shards(*connection));
    subject_.documents = documents_;
    Result<Batch> batch = Batch::begin(*connection, subject_, std::move(before));
    if (batch.has_error()) {
      if (subject_.announced && batch.error().code == Errc::busy) note_again(*connection);
      return std::move(batch).error();
    }
    if (Result<void> made = writing_.body(*batch); made.has_error()) {
      batch->abandon();
      return std::move(made).error();
    }
    Written written;
    AKIN_TRY(written.gone, batch->finish());
    written.documents = batch->documents();
    written.postings = count_postings(documents_);
    written.all_postings = batch->postings();
    return written;
  }

 private:
  /// Begins the transaction and writes the content, or returns the statements that do.
  Result<std::vector<Statement>> write_here(Connection& connection) {
    documents_.clear();
    if (writing_.documents.empty()) return std::vector<Statement>{{"BEGIN"}};
    const std::vector<Statement> first{
        {"BEGIN"},
        {of_store("SELECT nextval('akin.next_document_@') FROM generate_series(1, $1)", store_),
         Params().number(static_cast<std::int64_t>(writing_.documents.size()))}};
    AKIN_TRY(const std::vector<Rows> answers, connection.run_all(first));
    for (std::size_t i = 0; i < writing_.documents.size(); ++i)
      documents_.push_back({answers[1].number(i, 0), writing_.documents[i]});
    if (count_postings(documents_) < kCopiedPostings) return insert_content(store_, documents_);
    AKIN_CHECK(copy_content(connection, store_, documents_));
    return std::vector<Statement>();
  }

  Result<std::vector<Statement>> write_on_shards(Connection& connection) {
    documents_.clear();
    if (writing_.documents.empty()) return std::vector<Statement>{{"BEGIN"}};
    subject_.announced = true;
    AKIN_TRY(const ByPart by_part, announce(connection));
    std::vector<std::size_t> wanted;
    for (std::size_t part = 0; part < by_part.size(); ++part) {
      if (!by_part[part].empty()) wanted.push_back(part);
    }
    std::mutex mutex;
    std::optional<Error> error;
    run_threads(static_cast<unsigned>(wanted.size()), [&](unsigned i) {
      Result<void> written = write_part(wanted[i], by_part[wanted[i]]);
      const std::lock_guard guard(mutex);
      if (written.has_error() && !error) error = std::move(written).error();
    });
    if (error) return *std::move(error);
    return std::vector<Statement>{{"BEGIN"}};
  }

  /// Numbers the documents, and records durably that they are being written.
  Result<ByPart> announce(Connection& connection) {
    AKIN_TRY(const Rows rows,
             connection.run(
                 of_store("INSERT INTO akin.tombstones_@ (doc, since, pending)"
                          " SELECT nextval('akin.next_document_@'), $2, 1 FROM generate_series(1, $1)"
                          " RETURNING doc, (SELECT r::bigint FROM generate_series(0, $3::int - 1) AS r"
                          " WHERE satisfies_hash_partition('akin.postings_@'::regclass, $3::int, r, doc))",
                          store_),
                 Params()
                     .number(static_cast<std::int64_t>(writing_.documents.size()))
                     .number(microseconds(time_now()))
                     .number(static_cast<std::int64_t>(parts_.size()))));
    ByPart by_part(parts_.size());
    for (std::size_t i = 0; i < writing_.documents.size(); ++i) {
      documents_.push_back({rows.number(i, 0), writing_.documents[i]});
      by_part.at(static_cast<std::size_t>(rows.number(i, 1))).push_back(documents_.back());
    }
    return by_part;
  }

  /// The process that gave the documents up may have looked for their content before it was written.
  void note_again(Connection& connection) const {
    std::vector<std::int64_t> numbers;
    for (const NumberedDocument& one : documents_) numbers.push_back(one.number);
    if (connection.command("ROLLBACK").has_error()) return;
    // The reported error is the first one.
    static_cast<void>(connection.run(of_store("INSERT INTO akin.tombstones_@ (doc, since, pending)"
                                              " SELECT u, $2, 0 FROM unnest($1) AS u ON CONFLICT DO NOTHING",
                                              store_),
                                     Params().numbers(numbers).number(microseconds(time_now()))));
  }

  Result<void> write_part(std::size_t part, std::span<const NumberedDocument> documents) const {
    AKIN_TRY(const Pool::Lease shard, parts_.lease(part));
    if (count_postings(documents) < kCopiedPostings) {
      std::vector<Statement> statements{{"BEGIN"}};
      for (Statement& one : insert_content(store_, documents)) statements.push_back(std::move(one));
      statements.push_back({"COMMIT"});
      AKIN_CHECK(shard->run_all(statements));
      return {};
    }
    AKIN_CHECK(begin(*shard));
    AKIN_CHECK(copy_content(*shard, store_, documents));
    return commit(*shard);
  }

  Pool& pool_;
  const Parts& parts_;
  StoreNumber store_;
  const Writing& writing_;
  std::vector<NumberedDocument> documents_;
  BatchSubject subject_;
};

}  // namespace

Result<Written> write_documents(Pool& pool, const Parts& parts, StoreNumber store, const Writing& writing) {
  return Writer(pool, parts, store, writing).write();
}

}  // namespace akin::pg
