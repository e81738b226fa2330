// Statements that look up rows by arrays of keys.
#pragma once

#include <string>

#include "index/pg/client/connection.h"

namespace akin::pg {

/// The look-ups of one transaction. Planning for each array of keys takes as long as looking them up; a plan
/// for any array is as good, unless it was made while a table was small and reads all of it. The first
/// look-up sets this for the rest of the transaction, unless kPlanOnce has been selected in it.
class LookUps {
 public:
  /// Columns whose selection sets this.
  static constexpr const char* kPlanOnce =
      "set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)";

  /// `connection`: has an open transaction; it must outlive this.
  explicit LookUps(Connection& connection, bool is_set = false) noexcept
      : connection_(&connection), is_set_(is_set) {}

  [[nodiscard]] Connection& connection() const noexcept { return *connection_; }
  [[nodiscard]] Result<Rows> run(std::string sql, Params params = {});

 private:
  Connection* connection_;
  bool is_set_;
};

}  // namespace akin::pg
