// Copies an environment while it is written: LMDB writes the copy into a pipe, from which this file reads the
// bytes.
#include <fcntl.h>
#include <lmdb.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

#include "base/exceptions.h"
#include "base/files.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/env/transaction_state.h"

namespace akin::lmdb {

namespace {

constexpr int kPipeBytes = 1 << 20;
constexpr std::size_t kBlock = std::size_t{1} << 18;

int copy_pages(EnvState& env, int to) {
  MDB_txn* txn = nullptr;
  const int code = mdb_txn_begin(env.env, nullptr, MDB_RDONLY, &txn);
  if (code != MDB_SUCCESS) return code;
  const Scan scan(env, txn);
  mdb_txn_abort(txn);
  return mdb_env_copyfd2(env.env, to, MDB_CP_COMPACT);
}

/// Runs LMDB's copy into `to`, and closes it.
void write_copy(EnvState& env, FileHandle to, int& code) {
  // A reader that stops makes the next write fail, which must not end the process.
  sigset_t pipe_signal;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, nullptr);
  env.gate.enter();
  code = env.map_lost ? ENOMEM : copy_pages(env, to.get());
  env.gate.leave();
}

Result<void> read_copy(const FileHandle& from, const EnvState& env, const ByteSink& take) {
  std::vector<char> block(kBlock);
  for (;;) {
    const ssize_t got = ::read(from.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(errno, env.folder.string(), "copy");
    if (got == 0) return {};
    AKIN_CHECK(take({block.data(), static_cast<std::size_t>(got)}));
  }
}

}  // namespace

Result<void> Env::copy(const ByteSink& take) const {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) return system_error(errno, state_->folder.string(), "copy");
  FileHandle reading(ends[0]);
  FileHandle writing(ends[1]);
  static_cast<void>(fcntl(writing.get(), F_SETPIPE_SZ, kPipeBytes));  // a smaller pipe is only slower
  int code = MDB_SUCCESS;
  std::thread writer;
  Result<void> taken = without_exceptions([&]() -> Result<void> {
    writer = std::thread(
        [this, &code, end = std::move(writing)]() mutable { write_copy(*state_, std::move(end), code); });
    return read_copy(reading, *state_, take);
  });
  reading = FileHandle();  // a copy that still writes into the pipe fails
  if (writer.joinable()) writer.join();
  if (taken.has_error()) return taken;
  if (code != MDB_SUCCESS) return lmdb_error(code, *state_, "copy");
  return {};
}

}  // namespace akin::lmdb
