#pragma once

#include <stdexcept>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace akin::experiments {

/// The value; throws std::runtime_error with the message of an error.
template <class T>
T checked(Result<T> result) {
  if (result.has_error()) throw std::runtime_error(result.error().message());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

}  // namespace akin::experiments
