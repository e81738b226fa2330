#include "server/http/service_manager.h"

#include <sys/socket.h>
#include <systemd/sd-daemon.h>

#include <cstdint>
#include <ctime>
#include <string>

namespace akin::http {

namespace {

std::string monotonic_microseconds() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return std::to_string(now.tv_sec * 1'000'000 + now.tv_nsec / 1000);
}

}  // namespace

void notify_service_manager(ServiceState state) {
  switch (state) {
    case ServiceState::ready:
      sd_notify(0, "READY=1");
      break;
    case ServiceState::reloading:
      sd_notify(0, ("RELOADING=1\nMONOTONIC_USEC=" + monotonic_microseconds()).c_str());
      break;
    case ServiceState::stopping:
      sd_notify(0, "STOPPING=1");
      break;
    case ServiceState::alive:
      sd_notify(0, "WATCHDOG=1");
      break;
  }
}

std::optional<std::chrono::microseconds> alive_interval() {
  std::uint64_t microseconds = 0;
  if (sd_watchdog_enabled(0, &microseconds) <= 0 || microseconds == 0) return std::nullopt;
  return std::chrono::microseconds(microseconds / 2);
}

Result<std::optional<int>> inherited_listener() {
  const int count = sd_listen_fds(/*unset_environment=*/1);
  if (count <= 0) return std::optional<int>();
  const auto wrong = [](const char* reason) {
    return Error{Errc::invalid_argument, "socket passed by the service manager", reason,
                 "give the socket unit one ListenStream= with an IP address and a port"};
  };
  if (count > 1) return wrong("there are several");
  if (sd_is_socket(SD_LISTEN_FDS_START, AF_INET, SOCK_STREAM, 1) <= 0 &&
      sd_is_socket(SD_LISTEN_FDS_START, AF_INET6, SOCK_STREAM, 1) <= 0) {
    return wrong("is not a listening TCP socket");
  }
  return std::optional<int>(SD_LISTEN_FDS_START);
}

}  // namespace akin::http
