#include "extract/child/sandbox.h"

#include <asm/ioctls.h>
#include <asm/sockios.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include "base/files.h"
#include "extract/child/forbidden_calls.h"

namespace akin::extract {

namespace {

/// struct landlock_ruleset_attr of version 6, which the headers of older systems lack.
struct LandlockRules {
  std::uint64_t files = 0;
  std::uint64_t network = 0;
  std::uint64_t scoped = 0;
};

struct LandlockVersion {
  int since;
  std::uint64_t files;  ///< all rights over files that this version knows
  std::uint64_t network;
  std::uint64_t scoped;
  std::size_t size;  ///< of the structure
};

/// https://docs.kernel.org/userspace-api/landlock.html, "Backward and forward compatibility".
constexpr std::array kLandlock = {
    LandlockVersion{6, (1U << 16U) - 1, 3, 3, 24}, LandlockVersion{5, (1U << 16U) - 1, 3, 0, 16},
    LandlockVersion{4, (1U << 15U) - 1, 3, 0, 16}, LandlockVersion{3, (1U << 15U) - 1, 0, 0, 8},
    LandlockVersion{2, (1U << 14U) - 1, 0, 0, 8},  LandlockVersion{1, (1U << 13U) - 1, 0, 0, 8}};

/// The kernel's version of Landlock; 0 if it has none.
int landlock_version() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

/// A path that stays open, and for what.
struct Allowance {
  std::string path;
  std::uint64_t rights;
};

/// Paths that are not there, or that the process may not open itself, need no rule.
Result<void> allow(int ruleset, const Allowance& allowance, std::uint64_t known_rights) {
  constexpr std::uint64_t kOfFolders = LANDLOCK_ACCESS_FS_READ_DIR;
  const FileHandle path(::open(allowance.path.c_str(), O_PATH | O_CLOEXEC));
  struct stat there = {};
  if (path.get() < 0 || ::fstat(path.get(), &there) != 0) return {};
  landlock_path_beneath_attr rule = {};
  rule.allowed_access = allowance.rights & known_rights;
  if (!S_ISDIR(there.st_mode)) rule.allowed_access &= ~kOfFolders;
  rule.parent_fd = path.get();
  if (::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    return system_error(errno, "sandbox", "add to the Landlock rules of");
  return {};
}

/// Forbids all that the kernel's Landlock knows, except the allowances. A kernel without it is not an error.
Result<void> restrict_by_landlock(const std::vector<Allowance>& allowances) {
  const int version = landlock_version();
  for (const LandlockVersion& known : kLandlock) {
    if (version < known.since) continue;
    const LandlockRules rules{known.files, known.network, known.scoped};
    const FileHandle ruleset(static_cast<int>(::syscall(SYS_landlock_create_ruleset, &rules, known.size, 0)));
    if (ruleset.get() < 0) return system_error(errno, "sandbox", "create the Landlock rules of");
    for (const Allowance& one : allowances) AKIN_CHECK(allow(ruleset.get(), one, known.files));
    if (::syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
      return system_error(errno, "sandbox", "close by Landlock");
    return {};
  }
  return {};
}

/// What a program needs to be there: itself, its libraries and their data.
std::vector<Allowance> allowances_of(const std::string& program) {
  constexpr std::uint64_t kRead = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  constexpr std::uint64_t kRun = kRead | LANDLOCK_ACCESS_FS_EXECUTE;
  std::vector<Allowance> all;
  for (const char* folder : {"/usr", "/bin", "/sbin", "/lib", "/lib64"}) all.push_back({folder, kRun});
  for (const char* known :
       {"/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/locale.alias", "/etc/localtime",
        "/etc/perl", "/etc/python3", "/etc/texmf", "/var/cache/fontconfig", "/dev/urandom"})
    all.push_back({known, kRead});
  all.push_back({"/dev/null", kRead | LANDLOCK_ACCESS_FS_WRITE_FILE});
  if (program.starts_with('/')) all.push_back({program, kRun});
  return all;
}

/// `most`: up to which the process may raise it.
Result<void> limit(decltype(RLIMIT_AS) resource, std::uint64_t value, std::uint64_t most) {
  const rlimit both{value, most};
  if (::setrlimit(resource, &both) != 0) return system_error(errno, "sandbox", "set the limits of");
  return {};
}

Result<void> set_limits(const Limits& limits, std::uint64_t open_files) {
#ifndef __SANITIZE_ADDRESS__  // its shadow takes terabytes of addresses
  AKIN_CHECK(limit(RLIMIT_AS, limits.memory, limits.memory));
#endif
  const std::uint32_t most = std::max(limits.seconds, limits.most_seconds);
  AKIN_CHECK(limit(RLIMIT_CPU, limits.seconds, most));
  AKIN_CHECK(limit(RLIMIT_FSIZE, 0, 0));
  AKIN_CHECK(limit(RLIMIT_CORE, 0, 0));
  AKIN_CHECK(limit(RLIMIT_NOFILE, open_files, open_files));  // what is open stays open
  const itimerval timer{{0, 0}, {static_cast<time_t>(most) * kClockFactor, 0}};
  if (::setitimer(ITIMER_REAL, &timer, nullptr) != 0)
    return system_error(errno, "sandbox", "set the timer of");
  return {};
}

/// So that root's process cannot raise its limits either.
Result<void> drop_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {};
  if (::syscall(SYS_capset, &header, none) != 0)
    return system_error(errno, "sandbox", "drop the capabilities of");
  return {};
}

struct ReleaseFilter {
  void operator()(void* filter) const noexcept { seccomp_release(filter); }
};

/// Adds what pthread_create and the end of a thread need. Its flags are in memory that clone3 points to,
/// where a filter cannot see them: without that call glibc uses clone, with exactly these flags.
int allow_threads(void* filter) {
  constexpr scmp_datum_t kThread = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
                                   CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;
  int failure = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  if (failure == 0)
    failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1, SCMP_A0(SCMP_CMP_EQ, kThread));
  for (const int call : {SCMP_SYS(rt_sigprocmask), SCMP_SYS(set_robust_list), SCMP_SYS(rseq)}) {
    if (failure == 0) failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
  }
  return failure;
}

Result<void> filter_system_calls(bool threads) {
  const std::unique_ptr<void, ReleaseFilter> filter(seccomp_init(SCMP_ACT_ERRNO(EPERM)));
  if (filter == nullptr) return system_error(ENOMEM, "sandbox", "make the filter of");
  constexpr std::array kAllowed = {
      SCMP_SYS(read),    SCMP_SYS(write),      SCMP_SYS(close),         SCMP_SYS(lseek),
      SCMP_SYS(fstat),   SCMP_SYS(munmap),     SCMP_SYS(mremap),        SCMP_SYS(brk),
      SCMP_SYS(madvise), SCMP_SYS(futex),      SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday),
      SCMP_SYS(exit),    SCMP_SYS(exit_group), SCMP_SYS(rt_sigreturn),  SCMP_SYS(restart_syscall)};
  int failure = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_NNP, 1);
#ifdef __SANITIZE_ADDRESS__  // asks for the stack of signals before whatever does not return
  if (failure == 0) failure = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(sigaltstack), 0);
#endif
  for (const int call : kAllowed) {
    if (failure == 0) failure = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 0);
  }
  // Memory that is not executable.
  for (const int call : {SCMP_SYS(mmap), SCMP_SYS(mprotect)}) {
    constexpr scmp_datum_t kExecutable = 4;  // PROT_EXEC
    if (failure == 0)
      failure = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, call, 1,
                                 SCMP_A2(SCMP_CMP_MASKED_EQ, kExecutable, 0));
  }
  // Its own limit of processor time, whose upper bound it cannot raise.
  if (failure == 0)
    failure = seccomp_rule_add(filter.get(), SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0),
                               SCMP_A1(SCMP_CMP_EQ, RLIMIT_CPU));
  if (failure == 0 && threads) failure = allow_threads(filter.get());
  if (failure == 0) failure = seccomp_load(filter.get());
  if (failure != 0) return system_error(-failure, "sandbox", "filter the system calls of");
  return {};
}

/// Calls that are refused for one value of one argument.
struct ForbiddenArgument {
  int call;
  scmp_arg_cmp argument;
};

/// A process, which lacks a thread's flag; the limits of another process; a descriptor whose events are sent
/// to a process as signals.
const std::vector<ForbiddenArgument> kForbiddenArguments = {
    {SCMP_SYS(prlimit64), SCMP_A0(SCMP_CMP_NE, 0)},
    {SCMP_SYS(clone), SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)},
    {SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, F_SETOWN)},
    {SCMP_SYS(fcntl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, F_SETOWN_EX)},
    {SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, FIOSETOWN)},
    {SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, SIOCSPGRP)},
    {SCMP_SYS(ioctl), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xffffffff, TIOCSTI)}};

/// To empty a file as it is opened is a right of its own since Landlock 3; before, who may read a file may
/// empty it.
constexpr int kFirstWithTruncation = 3;
const std::vector<ForbiddenArgument> kForbiddenBefore3 = {
    {SCMP_SYS(open), SCMP_A1(SCMP_CMP_MASKED_EQ, O_TRUNC, O_TRUNC)},
    {SCMP_SYS(openat), SCMP_A2(SCMP_CMP_MASKED_EQ, O_TRUNC, O_TRUNC)}};

/// Confines a program whose system calls are not known.
Result<void> forbid_system_calls() {
  const std::unique_ptr<void, ReleaseFilter> filter(seccomp_init(SCMP_ACT_ALLOW));
  if (filter == nullptr) return system_error(ENOMEM, "sandbox", "make the filter of");
  int failure = seccomp_attr_set(filter.get(), SCMP_FLTATR_CTL_NNP, 1);
  for (const int call : kForbiddenCalls) {
    if (failure == 0) failure = seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), call, 0);
  }
  std::vector<ForbiddenArgument> arguments = kForbiddenArguments;
  if (landlock_version() < kFirstWithTruncation)
    arguments.insert(arguments.end(), kForbiddenBefore3.begin(), kForbiddenBefore3.end());
  for (const ForbiddenArgument& one : arguments) {
    if (failure == 0)
      failure = seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(EPERM), one.call, 1, one.argument);
  }
  // Their flags are in memory, where a filter cannot see them: without them glibc uses clone and openat.
  for (const int call : {SCMP_SYS(clone3), SCMP_SYS(openat2)}) {
    if (failure == 0) failure = seccomp_rule_add(filter.get(), SCMP_ACT_ERRNO(ENOSYS), call, 0);
  }
  if (failure == 0) failure = seccomp_load(filter.get());
  if (failure != 0) return system_error(-failure, "sandbox", "filter the system calls of");
  return {};
}

/// Descriptors above standard input, output and errors and the control socket are the caller's.
constexpr int kFirstForeign = 4, kMostDescriptors = 4096;

/// What a confined process must not be able to do; each returns whether it could.
struct Attempt {
  const char* what;
  bool (*succeeds)();
};

constexpr std::array kAttempts = {
    Attempt{"use what its caller has open",
            [] {
              struct stat state {};
              for (int descriptor = kFirstForeign; descriptor < kMostDescriptors; ++descriptor) {
                if (::fstat(descriptor, &state) == 0) return true;
              }
              return false;
            }},
    Attempt{"open a file", [] { return ::open("/", O_RDONLY | O_DIRECTORY) >= 0; }},
    Attempt{"make a socket", [] { return ::socket(AF_INET, SOCK_STREAM, 0) >= 0; }},
    Attempt{"start a process",
            [] {
              const auto made =
                  static_cast<pid_t>(::syscall(SYS_clone, 0x11, 0, 0, 0, 0));  // SIGCHLD: a fork
              if (made == 0) ::_exit(0);
              return made > 0;
            }},
    Attempt{"execute a program", [] {
              // A program that could be executed would end with 0, as if no attempt had succeeded.
              const char* const arguments[] = {"false", nullptr};
              ::execv("/bin/false", const_cast<char* const*>(arguments));
              return errno != EPERM && errno != EACCES;
            }}};

/// Bits of the exit status of a probe: one per attempt, and one if the sandbox could not be closed.
constexpr int kNotClosed = 1 << kAttempts.size();

int probe(const Limits& limits) {
  if (close_sandbox(limits).has_error()) return kNotClosed;
  int status = 0;
  for (std::size_t i = 0; i < kAttempts.size(); ++i) {
    if (kAttempts[i].succeeds()) status |= 1 << i;
  }
  return status;
}

}  // namespace

void add_pages_read(std::uint64_t pages) noexcept {
  static std::uint64_t read = 0;
  const std::uint64_t more = (read % kPagesOfSecond + pages) / kPagesOfSecond;
  read += pages;
  rlimit time{};
  if (more == 0 || ::getrlimit(RLIMIT_CPU, &time) != 0 || time.rlim_cur >= time.rlim_max) return;
  time.rlim_cur = std::min<rlim_t>(time.rlim_cur + more, time.rlim_max);
  static_cast<void>(::setrlimit(RLIMIT_CPU, &time));  // as if there were fewer pages, if it fails
}

Result<void> close_sandbox(const Limits& limits) {
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return system_error(errno, "sandbox", "give up privileges for");
  AKIN_CHECK(restrict_by_landlock({}));
  AKIN_CHECK(set_limits(limits, 0));
  if (!limits.threads) AKIN_CHECK(limit(RLIMIT_NPROC, 0, 0));
  AKIN_CHECK(drop_capabilities());
  return filter_system_calls(limits.threads);
}

Result<void> close_sandbox_for_program(const Limits& limits, const std::string& program) {
  constexpr std::uint64_t kOpenFiles = 64;
  if (landlock_version() == 0) {
    return Error{Errc::unsupported, "sandbox", "needs Landlock, which the kernel lacks",
                 "run akin on Linux 5.13 or later"};
  }
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
    return system_error(errno, "sandbox", "give up privileges for");
  AKIN_CHECK(restrict_by_landlock(allowances_of(program)));
  Limits without_pages = limits;
  without_pages.most_seconds = limits.seconds;
  AKIN_CHECK(set_limits(without_pages, kOpenFiles));
  return forbid_system_calls();
}

Sandbox probe_sandbox(const Limits& limits) {
  const pid_t child = ::fork();
  Limits with_threads = limits;
  with_threads.threads = true;
  if (child == 0) ::_exit(probe(with_threads));
  int status = 0;
  Sandbox sandbox;
  if (child < 0 || ::waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    sandbox.broken = "the process that tried the sandbox could not be started, or was killed";
    return sandbox;
  }
  status = WEXITSTATUS(status);
  if ((status & kNotClosed) != 0) {
    sandbox.broken = "the kernel refused to close it";
    return sandbox;
  }
  sandbox.no_new_privileges = sandbox.system_calls = sandbox.limits = true;
  sandbox.landlock = static_cast<std::uint32_t>(landlock_version());
  for (std::size_t i = 0; i < kAttempts.size(); ++i) {
    if ((status & (1 << i)) == 0) continue;
    if (!sandbox.broken.empty()) sandbox.broken += ", ";
    sandbox.broken += kAttempts[i].what;
  }
  return sandbox;
}

}  // namespace akin::extract
