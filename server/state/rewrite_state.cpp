#include "server/state/rewrite_state.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>  // NOLINT(modernize-deprecated-headers): renameat2

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/folders.h"
#include "server/state/state.h"

namespace akin::state {

namespace {

constexpr std::size_t kEntriesAtOnce = 256;

/// In the folder of the state, which new files replace as a whole.
std::filesystem::path mark_of(const std::filesystem::path& data) { return data / "state" / "rewrite"; }

Result<void> copy_all(const State& from, State& to) {
  for (std::size_t number = 0; number < kTables; ++number) {
    const Table table{static_cast<std::uint8_t>(number)};
    for (std::string after;;) {
      AKIN_TRY(const std::vector<Entry> page, from.list(table, "", after, kEntriesAtOnce));
      if (page.empty()) break;
      after = page.back().key;
      const auto written = to.write([&](Writer& writer) -> Result<void> {
        for (const Entry& entry : page) AKIN_CHECK(writer.put(table, entry.key, entry.value));
        return {};
      });
      AKIN_CHECK(written);
    }
  }
  return {};
}

}  // namespace

Result<void> check_closed(const std::filesystem::path& data) {
  const std::filesystem::path folder = data / "state", path = folder / "lock.mdb";
  const FileHandle file(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (file.get() < 0 && errno == ENOENT) return {};
  if (file.get() < 0) return system_error(errno, path.string(), "open");
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  if (fcntl(file.get(), F_GETLK, &lock) != 0) return system_error(errno, path.string(), "lock");
  if (lock.l_type == F_UNLCK) return {};
  return Error{Errc::busy, "state " + folder.string(),
               "process " + std::to_string(lock.l_pid) + " has it open", "stop the server, then try again"};
}

Result<void> rewrite_state(const std::filesystem::path& data) {
  const std::filesystem::path folder = data / "state", making = data / ".rewriting";
  AKIN_CHECK(check_closed(data));
  std::error_code failure;
  std::filesystem::remove_all(making, failure);
  {
    AKIN_TRY(const auto from, State::open(data));
    AKIN_TRY(const auto to, State::open(making));
    AKIN_CHECK(copy_all(*from, *to));
  }
  const std::filesystem::path made = making / "state";
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, folder.c_str(), RENAME_EXCHANGE) != 0)
    return system_error(errno, folder.string(), "replace");
  AKIN_CHECK(sync_folder(data));
  std::filesystem::remove_all(making, failure);
  if (failure) return system_error(failure.value(), making.string(), "remove");
  return {};
}

Result<void> mark_to_rewrite(const std::filesystem::path& data) {
  const std::filesystem::path path = mark_of(data);
  const FileHandle mark(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  if (mark.get() < 0) return system_error(errno, path.string(), "create");
  return sync_folder(path.parent_path());
}

Result<bool> rewrite_if_marked(const std::filesystem::path& data) {
  std::error_code failure;
  if (!std::filesystem::exists(mark_of(data), failure)) return false;
  AKIN_CHECK(rewrite_state(data));
  return true;
}

}  // namespace akin::state
