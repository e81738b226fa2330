// The answers to statements that a connection has sent together.
#include <poll.h>

#include <optional>
#include <utility>

#include "index/pg/connection.h"
#include "index/pg/libpq.h"

namespace akin::pg {

/// Takes the answers to the statements of a pipeline.
class Connection::Receipt {
 public:
  Receipt(Connection& connection, std::size_t count) : connection_(&connection), count_(count) {
    answers_.reserve(count);
  }

  [[nodiscard]] bool is_done() const noexcept { return done_; }
  [[nodiscard]] const Connection& connection() const noexcept { return *connection_; }

  /// Takes one of libpq's results, and waits for it if it is not here yet. Requires that this is not done.
  void take() {
    Rows rows(PQgetResult(connection_->connection_));
    const bool is_null = rows.raw() == nullptr;
    // Each answer is followed by a null; the last is the synchronisation. Over a connection that breaks,
    // libpq may return nulls or errors without end.
    if (!connection_->is_sound() || (is_null && was_null_) || answers_.size() > count_) {
      if (!error_) error_ = connection_->failure(rows.raw(), "a pipeline");
      done_ = true;
      return;
    }
    was_null_ = is_null;
    if (is_null) return;
    if (PQresultStatus(rows.raw()) == PGRES_PIPELINE_SYNC) {
      if (PQexitPipelineMode(connection_->connection_) == 0)
        error_ = connection_->failure(nullptr, "a pipeline");
      done_ = true;
      return;
    }
    if (!rows.is_success() && !error_) error_ = connection_->failure(rows.raw(), "a statement");
    answers_.push_back(std::move(rows));
  }

  /// Reads what has arrived, and takes what is complete.
  void take_arrived() {
    // Over a broken connection the next result, which never comes otherwise, is the error.
    const bool is_broken = PQconsumeInput(connection_->connection_) == 0;
    while (!done_ && (is_broken || PQisBusy(connection_->connection_) == 0)) take();
  }

  Result<std::vector<Rows>> finish() {
    if (error_) return *std::move(error_);
    return std::move(answers_);
  }

 private:
  Connection* connection_;
  std::size_t count_;
  std::vector<Rows> answers_;
  std::optional<Error> error_;  ///< the first one
  bool was_null_ = false, done_ = false;
};

Result<std::vector<Rows>> Connection::receive_all(std::size_t count) {
  Receipt receipt(*this, count);
  while (!receipt.is_done()) receipt.take();
  return receipt.finish();
}

std::vector<Result<std::vector<Rows>>> Connection::receive_from(std::span<Connection* const> connections,
                                                                std::span<const std::size_t> counts) {
  std::vector<Receipt> receipts;
  for (std::size_t i = 0; i < connections.size(); ++i) receipts.emplace_back(*connections[i], counts[i]);
  for (Receipt& one : receipts) one.take_arrived();
  for (;;) {
    std::vector<pollfd> sockets;
    std::vector<Receipt*> waiting;
    for (Receipt& one : receipts) {
      if (one.is_done()) continue;
      sockets.push_back({PQsocket(one.connection().connection_), POLLIN, 0});
      waiting.push_back(&one);
    }
    if (waiting.empty()) break;
    // Interrupted, it leaves nothing to take.
    if (poll(sockets.data(), sockets.size(), -1) <= 0) continue;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (sockets[i].revents != 0) waiting[i]->take_arrived();
    }
  }
  std::vector<Result<std::vector<Rows>>> answers;
  answers.reserve(receipts.size());
  for (Receipt& one : receipts) answers.push_back(one.finish());
  return answers;
}

}  // namespace akin::pg
