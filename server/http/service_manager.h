// Communication with systemd. Does nothing without systemd.
#pragma once

#include <chrono>
#include <optional>

#include "base/error.h"

namespace akin::http {

enum class ServiceState { ready, reloading, stopping, alive };

/// Reports the state of the service. A failure to report is ignored.
void notify_service_manager(ServiceState state);

/// How often ServiceState::alive must be reported; nothing if it is not requested.
[[nodiscard]] std::optional<std::chrono::microseconds> alive_interval();

/// The listening socket that the process was given (socket activation), once; nothing if it was given none.
/// Error: invalid_argument (several, or not a listening TCP socket).
[[nodiscard]] Result<std::optional<int>> inherited_listener();

}  // namespace akin::http
