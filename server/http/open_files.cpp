#include "server/http/open_files.h"

#include <sys/resource.h>

#include <algorithm>
#include <string>

#include "server/http/log.h"

namespace akin::http {
namespace {

// Each has a data file, a lock file and, while it merges, another lock; one more while it is replaced.
constexpr std::size_t kFilesOfCollection = 4;
/// Those of the server itself and of the requests that it works on.
constexpr std::size_t kOwnFiles = 512, kFewestOwnFiles = 64;
constexpr std::size_t kFewestFiles = 96;

std::size_t files_of(const OpenFiles& wanted) {
  return wanted.connections + kFilesOfCollection * wanted.collections + kOwnFiles;
}

}  // namespace

Result<OpenFiles> fit_open_files(const OpenFiles& wanted, std::size_t limit) {
  if (limit >= files_of(wanted)) return wanted;
  if (limit < kFewestFiles) {
    return Error{Errc::unsupported, "the limit of open files",
                 "it is " + std::to_string(limit) + ", and a server needs " + std::to_string(kFewestFiles),
                 "raise it: ulimit -n 4096, or LimitNOFILE=4096 in the unit of systemd"};
  }
  // Two fifths for connections, a tenth for those that are refused, half for collections.
  const std::size_t rest = limit - kFewestOwnFiles;
  return OpenFiles{std::min(wanted.connections, rest * 2 / 5),
                   std::min(wanted.collections, rest / 2 / kFilesOfCollection)};
}

Result<OpenFiles> allow_open_files(const OpenFiles& wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = std::min<rlim_t>(limit.rlim_max, files_of(wanted));
  if (limit.rlim_cur < needed) {
    const rlim_t before = limit.rlim_cur;
    limit.rlim_cur = needed;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) limit.rlim_cur = before;
  }
  AKIN_TRY(const OpenFiles fitting, fit_open_files(wanted, limit.rlim_cur));
  if (fitting.connections < wanted.connections || fitting.collections < wanted.collections) {
    log_warning("the limit of open files, " + std::to_string(limit.rlim_cur) + ", allows " +
                std::to_string(fitting.connections) + " connections and " +
                std::to_string(fitting.collections) + " open collections (raise it to " +
                std::to_string(files_of(wanted)) + ")");
  }
  return fitting;
}

}  // namespace akin::http
