// The servers that hold a store's content, asked at the same time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/parts.h"

namespace akin::pg {

/// Where a part's tables are read, in an open transaction.
struct ContentPlace {
  Connection* connection = nullptr;
  std::string suffix;  ///< of the tables' names
  std::string name;    ///< for errors, "shard 0, "; empty if the connection's errors name it
};

/// One server, or the shards. akin asks shards directly. For a role that may not connect to them, and under a
/// statement_timeout, the coordinator asks them.
class ContentServers {
 public:
  /// `own`: a connection to the store's own database, with an open transaction; it and `parts` must outlive
  /// the result. `only`: the part that is asked, if the shards are asked directly.
  [[nodiscard]] static Result<ContentServers> open(Connection& own, const Parts& parts,
                                                   std::optional<std::size_t> only = {});

  /// Whether all statements see each server as of one moment, that of the first. Shards otherwise answer each
  /// statement as of its own moment, which takes them less.
  [[nodiscard]] bool is_fixed() const noexcept { return shards_.empty() || is_fixed_; }
  void fix() noexcept { is_fixed_ = true; }
  /// Whether the store's own database is asked and has to ask the shards.
  [[nodiscard]] bool asks_coordinator() const noexcept { return asks_coordinator_; }

  /// The parts whose servers give the answers, in their order; none if the coordinator asks the shards.
  [[nodiscard]] std::vector<std::size_t> asked_parts() const;

  /// The answers to a statement, in the order of the parts. `statement`: makes the statement from an
  /// expression for the part's number, which is `part_column` where the coordinator is asked. Errors of a
  /// shard name it.
  [[nodiscard]] Result<std::vector<Rows>> ask(
      const std::function<std::string(const std::string& part)>& statement, const Params& params,
      const std::string& part_column);
  /// Whether another session could take a part of what the store's own database is asked.
  [[nodiscard]] bool can_share() const noexcept { return shards_.empty() && !asks_coordinator_; }
  /// The answers to two statements. Another session runs the second one at the same time, on the same
  /// snapshot; the own one does if a few searches of this process are being helped already, or if no other
  /// can be had. Requires can_share().
  [[nodiscard]] Result<std::vector<Rows>> ask_shared(const Statement& own, const Statement& other);
  /// The place of each part, as of one moment; they are valid as long as this.
  [[nodiscard]] Result<std::vector<ContentPlace>> places();
  /// Whether servers other than the store's own database have the content: they are seen as of a later moment
  /// than it.
  [[nodiscard]] bool are_shards() const noexcept { return asks_coordinator_ || !shards_.empty(); }
  /// Ends the transactions on shards; without it they end one after the other, when this is destroyed.
  void end();
  /// Whether the connection to a shard broke.
  [[nodiscard]] bool has_broken() const noexcept;

 private:
  struct Shard {
    std::size_t part = 0;
    Pool::Lease connection;
  };
  ContentServers(Connection& own, const Parts& parts) noexcept : own_(&own), all_parts_(&parts) {}
  /// Sends each shard its statements, and then waits for their answers.
  [[nodiscard]] Result<std::vector<Rows>> ask_shards(const std::vector<std::vector<Statement>>& statements);

  Connection* own_;
  const Parts* all_parts_;
  bool asks_coordinator_ = false;
  std::vector<Shard> shards_;  ///< empty: the own database is asked
  bool is_fixed_ = false;
  bool has_begun_ = false;  ///< transactions on shards
};

/// Asks the servers by `read(servers)`, once more if the connection to a shard was broken: that of a shard
/// that was restarted meanwhile is replaced.
template <class T, class Read>
[[nodiscard]] Result<T> ask_servers(Connection& own, const Parts& parts, std::optional<std::size_t> only,
                                    const Read& read) {
  for (bool is_first = true;; is_first = false) {
    AKIN_TRY(ContentServers servers, ContentServers::open(own, parts, only));
    Result<T> answer = read(servers);
    if (!answer.has_error() || !is_first || !servers.has_broken()) return answer;
  }
}

}  // namespace akin::pg
