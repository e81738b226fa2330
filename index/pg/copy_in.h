// Rows into a table by COPY in its binary format: for many at once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "index/pg/connection.h"

namespace akin::pg {

/// COPY on a connection that does nothing else until `finish`. One that dies before is given up by the
/// server with its transaction. Error of a row may be told by a later one, or by `finish`.
class CopyIn {
 public:
  /// `target`: a table and its columns, "akin.postings_7 (key, doc)".
  [[nodiscard]] static Result<CopyIn> begin(Connection& connection, const std::string& target);
  CopyIn(CopyIn&& other) noexcept;
  CopyIn& operator=(CopyIn&&) = delete;
  ~CopyIn();

  /// Begins a row of so many columns, whose values follow.
  [[nodiscard]] Result<void> row(int columns);
  void number(std::int64_t value);
  void bytes(std::string_view value);
  void null();
  /// Arrays, of bigint and of integer.
  void numbers(std::span<const std::int64_t> values);
  void small_numbers(std::span<const std::int32_t> values);
  [[nodiscard]] Result<void> finish();

 private:
  explicit CopyIn(Connection& connection) noexcept : connection_(&connection) {}
  [[nodiscard]] Result<void> send();

  Connection* connection_;  ///< null once finished
  std::string buffer_;
};

}  // namespace akin::pg
