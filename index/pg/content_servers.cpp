#include "index/pg/content_servers.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace akin::pg {

Result<ContentServers> ContentServers::open(Connection& own, const Parts& parts,
                                            std::optional<std::size_t> only) {
  ContentServers servers(own);
  // Only the coordinator ends a statement in time that waits for a shard which is cut off.
  servers.asks_coordinator_ = !parts.is_local() && (!parts.is_reachable() || own.statement_timeout() > 0);
  if (parts.is_local() || servers.asks_coordinator_) return servers;
  for (std::size_t part = 0; part < parts.shards(); ++part) {
    if (only && part != *only) continue;
    AKIN_TRY(Pool::Lease shard, parts.lease(part));
    servers.shards_.push_back({part, std::move(shard)});
  }
  return servers;
}

Result<std::vector<Rows>> ContentServers::ask(
    const std::function<std::string(const std::string& part)>& statement, const Params& params,
    const std::string& part_column) {
  if (shards_.empty()) {
    AKIN_TRY(Rows rows, own_->run(statement(asks_coordinator_ ? part_column : "0::bigint"), params));
    std::vector<Rows> answers;
    answers.push_back(std::move(rows));
    return answers;
  }
  std::vector<std::vector<Statement>> statements(shards_.size());
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    if (is_fixed_ && !has_begun_)
      statements[i].push_back({"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"});
    statements[i].push_back({statement(std::to_string(shards_[i].part) + "::bigint"), params});
  }
  has_begun_ = is_fixed_;
  return ask_shards(statements);
}

Result<std::vector<Rows>> ContentServers::ask_shards(const std::vector<std::vector<Statement>>& statements) {
  std::optional<Error> error;
  const auto keep = [&](const Error& one, const Shard& shard) {
    if (error) return;
    const std::string part = std::to_string(shard.part);
    error = Error{one.code, "shard " + part + ", " + one.what, one.reason, one.remedy};
  };
  std::size_t sent = 0;
  for (; sent < shards_.size(); ++sent) {
    if (const auto failed = shards_[sent].connection->send_all(statements[sent]); failed.has_error()) {
      keep(failed.error(), shards_[sent]);
      break;
    }
  }
  std::vector<Rows> answers;
  for (std::size_t i = 0; i < sent; ++i) {
    Result<std::vector<Rows>> answer = shards_[i].connection->receive_all(statements[i].size());
    if (answer.has_error()) {
      keep(answer.error(), shards_[i]);
    } else {
      answers.push_back(std::move(answer->back()));
    }
  }
  if (error) return *std::move(error);
  return answers;
}

void ContentServers::end() {
  // What fails here, the return of the connections to their pools repeats.
  const std::vector<Statement> rollback{{"ROLLBACK"}};
  if (has_begun_) static_cast<void>(ask_shards(std::vector(shards_.size(), rollback)));
  has_begun_ = false;
}

bool ContentServers::has_broken() const noexcept {
  return std::ranges::any_of(shards_, [](const Shard& shard) { return !shard.connection->is_sound(); });
}

}  // namespace akin::pg
