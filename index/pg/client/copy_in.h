// Writes many rows into a table by COPY in its binary format.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "index/pg/client/connection.h"

namespace akin::pg {

/// COPY on a connection that does nothing else until `finish`. If it is destroyed before, the server aborts
/// it with its transaction. A later row or `finish` may report a row's error.
class CopyIn {
 public:
  /// `target`: a table and its columns, "akin.postings_7 (key, doc)".
  [[nodiscard]] static Result<CopyIn> begin(Connection& connection, const std::string& target);
  CopyIn(CopyIn&& other) noexcept;
  CopyIn& operator=(CopyIn&&) = delete;
  ~CopyIn();

  /// Begins a row with this number of columns, whose values follow.
  [[nodiscard]] Result<void> row(int columns);
  void number(std::int64_t value);
  void bytes(std::string_view value);
  void null();
  [[nodiscard]] Result<void> finish();

 private:
  explicit CopyIn(Connection& connection) noexcept : connection_(&connection) {}
  [[nodiscard]] Result<void> send();
  [[nodiscard]] bool end(const char* error);

  Connection* connection_;  ///< null once finished
  std::string buffer_;
};

}  // namespace akin::pg
