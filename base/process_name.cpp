#include "base/process_name.h"

#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "base/files.h"

namespace akin {
namespace {

/// The fields of /proc/PID/stat from the state on; the name before them may have blanks.
struct Stat {
  std::string state, start;
};

Stat stat_of(pid_t pid) {
  const Result<std::string> text = read_whole_file("/proc/" + std::to_string(pid) + "/stat");
  Stat stat;
  if (text.has_error()) return stat;
  std::istringstream fields(text->substr(text->rfind(')') + 1));
  fields >> stat.state;
  constexpr int kBetween = 19;  // the start is field 22, the state field 3
  for (int i = 0; i < kBetween && fields; ++i) fields >> stat.start;
  return stat;
}

/// What the names of all processes begin with that this one can see; empty if that cannot be found out.
std::string visible() {
  std::error_code none;
  const std::string space = std::filesystem::read_symlink("/proc/self/ns/pid", none).string();
  const std::string boot = boot_id();
  return none || boot == "unknown" ? "" : boot + ":" + space + ":";
}

}  // namespace

std::string boot_id() {
  const Result<std::string> id = read_whole_file("/proc/sys/kernel/random/boot_id");
  return id.has_error() ? "unknown" : id->substr(0, id->find('\n'));
}

std::string process_name() {
  const pid_t own = getpid();
  return visible() + std::to_string(own) + ":" + stat_of(own).start + ":";
}

bool has_ended(std::string_view text) {
  const std::string common = visible();
  if (common.empty() || !text.starts_with(common)) return false;
  text.remove_prefix(common.size());
  pid_t pid = 0;
  const auto [rest, wrong] = std::from_chars(text.data(), text.data() + text.size(), pid);
  if (wrong != std::errc() || pid <= 0) return false;
  if (kill(pid, 0) != 0 && errno == ESRCH) return true;
  const Stat now = stat_of(pid);
  if (now.start.empty()) return false;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  return now.state == "Z" || now.state == "X" || !text.starts_with(":" + now.start + ":");
}

}  // namespace akin
