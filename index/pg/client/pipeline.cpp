// Statements sent together, and the answers to them.
#include <libpq-fe.h>

#include <optional>
#include <utility>

#include "index/pg/client/connection.h"

namespace akin::pg {

Result<std::vector<Rows>> Connection::run_all(std::span<const Statement> statements) {
  AKIN_CHECK(send_all(statements));
  std::vector<Rows> answers;
  answers.reserve(statements.size());
  std::optional<Error> error;  // the first one
  for (bool was_null = false;;) {
    Rows rows = next_rows();
    const bool is_null = rows.raw() == nullptr;
    // Each answer is followed by a null; the last is the synchronisation. Over a connection that breaks,
    // libpq may return nulls or errors without end.
    if (!is_sound() || (is_null && was_null) || answers.size() > statements.size()) {
      if (!error) error = failure(rows.raw(), "a pipeline");
      break;
    }
    was_null = is_null;
    if (is_null) continue;
    if (PQresultStatus(rows.raw()) == PGRES_PIPELINE_SYNC) {
      if (PQexitPipelineMode(connection_) == 0) error = failure(nullptr, "a pipeline");
      break;
    }
    if (!rows.is_success() && !error) error = failure(rows.raw(), "a statement");
    answers.push_back(std::move(rows));
  }
  if (error) return *std::move(error);
  return answers;
}

/// Sends statements, and with them a synchronisation: their answers remain to be taken.
Result<void> Connection::send_all(std::span<const Statement> statements) {
  // New statements are prepared first: a name must not count as known if its preparation was skipped.
  for (const Statement& one : statements) AKIN_CHECK(prepare(one.sql, one.params));
  if (PQenterPipelineMode(connection_) == 0) return failure(nullptr, "a pipeline");
  for (const Statement& one : statements) AKIN_CHECK(send(prepared_.at(one.sql), one.params));
  if (PQpipelineSync(connection_) == 0) return failure(nullptr, "a pipeline");
  return {};
}

}  // namespace akin::pg
