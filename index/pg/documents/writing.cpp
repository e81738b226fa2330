#include "index/pg/documents/writing.h"

#include <utility>

namespace akin::pg {
namespace {

/// Numbers documents and writes their content, in a transaction that it begins; returns the statements that
/// remain to be run for that.
Result<std::vector<Statement>> write_content(Connection& connection, StoreNumber store,
                                             const std::vector<const PreparedDocument*>& documents,
                                             std::vector<NumberedDocument>& numbered) {
  if (documents.empty()) return std::vector<Statement>{{"BEGIN"}};
  const std::vector<Statement> first{
      {"BEGIN"},
      {of_store("SELECT nextval('akin.next_document_@') FROM generate_series(1, $1)", store),
       Params().number(static_cast<std::int64_t>(documents.size()))}};
  AKIN_TRY(const std::vector<Rows> answers, connection.run_all(first));
  for (std::size_t i = 0; i < documents.size(); ++i)
    numbered.push_back({answers[1].number(i, 0), documents[i]});
  if (count_postings(numbered) < kCopiedPostings) return insert_content(store, numbered);
  AKIN_CHECK(copy_content(connection, store, numbered));
  return std::vector<Statement>();
}

}  // namespace

Result<Written> write_documents(Pool& pool, StoreNumber store, const Writing& writing) {
  AKIN_TRY(const Pool::Loan connection, pool.borrow());
  if (writing.rehearse) {
    std::vector<NumberedDocument> documents;
    for (const PreparedDocument* const one : writing.documents) documents.push_back({0, one});
    AKIN_TRY(Batch trial, Batch::rehearse(*connection, {store, documents, writing.ids}));
    AKIN_CHECK(writing.body(trial));
  }
  std::vector<NumberedDocument> documents;
  AKIN_TRY(std::vector<Statement> before, write_content(*connection, store, writing.documents, documents));
  AKIN_TRY(Batch batch, Batch::begin(*connection, {store, documents, writing.ids}, std::move(before)));
  if (Result<void> made = writing.body(batch); made.has_error()) {
    batch.abandon();
    return std::move(made).error();
  }
  Written written;
  AKIN_TRY(written.gone, batch.finish());
  written.documents = batch.documents();
  written.postings = count_postings(documents);
  return written;
}

}  // namespace akin::pg
