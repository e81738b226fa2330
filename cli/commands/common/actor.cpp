#include "cli/commands/common/actor.h"

#include <pwd.h>
#include <unistd.h>

#include <array>

namespace akin::cli {

state::Actor actor_of_command() {
  constexpr std::size_t kMostBytes = 4096;
  std::array<char, kMostBytes> bytes{};
  passwd entry{};
  passwd* found = nullptr;
  const bool known =
      getpwuid_r(geteuid(), &entry, bytes.data(), bytes.size(), &found) == 0 && found != nullptr;
  return {.kind = "command", .id = known ? std::string(entry.pw_name) : std::to_string(geteuid())};
}

}  // namespace akin::cli
