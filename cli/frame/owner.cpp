#include "cli/frame/owner.h"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>

#include "index/open_catalog.h"
#include "server/ingest/input.h"

namespace akin::cli {

std::string user_name(uid_t user) {
  constexpr std::size_t kMostBytes = 4096;
  std::array<char, kMostBytes> bytes{};
  passwd entry{};
  passwd* found = nullptr;
  const bool known = getpwuid_r(user, &entry, bytes.data(), bytes.size(), &found) == 0 && found != nullptr;
  return known ? std::string(entry.pw_name) : std::to_string(user);
}

Result<void> check_owner(const CommonOptions& options) {
  struct stat folder {};
  if (is_database(options.store) || ::geteuid() != 0 || ::stat(options.data.c_str(), &folder) != 0 ||
      folder.st_uid == 0)
    return {};
  const std::string user = user_name(folder.st_uid);
  const bool has_name = user != std::to_string(folder.st_uid);
  return Error{Errc::invalid_argument, "data folder '" + ingest::display_name(options.data) + "'",
               "belongs to the user " + user + ", to whom files that root makes in it are closed",
               has_name ? "run the command as that user: runuser -u " + user + " -- akin …"
                        : "run the command as that user, a container's with --user " + user};
}

}  // namespace akin::cli
