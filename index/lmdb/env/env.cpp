#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/crc32c.h"
#include "index/lmdb/env/lmdb.h"
#include "index/lmdb/env/opening.h"
#include "index/lmdb/env/transaction_state.h"
#include "index/lmdb/env/write_turn.h"

namespace akin::lmdb {

namespace {

/// Read transactions of all processes together; LMDB's default of 126 is too few for a server with a few
/// tools running next to it.
constexpr unsigned kMaxReaders = 1024;
/// Writes between two checks for readers of killed processes, whose pages are not reused: meanwhile each
/// write makes the file grow by tens of kilobytes.
constexpr unsigned kWritesBetweenChecks = 256;
/// LMDB writes at most this much at once; a shorter write has hit a limit.
constexpr std::uint64_t kWriteChunk = std::uint64_t{4} << 20;

/// Whether the file has reached the process's size limit or filled the disk. LMDB reports a write that was
/// cut short for that reason as EIO, as it does for a broken disk.
bool room_is_exhausted(const EnvState& env) {
  int data_file = -1;
  struct stat file = {};
  if (mdb_env_get_fd(env.env, &data_file) != MDB_SUCCESS || fstat(data_file, &file) != 0) return false;
  rlimit limit = {};
  if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
      static_cast<std::uint64_t>(file.st_size) + kWriteChunk > limit.rlim_cur) {
    return true;
  }
  struct statvfs disk = {};
  return fstatvfs(data_file, &disk) == 0 && std::uint64_t{disk.f_bavail} * disk.f_frsize < kWriteChunk;
}

// The two figures below read the map: only inside the gate.

std::uint64_t used_bytes(MDB_env* env) {
  MDB_envinfo info{};
  MDB_stat stat{};
  mdb_env_info(env, &info);
  mdb_env_stat(env, &stat);
  return (std::uint64_t{info.me_last_pgno} + 1) * stat.ms_psize;
}

std::size_t present_map_bytes(MDB_env* env) {
  MDB_envinfo info{};
  mdb_env_info(env, &info);
  return info.me_mapsize;
}

Error map_lost(const EnvState& env) {
  return Error{Errc::io, env.folder.string(), "the system refused address space for a larger map",
               "raise the limit on address space (ulimit -v) and start again"};
}

/// Remaps. `bytes` 0 takes the size that another process has chosen. Requires that no transaction is open.
int set_map_size(EnvState& env, std::size_t bytes) {
  const int code = mdb_env_set_mapsize(env.env, bytes);
  // LMDB has unmapped the old map by then, so it cannot be restored.
  if (code != MDB_SUCCESS) env.map_lost = true;
  return code;
}

/// Gives the places of killed processes among the readers back; returns how many.
int remove_dead_readers(const EnvState& env) noexcept {
  int dead = 0;
  mdb_reader_check(env.env, &dead);
  return dead;
}

/// Doubles the map unless another thread has grown it beyond `seen` already.
Result<void> grow_map(EnvState& env, std::size_t seen, std::chrono::milliseconds patience) {
  remove_dead_readers(env);
  int code = MDB_SUCCESS;
  const bool alone = env.gate.run_alone(patience, [&] {
    if (!env.map_lost && present_map_bytes(env.env) <= seen) code = set_map_size(env, 2 * seen);
  });
  if (!alone) {
    return Error{Errc::busy, env.folder.string(),
                 "the store must grow, and a reader has been open for too long",
                 "close long readers, or try again when they have ended"};
  }
  if (code != MDB_SUCCESS) return lmdb_error(code, env, "grow the map");
  return {};
}

/// Follows a growth by another process.
Result<void> adopt_map(EnvState& env) {
  int code = MDB_SUCCESS;
  const bool alone = env.gate.run_alone(env.options.patience, [&] {
    if (!env.map_lost) code = set_map_size(env, 0);
  });
  if (!alone) {
    return Error{Errc::busy, env.folder.string(),
                 "another process has grown the store, and a reader of this one has been open for too long",
                 "close long readers, or try again when they have ended"};
  }
  if (code != MDB_SUCCESS) return lmdb_error(code, env, "grow the map");
  return {};
}

/// LMDB locks the byte of its lock file at the process's number, by which others see that it lives.
Error has_same_number(const EnvState& env) {
  return Error{Errc::busy, env.folder.string(),
               "a process of another container that has the same process number, " +
                   std::to_string(getpid()) + ", has it open",
               "run this in that container (podman exec), or with its process numbers (podman run --pid "
               "container:NAME)"};
}

/// Enters the gate and begins a transaction. On failure it leaves the gate again.
Result<MDB_txn*> begin(EnvState& env, unsigned flags) {
  constexpr int kAttempts = 8;  // each lost only to another process that grew the map meanwhile
  int code = MDB_SUCCESS;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    env.gate.enter();
    MDB_txn* txn = nullptr;
    if (env.map_lost) {
      env.gate.leave();
      return map_lost(env);
    }
    note_use(env);
    code = mdb_txn_begin(env.env, nullptr, flags, &txn);
    if (code == MDB_SUCCESS) return txn;
    env.gate.leave();
    if (code == MDB_MAP_RESIZED) {
      AKIN_CHECK(adopt_map(env));
    } else if (code == MDB_READERS_FULL) {
      if (remove_dead_readers(env) == 0) break;
    } else if (code == EAGAIN || code == EACCES) {
      return has_same_number(env);
    } else {
      break;
    }
  }
  return lmdb_error(code, env, "begin a transaction");
}

/// Takes permissions away that the data file has and the options do not give.
Result<void> keep_mode(const EnvState& env) {
  mdb_filehandle_t file = -1;
  struct stat status = {};
  if (mdb_env_get_fd(env.env, &file) != MDB_SUCCESS || fstat(file, &status) != 0) return {};
  const mode_t kept = status.st_mode & env.options.mode & ACCESSPERMS;
  if (kept == (status.st_mode & ACCESSPERMS)) return {};
  if (fchmod(file, kept) == 0) return {};
  return system_error(errno, env.folder.string(), "take away permissions of the data file of");
}

/// The size of map to start with (Options::map_bytes).
std::size_t wanted_map_bytes(const EnvState& env) {
  constexpr std::size_t kHeadroom = 8;
  constexpr std::size_t kMost = std::size_t{1} << 46;  // of the 2^47 bytes that a process has
  struct stat file = {};
  if (stat((env.folder / "data.mdb").c_str(), &file) != 0) return env.options.map_bytes;
  const auto bytes = static_cast<std::size_t>(file.st_size);
  return std::max(env.options.map_bytes, bytes > kMost / kHeadroom ? kMost : kHeadroom * bytes);
}

/// LMDB allocates 3 MB of lists with each environment, of which most need a few pages. While this lives,
/// malloc maps such blocks separately, so that only the pages that are written count. Afterwards it treats
/// blocks as it does by default once large ones have been freed.
class SeparateLargeBlocks {
 public:
  SeparateLargeBlocks() noexcept { map_from(1 << 20); }
  ~SeparateLargeBlocks() {
    constexpr int kGlibcMost = 32 << 20;
    map_from(kGlibcMost);
  }
  SeparateLargeBlocks(const SeparateLargeBlocks&) = delete;
  SeparateLargeBlocks& operator=(const SeparateLargeBlocks&) = delete;

 private:
  static void map_from([[maybe_unused]] int bytes) noexcept {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, bytes);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
  }
};

Result<struct stat> data_file_of(const EnvState& env) {
  int data_file = -1;
  struct stat file = {};
  mdb_env_get_fd(env.env, &data_file);
  if (fstat(data_file, &file) != 0)
    return system_error(errno, env.folder.string(), "look at the data file of");
  return file;
}

/// Opens with the requested map size, or with the largest half, quarter … of it that the system grants.
Result<void> open_env(EnvState& env, std::size_t tables) {
  const SeparateLargeBlocks separate;
  for (std::size_t map_bytes = wanted_map_bytes(env);; map_bytes /= 2) {
    int code = mdb_env_create(&env.env);
    if (code != MDB_SUCCESS) return lmdb_error(code, env, "open");
    mdb_env_set_maxdbs(env.env, static_cast<MDB_dbi>(tables));
    mdb_env_set_maxreaders(env.env, kMaxReaders);
    mdb_env_set_mapsize(env.env, map_bytes);
    const unsigned flags = MDB_NOTLS | MDB_NORDAHEAD | (env.options.durable ? 0U : unsigned{MDB_NOSYNC});
    code = mdb_env_open(env.env, env.folder.c_str(), flags, env.options.mode);
    if (code == MDB_SUCCESS) return keep_mode(env);
    mdb_env_close(env.env);
    env.env = nullptr;
    constexpr std::size_t kLeastMap = std::size_t{1} << 20;
    if (code != ENOMEM || map_bytes / 2 < kLeastMap) return lmdb_error(code, env, "open");
  }
}

/// The same while no other process opens or closes the environment, with a lock file that has its disk space.
Result<void> open_alone(EnvState& env, std::size_t tables) {
  AKIN_TRY(const OpeningLock others_wait, OpeningLock::acquire(env.folder));
  AKIN_CHECK(allocate_lock_file(env.folder, env.options.mode, kMaxReaders));
  return open_env(env, tables);
}

Result<void> open_tables(EnvState& env, const std::vector<TableSpec>& specs, bool create) {
  env.tables.reserve(specs.size());  // nothing may throw while the transaction is open
  std::optional<WriteTurn> turn;
  if (create) {
    AKIN_TRY(WriteTurn taken, WriteTurn::take(env));
    turn.emplace(std::move(taken));
  }
  AKIN_TRY(MDB_txn* const txn, begin(env, create ? 0U : unsigned{MDB_RDONLY}));
  int code = MDB_SUCCESS;
  std::string_view missing;
  for (const TableSpec& spec : specs) {
    MDB_dbi handle = 0;
    code = mdb_dbi_open(txn, std::string(spec.name).c_str(), create ? unsigned{MDB_CREATE} : 0U, &handle);
    if (code != MDB_SUCCESS) {
      missing = spec.name;
      break;
    }
    env.tables.push_back({handle, spec.name, crc32c(spec.name), spec.checked});
  }
  if (code == MDB_SUCCESS) {
    code = mdb_txn_commit(txn);  // keeps the handles, in a read transaction too
  } else {
    mdb_txn_abort(txn);
  }
  env.gate.leave();
  if (code == MDB_NOTFOUND || code == MDB_INCOMPATIBLE) {
    return Error{Errc::corrupt, env.folder.string(),
                 "the table '" + std::string(missing) + "' is missing or has the wrong type", ""};
  }
  if (code != MDB_SUCCESS) return lmdb_error(code, env, "open");
  return {};
}

}  // namespace

Error lmdb_error(int code, const EnvState& env, std::string_view doing) {
  const auto error = [&](Errc kind, std::string_view remedy) {
    return Error{kind, env.folder.string(), "cannot " + std::string(doing) + ": " + mdb_strerror(code),
                 std::string(remedy)};
  };
  switch (code) {
    case MDB_CORRUPTED:
    case MDB_PAGE_NOTFOUND:
    case MDB_INVALID:
    case MDB_VERSION_MISMATCH:
      return error(Errc::corrupt, "restore a backup, or index the texts again");
    case MDB_READERS_FULL:
      return error(Errc::busy, "close some readers");
    case MDB_MAP_RESIZED:
      return error(Errc::busy, "repeat");
    case MDB_TXN_FULL:
      return error(Errc::too_large, "write fewer or smaller documents at once");
    case MDB_BAD_VALSIZE:
      return error(Errc::too_large, "write a smaller document");
    case MDB_PANIC:
      return error(Errc::io, "an earlier write to the disk failed; start again");
    case EIO:
      if (env.env != nullptr && room_is_exhausted(env))
        return system_error(ENOSPC, env.folder.string(), doing);
      return system_error(code, env.folder.string(), doing);
    default:
      return code > 0 ? system_error(code, env.folder.string(), doing) : error(Errc::internal, "");
  }
}

EnvState::~EnvState() {
  if (env == nullptr) return;
  // Without it if the folder was renamed: then nobody opens it any more.
  const Result<OpeningLock> others_wait = OpeningLock::acquire(folder);
  mdb_env_close(env);
}

Env::Env(std::unique_ptr<EnvState> state) noexcept : state_(std::move(state)) {}
Env::Env(Env&&) noexcept = default;
Env& Env::operator=(Env&&) noexcept = default;
Env::~Env() = default;

Result<Env> Env::open(const std::filesystem::path& folder, const std::vector<TableSpec>& tables,
                      const Options& options, bool create) {
  auto state = std::make_unique<EnvState>(folder);
  state->options = options;
  struct stat file = {};
  // mdb_env_open would create an empty file in place of a lost one.
  if (!create && stat((folder / "data.mdb").c_str(), &file) != 0) {
    return system_error(errno, (folder / "data.mdb").string(), "open");
  }
  if (create && mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
    return system_error(errno, folder.string(), "make the folder");
  }
  AKIN_CHECK(open_alone(*state, tables.size()));
  AKIN_CHECK(check_data_file(state->env, folder));
  MDB_stat stat{};
  mdb_env_stat(state->env, &stat);
  state->page_bytes = stat.ms_psize;
  state->known.resize(used_bytes(state->env) / stat.ms_psize);
  remove_dead_readers(*state);
  AKIN_CHECK(open_tables(*state, tables, create));
  return Env(std::move(state));
}

const std::vector<Table>& Env::tables() const noexcept { return state_->tables; }

Result<ReadTxn> Env::read() const {
  AKIN_TRY(MDB_txn* const txn, begin(*state_, MDB_RDONLY));
  return ReadTxn(state_.get(), txn);
}

Result<void> Env::write(const std::function<Result<void>(WriteTxn&)>& body) {
  const Waiting waiting;  // also for the disk, once the transaction ends
  AKIN_TRY(const WriteTurn turn, WriteTurn::take(*state_));
  if (++state_->writes % kWritesBetweenChecks == 0) remove_dead_readers(*state_);
  for (;;) {
    std::size_t map_bytes = 0;
    bool half_full = false;
    bool map_full = false;
    Result<void> outcome;
    {
      AKIN_TRY(MDB_txn* const raw, begin(*state_, 0));
      WriteTxn txn(state_.get(), raw);
      map_bytes = present_map_bytes(state_->env);
      half_full = used_bytes(state_->env) > map_bytes / 2;
      outcome = body(txn);
      if (!outcome.has_error()) outcome = txn.commit();
      map_full = txn.map_full_;
    }
    if (!map_full) {
      if (state_->options.held_pages > 0) {
        const Result<ReadTxn> after = read();
        if (after.has_value()) let_go_of_pages(*state_, after->txn_);
      }
      // Makes room for the next write if that is possible immediately; otherwise that write has to wait for
      // it.
      if (half_full) {
        static_cast<void>(grow_map(*state_, map_bytes, std::chrono::milliseconds(0)));
      }
      return outcome;
    }
    AKIN_CHECK(grow_map(*state_, map_bytes, state_->options.patience));
  }
}

Result<void> Env::sync() {
  const int code = mdb_env_sync(state_->env, 1);
  if (code != MDB_SUCCESS) return lmdb_error(code, *state_, "write to the disk");
  return {};
}

Result<std::uint64_t> Env::verify_pages(
    const std::function<void(std::string where, std::string broken)>& report) const {
  return walk_data_file(state_->env, state_->folder, report);
}

Result<std::uint64_t> Env::file_bytes() const {
  AKIN_TRY(const struct stat file, data_file_of(*state_));
  return static_cast<std::uint64_t>(file.st_size);
}

Result<std::pair<dev_t, ino_t>> Env::file_id() const {
  AKIN_TRY(const struct stat file, data_file_of(*state_));
  return std::pair(file.st_dev, file.st_ino);
}

std::size_t Env::map_bytes() const {
  state_->gate.enter();
  const std::size_t bytes = present_map_bytes(state_->env);
  state_->gate.leave();
  return bytes;
}

}  // namespace akin::lmdb
