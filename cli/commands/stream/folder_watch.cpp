#include "cli/commands/stream/folder_watch.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <system_error>
#include <thread>

#include "extract/formats/passed_over.h"

namespace akin::cli {

namespace fs = std::filesystem;

FolderWatch::FolderWatch(const fs::path& folder) : reports_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
  watch_all(folder);
}

void FolderWatch::watch(const fs::path& folder) {
  const int number =
      ::inotify_add_watch(reports_.get(), folder.c_str(), IN_CREATE | IN_MOVED_TO | IN_ONLYDIR);
  if (number >= 0) {
    folders_[number] = folder;
  } else if (errno != ENOENT && errno != ENOTDIR) {
    is_complete_ = false;
  }
}

void FolderWatch::watch_all(const fs::path& folder) {
  watch(folder);
  std::error_code failure;
  for (fs::recursive_directory_iterator at(folder, failure), end; !failure && at != end;
       at.increment(failure)) {
    std::error_code unknown;
    if (!at->is_directory(unknown) || at->is_symlink(unknown)) continue;
    if (extract::is_passed_over(at->path().filename().native())) {
      at.disable_recursion_pending();
    } else {
      watch(at->path());
    }
  }
  if (failure) is_complete_ = false;
}

std::optional<std::vector<FolderWatch::Arrival>> FolderWatch::arrivals(std::chrono::milliseconds most) {
  if (!is_complete_) {
    std::this_thread::sleep_for(most);
    return std::nullopt;
  }
  pollfd ready{reports_.get(), POLLIN, 0};
  ::poll(&ready, 1, static_cast<int>(most.count()));
  std::vector<Arrival> found;
  constexpr std::size_t kBuffer = std::size_t{64} << 10;
  alignas(inotify_event) std::array<char, kBuffer> buffer;
  for (;;) {
    const ssize_t bytes = ::read(reports_.get(), buffer.data(), buffer.size());
    if (bytes <= 0) return found;
    inotify_event event;
    for (std::size_t at = 0; at < static_cast<std::size_t>(bytes); at += sizeof event + event.len) {
      std::memcpy(&event, buffer.data() + at, sizeof event);
      if ((event.mask & IN_Q_OVERFLOW) != 0) {
        is_complete_ = false;
        return std::nullopt;
      }
      const auto folder = folders_.find(event.wd);
      if (folder == folders_.end()) continue;
      if ((event.mask & IN_IGNORED) != 0) {
        folders_.erase(folder);
        continue;
      }
      const std::string_view name(buffer.data() + at + sizeof event);
      if (extract::is_passed_over(name)) continue;
      const fs::path path = folder->second / name;
      if ((event.mask & IN_ISDIR) != 0) watch_all(path);
      found.push_back({path, (event.mask & IN_MOVED_TO) != 0});
    }
  }
}

}  // namespace akin::cli
