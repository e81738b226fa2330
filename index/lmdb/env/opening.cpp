#include "index/lmdb/env/opening.h"

#include <fcntl.h>
#include <lmdb.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/files.h"
#include "base/waiting.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/env/page_walk.h"

namespace akin::lmdb {

namespace {

/// For another process to open or to close an environment.
constexpr std::chrono::seconds kPatience(30);
constexpr std::string_view kRestore = "restore a backup, or index the texts again";

/// At least what LMDB makes of its lock file: a cache line for each reader, and its header.
constexpr std::uint64_t lock_file_bytes(unsigned readers) noexcept {
  constexpr std::uint64_t kReaderBytes = 64, kHeaderBytes = 4096, kPage = 4096;
  return (readers * kReaderBytes + kHeaderBytes + kPage - 1) / kPage * kPage;
}

struct EndTransaction {
  void operator()(MDB_txn* txn) const noexcept { mdb_txn_abort(txn); }
};
using Transaction = std::unique_ptr<MDB_txn, EndTransaction>;

/// A transaction, which keeps what it sees readable, and the state that it sees.
struct State {
  Transaction txn;
  MetaPage meta;
};

Result<std::optional<State>> newest_state(MDB_env* env, const PageFile& file) {
  constexpr int kAttempts = 16;  // each lost only to another process that commits twice meanwhile
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    MDB_txn* raw = nullptr;
    if (mdb_txn_begin(env, nullptr, MDB_RDONLY, &raw) != MDB_SUCCESS) break;
    Transaction txn(raw);
    AKIN_TRY(const std::optional<MetaPage> meta, file.meta(mdb_txn_id(raw)));
    if (meta) return std::optional(State{std::move(txn), *meta});
  }
  return std::optional<State>();
}

}  // namespace

Result<OpeningLock> OpeningLock::acquire(const std::filesystem::path& folder) {
  for (;;) {
    OpeningLock lock(FileHandle(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    if (lock.folder_.get() < 0) return system_error(errno, folder.string(), "open");
    int failure = 0;
    const Waited waited = wait_for(kPatience, [&] {
      if (flock(lock.folder_.get(), LOCK_EX | LOCK_NB) == 0) return true;
      failure = errno == EWOULDBLOCK || errno == EINTR ? 0 : errno;
      return failure != 0;
    });
    if (failure != 0) return system_error(failure, folder.string(), "lock");
    if (waited == Waited::stopped) return stopped_work();
    if (waited == Waited::too_long) {
      return Error{Errc::busy, "collection or state", "another process opens or closes it, or is stopped",
                   "let that process go on or end it, or try again"};
    }
    if (is_still_at(lock.folder_, folder)) return lock;
  }
}

OpeningLock::~OpeningLock() {
  // Closing would not suffice while a process that was forked meanwhile has the descriptor too.
  if (folder_.get() >= 0) flock(folder_.get(), LOCK_UN);
}

Result<void> allocate_lock_file(const std::filesystem::path& folder, mode_t mode, unsigned readers) {
  const std::filesystem::path path = folder / format::kLockFile;
  const FileHandle file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, mode));
  struct stat status = {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) return system_error(errno, path.string(), "open");
  // LMDB takes as many readers as there is room for. A file that exists keeps its size: others may have it
  // mapped.
  const auto bytes = status.st_size > 0 ? status.st_size : static_cast<off_t>(lock_file_bytes(readers));
  for (;;) {
    if (fallocate(file.get(), 0, 0, bytes) == 0) return {};
    if (errno == EINTR) continue;
    // A file system without this call: the file stays sparse, as LMDB makes it.
    if (errno == EOPNOTSUPP || errno == ENOSYS) return {};
    return system_error(errno, path.string(), "allocate");
  }
}

Result<void> check_data_file(MDB_env* env, const std::filesystem::path& folder) {
  int descriptor = -1;
  mdb_env_get_fd(env, &descriptor);
  AKIN_TRY(const PageFile file, PageFile::open(descriptor, (folder / format::kDataFile).string()));
  AKIN_TRY(const std::optional<State> state, newest_state(env, file));
  if (!state) return {};
  std::optional<Error> first;
  PageWalk walk(file, state->meta, [&](std::string where, std::string broken) {
    if (!first) first = Error{Errc::corrupt, std::move(where), std::move(broken), std::string(kRestore)};
  });
  AKIN_TRY(const std::uint64_t in_free_list, walk.run(PageWalk::Extent::free_list));
  if (walk.missing_pages() > 0 && (in_free_list > 0 || !walk.lacks_only_free_pages())) {
    AKIN_TRY(const std::uint64_t bytes, file.size());
    return Error{Errc::corrupt, file.name(),
                 "the file is too short: it has " + std::to_string(bytes) +
                     " bytes, and its last page ends at " +
                     std::to_string((state->meta.last_page + 1) * file.page_bytes()),
                 std::string(kRestore)};
  }
  AKIN_TRY(const std::uint64_t findings, walk.run(PageWalk::Extent::branches));
  return findings == 0 ? Result<void>() : Result<void>(*first);
}

Result<std::uint64_t> walk_data_file(MDB_env* env, const std::filesystem::path& folder,
                                     const std::function<void(std::string, std::string)>& report) {
  int descriptor = -1;
  mdb_env_get_fd(env, &descriptor);
  AKIN_TRY(const PageFile file, PageFile::open(descriptor, (folder / format::kDataFile).string()));
  AKIN_TRY(const std::optional<State> state, newest_state(env, file));
  if (!state) return std::uint64_t{0};
  PageWalk walk(file, state->meta, report);
  return walk.run(PageWalk::Extent::everything);
}

}  // namespace akin::lmdb
