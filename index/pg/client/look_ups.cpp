#include "index/pg/client/look_ups.h"

#include <array>
#include <utility>

namespace akin::pg {

Result<Rows> LookUps::run(std::string sql, Params params) {
  if (is_set_) return connection_->run(sql, params);
  const std::array<Statement, 2> statements{
      {{std::string("SELECT ") + kPlanOnce}, {std::move(sql), std::move(params)}}};
  AKIN_TRY(std::vector<Rows> answers, connection_->run_all(statements));
  is_set_ = true;
  return std::move(answers[1]);
}

}  // namespace akin::pg
