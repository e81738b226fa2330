#include "index/lmdb/env/write_turn.h"

#include <fcntl.h>

#include <cerrno>
#include <chrono>
#include <string>

#include "base/waiting.h"

namespace akin::lmdb {

namespace {

using Clock = std::chrono::steady_clock;

// Locks on bytes of the data file beyond all pages (docs/index-format.md). Who waits for the second has the
// first: a process that writes again at once has to queue after it.
constexpr off_t kNextByte = off_t{1} << 62;
constexpr off_t kWritingByte = kNextByte + 1;

/// False if another process has the lock.
Result<bool> set_lock(const EnvState& env, off_t byte, short kind) {
  int data_file = -1;
  mdb_env_get_fd(env.env, &data_file);
  struct flock request = {};
  request.l_type = kind;
  request.l_whence = SEEK_SET;
  request.l_start = byte;
  request.l_len = 1;
  if (fcntl(data_file, F_OFD_SETLK, &request) == 0) return true;
  if (errno == EAGAIN || errno == EACCES) return false;
  return system_error(errno, env.folder.string(), "lock the data file of");
}

std::string name_of(const std::filesystem::path& folder) {
  if (folder.filename() == "state") return "server's state";
  return "collection '" + folder.parent_path().filename().string() + "'";
}

Error too_long(const EnvState& env, std::string_view who) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(env.options.write_patience).count();
  return Error{Errc::busy, name_of(env.folder),
               std::string(who) + " has been writing to it for more than " + std::to_string(seconds) +
                   " s, or is stopped",
               "let that process go on or end it, or try again"};
}

Result<void> wait_for_lock(const EnvState& env, off_t byte, Clock::time_point end) {
  Result<bool> locked = false;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now());
  const Waited waited = wait_for(left, [&] {
    locked = set_lock(env, byte, F_WRLCK);
    return locked.has_error() || *locked;
  });
  if (waited == Waited::stopped) return stopped_work();
  if (waited == Waited::too_long) return too_long(env, "another process");
  if (locked.has_error()) return locked.error();
  return {};
}

}  // namespace

Result<WriteTurn> WriteTurn::take(EnvState& env) {
  const auto end = Clock::now() + env.options.write_patience;
  std::unique_lock threads(env.writer, std::try_to_lock);
  if (!threads.owns_lock()) {
    // Not try_lock_until: ThreadSanitizer does not know how glibc waits by this clock.
    const Waited waited = wait_for(env.options.write_patience, [&] { return threads.try_lock(); });
    if (waited == Waited::stopped) return stopped_work();
    if (waited == Waited::too_long) return too_long(env, "another thread of this process");
  }
  const bool hopeless = env.gave_up && Clock::now() - *env.gave_up < env.options.write_patience / 6;
  const auto last = hopeless ? Clock::now() : end;
  Result<void> locked = wait_for_lock(env, kNextByte, last);
  if (!locked.has_error()) {
    locked = wait_for_lock(env, kWritingByte, last);
    AKIN_CHECK(set_lock(env, kNextByte, F_UNLCK));
  }
  if (locked.has_error()) {
    if (locked.error().code == Errc::busy && !hopeless && !stop_of_work().stop_requested())
      env.gave_up = Clock::now();
    return locked.error();
  }
  return WriteTurn(env, std::move(threads));
}

WriteTurn::~WriteTurn() {
  // If it cannot be given up, it ends with the environment.
  if (threads_.owns_lock()) static_cast<void>(set_lock(*env_, kWritingByte, F_UNLCK));
}

}  // namespace akin::lmdb
