#include "index/pg/content_servers.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

namespace akin::pg {
namespace {

/// For a statement's transaction. Planning for each array of features takes as long as looking them up; a
/// plan for any array is as good, unless it was made while a table was small and reads all of it.
constexpr const char* kPlanOnce =
    "SELECT set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', "
    "true)";

/// When the server was started, in microseconds: no two servers agree. An address may lead to several.
const std::string kServer = "SELECT (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint";

/// As many searches of a process at the same time get a second session: with more of them, the cores have
/// enough to do.
constexpr int kMostShared = 4;

/// A search's permission to use a second session.
class SharingTurn {
 public:
  SharingTurn() noexcept : is_given_(taken_.fetch_add(1) < kMostShared) {}
  ~SharingTurn() { --taken_; }
  SharingTurn(const SharingTurn&) = delete;
  SharingTurn& operator=(const SharingTurn&) = delete;
  [[nodiscard]] bool is_given() const noexcept { return is_given_; }

 private:
  static inline std::atomic<int> taken_ = 0;
  bool is_given_;
};

}  // namespace

Result<ContentServers> ContentServers::open(Connection& own, const Parts& parts,
                                            std::optional<std::size_t> only) {
  ContentServers servers(own, parts);
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

std::vector<std::size_t> ContentServers::asked_parts() const {
  if (asks_coordinator_) return {};
  if (shards_.empty()) return {0};
  std::vector<std::size_t> parts;
  for (const Shard& shard : shards_) parts.push_back(shard.part);
  return parts;
}

Result<std::vector<Rows>> ContentServers::ask(
    const std::function<std::string(const std::string& part)>& statement, const Params& params,
    const std::string& part_column) {
  if (shards_.empty()) {
    // Plans over foreign tables are better made for each array.
    std::vector<Statement> statements;
    if (!asks_coordinator_) statements.push_back({kPlanOnce});
    statements.push_back({statement(asks_coordinator_ ? part_column : "0::bigint"), params});
    AKIN_TRY(std::vector<Rows> answers, own_->run_all(statements));
    answers.erase(answers.begin(), answers.end() - 1);
    return answers;
  }
  std::vector<std::vector<Statement>> statements(shards_.size());
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    if (is_fixed_ && !has_begun_)
      statements[i].push_back({"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"});
    statements[i].push_back({kPlanOnce});
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
  std::vector<Connection*> connections;
  std::vector<std::size_t> counts;
  for (std::size_t i = 0; i < sent; ++i) {
    connections.push_back(&*shards_[i].connection);
    counts.push_back(statements[i].size());
  }
  std::vector<Result<std::vector<Rows>>> received = Connection::receive_from(connections, counts);
  std::vector<Rows> answers;
  for (std::size_t i = 0; i < sent; ++i) {
    if (received[i].has_error()) {
      keep(received[i].error(), shards_[i]);
    } else {
      answers.push_back(std::move(received[i]->back()));
    }
  }
  if (error) return *std::move(error);
  return answers;
}

Result<std::vector<Rows>> ContentServers::ask_shared(const Statement& own, const Statement& other) {
  const Statement plan_once{kPlanOnce};
  const auto without_plan = [](std::vector<Rows> answers) {
    answers.erase(answers.begin());
    return answers;
  };
  const SharingTurn turn;
  if (!turn.is_given()) {
    AKIN_TRY(std::vector<Rows> answers, own_->run_all(std::vector{plan_once, own, other}));
    return without_plan(std::move(answers));
  }
  AKIN_TRY(const Rows snapshot, own_->send_all_after(std::vector<Statement>{
                                    {kServer + ", pg_export_snapshot()"}, plan_once, own}));
  // With the end of the transaction, so that nobody waits for it.
  const std::vector<Statement> statements{
      {"BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"},
      {"SET TRANSACTION SNAPSHOT '" + std::string(snapshot.bytes(0, 1)) + "'", {}, true},
      plan_once,
      {kServer},
      other,
      {"COMMIT"}};
  std::vector<Connection*> connections{own_};
  std::vector<std::size_t> counts{2};
  const Result<Pool::Lease> session = all_parts_->lease(0);
  if (!session.has_error() && !(*session)->send_all(statements).has_error()) {
    connections.push_back(&**session);
    counts.push_back(statements.size());
  }
  std::vector<Result<std::vector<Rows>>> received = Connection::receive_from(connections, counts);
  AKIN_TRY(std::vector<Rows> answers, std::move(received[0]));
  answers = without_plan(std::move(answers));
  if (received.size() == 2 && !received[1].has_error() &&
      (*received[1])[3].number(0, 0) == snapshot.number(0, 0)) {
    answers.push_back(std::move((*received[1])[4]));
    return answers;
  }
  AKIN_TRY(Rows rest, own_->run(other.sql, other.params));
  answers.push_back(std::move(rest));
  return answers;
}

Result<std::vector<ContentPlace>> ContentServers::places() {
  std::vector<ContentPlace> places;
  if (!asks_coordinator_ && shards_.empty()) return std::vector<ContentPlace>{{own_, "", ""}};
  if (asks_coordinator_) {
    for (std::size_t part = 0; part < all_parts_->size(); ++part)
      places.push_back({own_, "_" + std::to_string(part), ""});
    return places;
  }
  fix();
  if (!has_begun_) {
    AKIN_TRY(const std::vector<Rows> begun,
             ask([](const std::string&) { return std::string("SELECT"); }, {}, ""));
  }
  for (const Shard& shard : shards_)
    places.push_back({&*shard.connection, "", "shard " + std::to_string(shard.part) + ", "});
  return places;
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
