// The servers that hold a store's postings, asked at the same time.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/parts.h"

namespace akin::pg {

/// One server, or the shards, each as of one moment: that of the first statement. akin asks shards directly.
/// For a role that may not connect to them, and under a statement_timeout, the coordinator asks them.
class PostingServers {
 public:
  /// `own`: a connection to the store's own database, with an open transaction; it must outlive the result.
  [[nodiscard]] static Result<PostingServers> open(Connection& own, const Parts& parts);

  /// The answers to a statement, in the order of the parts. `statement`: makes the statement from an
  /// expression for the part's number. Errors of a shard name it.
  [[nodiscard]] Result<std::vector<Rows>> ask(
      const std::function<std::string(const std::string& part)>& statement, const Params& params);
  /// Ends the transactions on shards; without it they end one after the other, when this is destroyed.
  void end();
  /// Whether the connection to a shard broke.
  [[nodiscard]] bool has_broken() const noexcept;

 private:
  explicit PostingServers(Connection& own) noexcept : own_(&own) {}
  /// Sends each shard its statements, and then waits for their answers.
  [[nodiscard]] Result<std::vector<Rows>> ask_shards(const std::vector<std::vector<Statement>>& statements);

  Connection* own_;
  std::string part_;                 ///< the expression, where the own database is asked
  std::vector<Pool::Lease> shards_;  ///< empty: the own database is asked
  bool has_begun_ = false;           ///< transactions on shards
};

}  // namespace akin::pg
