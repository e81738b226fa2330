// What systemd and the server tell each other. Without systemd nothing happens.
#pragma once

#include <chrono>
#include <optional>

#include "base/error.h"

namespace akin::http {

enum class ServiceState { ready, reloading, stopping, alive };

/// Tells how the service is. A state that cannot be told is none the worse.
void tell_service_manager(ServiceState state);

/// How often ServiceState::alive is to be told; nothing when it is not wanted.
[[nodiscard]] std::optional<std::chrono::microseconds> alive_interval();

/// The listening socket that the process was given (socket activation), once; nothing when it was given none.
/// Error: invalid_argument (several, or not a listening TCP socket).
[[nodiscard]] Result<std::optional<int>> inherited_listener();

}  // namespace akin::http
