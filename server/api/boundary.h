// The boundary at which an exception becomes an answer.
#pragma once

#include <type_traits>

#include "base/exceptions.h"
#include "server/api/message.h"

namespace akin::api {

/// The answer for an error, also when memory is short: it is tried for a tenth of a second, then the status
/// goes out without a body.
[[nodiscard]] Response error_response_surely(const Error& error) noexcept;

/// What `answer` returns (a Response, optional or not); an exception from it becomes an error answer, 503
/// when memory or threads have run out.
template <class Answer>
[[nodiscard]] auto answer_or_error(const Answer& answer) noexcept -> std::invoke_result_t<const Answer&> {
  try {
    return answer();
  } catch (...) {
    return error_response_surely(error_of_exception());
  }
}

}  // namespace akin::api
