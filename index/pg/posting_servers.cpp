#include "index/pg/posting_servers.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "index/pg/posting_reader.h"

namespace akin::pg {

Result<PostingServers> PostingServers::open(Connection& own, const Parts& parts) {
  PostingServers servers(own);
  servers.part_ = parts.is_local() ? "0::bigint" : kPartColumn;
  // Only the coordinator ends a statement in time that waits for a shard which is cut off.
  if (!parts.is_reachable() || own.statement_timeout() > 0) return servers;
  for (std::size_t part = 0; part < parts.shards(); ++part) {
    AKIN_TRY(Pool::Lease shard, parts.lease(part));
    servers.shards_.push_back(std::move(shard));
  }
  return servers;
}

Result<std::vector<Rows>> PostingServers::ask(
    const std::function<std::string(const std::string& part)>& statement, const Params& params) {
  if (shards_.empty()) {
    AKIN_TRY(Rows rows, own_->run(statement(part_), params));
    std::vector<Rows> answers;
    answers.push_back(std::move(rows));
    return answers;
  }
  std::vector<std::vector<Statement>> statements(shards_.size());
  for (std::size_t part = 0; part < shards_.size(); ++part) {
    if (!has_begun_) statements[part].push_back({"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"});
    statements[part].push_back({statement(std::to_string(part) + "::bigint"), params});
  }
  has_begun_ = true;
  return ask_shards(statements);
}

Result<std::vector<Rows>> PostingServers::ask_shards(const std::vector<std::vector<Statement>>& statements) {
  std::optional<Error> error;
  const auto keep = [&](const Error& one, std::size_t part) {
    if (!error)
      error = Error{one.code, "shard " + std::to_string(part) + ", " + one.what, one.reason, one.remedy};
  };
  std::size_t sent = 0;
  for (; sent < shards_.size(); ++sent) {
    if (const auto failed = shards_[sent]->send_all(statements[sent]); failed.has_error()) {
      keep(failed.error(), sent);
      break;
    }
  }
  std::vector<Rows> answers;
  for (std::size_t part = 0; part < sent; ++part) {
    Result<std::vector<Rows>> answer = shards_[part]->receive_all(statements[part].size());
    if (answer.has_error()) {
      keep(answer.error(), part);
    } else {
      answers.push_back(std::move(answer->back()));
    }
  }
  if (error) return *std::move(error);
  return answers;
}

void PostingServers::end() {
  // What fails here, the return of the connections to their pools repeats.
  const std::vector<Statement> rollback{{"ROLLBACK"}};
  if (has_begun_) static_cast<void>(ask_shards(std::vector(shards_.size(), rollback)));
  has_begun_ = false;
}

bool PostingServers::has_broken() const noexcept {
  return std::ranges::any_of(shards_, [](const Pool::Lease& shard) { return !shard->is_sound(); });
}

}  // namespace akin::pg
