#include "index/pg/client/copy_in.h"

#include <libpq-fe.h>

#include <utility>

#include "index/pg/client/binary.h"

namespace akin::pg {
namespace {

/// The number of bytes gathered before they are sent.
constexpr std::size_t kPiece = std::size_t{256} << 10;
constexpr std::string_view kSignature("PGCOPY\n\377\r\n\0", 11);

}  // namespace

Result<CopyIn> CopyIn::begin(Connection& connection, const std::string& target) {
  const Rows begun = connection.last_rows(
      PQsendQuery(connection.connection_, ("COPY " + target + " FROM STDIN (FORMAT binary)").c_str()));
  if (PQresultStatus(begun.raw()) != PGRES_COPY_IN) return connection.failure(begun.raw(), "a copy");
  CopyIn copy(connection);
  copy.buffer_ = kSignature;
  append_big_endian<std::int32_t>(copy.buffer_, 0);
  append_big_endian<std::int32_t>(copy.buffer_, 0);
  return copy;
}

CopyIn::CopyIn(CopyIn&& other) noexcept
    : connection_(std::exchange(other.connection_, nullptr)), buffer_(std::move(other.buffer_)) {}

CopyIn::~CopyIn() {
  if (connection_ == nullptr) return;
  // A connection on which the copy cannot be ended would report it again and again.
  if (!end("given up")) return;
  while (connection_->next_rows().raw() != nullptr) {
  }
}

Result<void> CopyIn::row(int columns) {
  if (buffer_.size() >= kPiece) AKIN_CHECK(send());
  append_big_endian(buffer_, static_cast<std::int16_t>(columns));
  return {};
}

void CopyIn::number(std::int64_t value) {
  append_big_endian<std::int32_t>(buffer_, 8);
  append_big_endian(buffer_, value);
}

void CopyIn::bytes(std::string_view value) {
  append_big_endian(buffer_, static_cast<std::int32_t>(value.size()));
  buffer_ += value;
}

void CopyIn::null() { append_big_endian<std::int32_t>(buffer_, -1); }

Result<void> CopyIn::send() {
  int sent = 0;
  do {
    sent = PQputCopyData(connection_->connection_, buffer_.data(), static_cast<int>(buffer_.size()));
  } while (sent == 0 && connection_->await_sent());
  if (sent != 1 || !connection_->await_sent()) return connection_->failure(nullptr, "a copy");
  buffer_.clear();
  return {};
}

bool CopyIn::end(const char* error) {
  int sent = 0;
  do {
    sent = PQputCopyEnd(connection_->connection_, error);
  } while (sent == 0 && connection_->await_sent());
  return sent == 1;
}

Result<void> CopyIn::finish() {
  append_big_endian<std::int16_t>(buffer_, -1);
  AKIN_CHECK(send());
  const bool ended = end(nullptr);
  Connection& connection = *std::exchange(connection_, nullptr);
  if (!ended) return connection.failure(nullptr, "a copy");
  Result<void> outcome;
  for (;;) {
    const Rows done = connection.next_rows();
    if (done.raw() == nullptr) break;
    if (PQresultStatus(done.raw()) != PGRES_COMMAND_OK && !outcome.has_error()) {
      outcome = connection.failure(done.raw(), "a copy");
    }
  }
  if (!outcome.has_error() && !connection.is_sound()) return connection.failure(nullptr, "a copy");
  return outcome;
}

}  // namespace akin::pg
