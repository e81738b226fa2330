// What a process in the sandbox can do, and what it cannot.
#include "extract/child/sandbox.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace akin::extract {
namespace {

constexpr int kRefused = 0, kSucceeded = 1, kOtherError = 2, kNotClosed = 3;

/// The wait status of a process that runs `act` in the sandbox, and ends with what it returns.
int run_confined(const std::function<int()>& act, const Limits& limits = {}) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(close_sandbox(limits).has_error() ? kNotClosed : act());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return status;
}

int exit_of(int (*act)()) {
  const int status = run_confined(act);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Of a system call that should have been refused.
int refusal(long result) {
  if (result >= 0) return kSucceeded;
  return errno == EPERM || errno == EACCES ? kRefused : kOtherError;
}

struct Attempt {
  const char* name;
  int (*act)();
};
void PrintTo(const Attempt& attempt, std::ostream* out) { *out << attempt.name; }

class Refused : public ::testing::TestWithParam<Attempt> {};

TEST_P(Refused, ByTheSandbox) { EXPECT_EQ(exit_of(GetParam().act), kRefused); }

INSTANTIATE_TEST_SUITE_P(
    System, Refused,
    ::testing::Values(
        Attempt{"OpeningAFile", [] { return refusal(::open("/etc/passwd", O_RDONLY)); }},
        Attempt{"OpeningAFileByTheOldCall",
                [] { return refusal(::syscall(SYS_open, "/etc/passwd", O_RDONLY)); }},
        Attempt{"MakingAFile", [] { return refusal(::open("/tmp/akin-sandbox", O_CREAT | O_WRONLY, 0600)); }},
        Attempt{"RemovingAFile", [] { return refusal(::unlink("/tmp/akin-sandbox-absent")); }},
        Attempt{"AskingForAFile", [] { return refusal(::access("/etc/passwd", F_OK)); }},
        Attempt{"MakingASocket", [] { return refusal(::socket(AF_INET, SOCK_STREAM, 0)); }},
        Attempt{"MakingALocalSocket", [] { return refusal(::socket(AF_UNIX, SOCK_STREAM, 0)); }},
        Attempt{"Forking", [] { return refusal(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }},
        Attempt{"StartingAThread",
                [] {
                  return refusal(
                      ::syscall(SYS_clone, 0x10f00 /* CLONE_VM|FS|FILES|SIGHAND|THREAD */, 0, 0, 0, 0));
                }},
        Attempt{"Executing",
                [] {
                  char* const none[] = {nullptr};
                  return refusal(::execve("/bin/true", none, none));
                }},
        Attempt{"SignallingAnother", [] { return refusal(::kill(::getppid(), 0)); }},
        Attempt{"Tracing", [] { return refusal(::syscall(SYS_ptrace, 0, 0, 0, 0)); }},
        Attempt{"LiftingItsTimeLimit",
                [] {
                  const itimerval never{};
                  return refusal(::setitimer(ITIMER_REAL, &never, nullptr));
                }},
        Attempt{"RaisingItsMostTime",
                [] {
                  const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
                  return refusal(::setrlimit(RLIMIT_CPU, &unlimited));
                }},
        Attempt{"RaisingItsMemory",
                [] {
                  const rlimit unlimited{RLIM_INFINITY, RLIM_INFINITY};
                  return refusal(::setrlimit(RLIMIT_AS, &unlimited));
                }},
        Attempt{"ExecutableMemory",
                [] {
                  void* made = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                  return refusal(made == MAP_FAILED ? -1 : 0);
                }}),
    [](const auto& attempt) { return std::string(attempt.param.name); });

#ifndef __SANITIZE_ADDRESS__  // whose own checks read the process through files
TEST(Sandbox, LetsThreadsStartWhereTheyAreAllowedAndConfinesThem) {
  Limits limits;
  limits.threads = true;
  const int status = run_confined(
      [] {
        int found = kOtherError;
        std::thread([&] { found = refusal(::open("/etc/passwd", O_RDONLY)); }).join();
        return found;
      },
      limits);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), kRefused);
}
#endif

TEST(Sandbox, RefusesProcessesWhereThreadsAreAllowed) {
  Limits limits;
  limits.threads = true;
  const int status = run_confined([] { return refusal(::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }, limits);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), kRefused);
}

TEST(Sandbox, LetsAProcessAllocateAndWriteToWhatIsOpen) {
  int ends[2] = {-1, -1};
  ASSERT_EQ(::pipe(ends), 0);
  static int to = -1;
  to = ends[1];
  EXPECT_EQ(exit_of([] {
              std::vector<std::string> all(100000, "a string longer than its short form keeps");
              return ::write(to, all.back().data(), 5) == 5 ? kSucceeded : kOtherError;
            }),
            kSucceeded);
  char read[8] = {};
  EXPECT_EQ(::read(ends[0], read, sizeof read), 5);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(Sandbox, EndsAProcessThatTakesTooLong) {
  Limits limits;
  limits.seconds = 1;
  const int status = run_confined(
      [] {
        for (;;) ::getppid();
        return 0;
      },
      limits);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGXCPU);
}

/// Takes so many seconds of processor time.
int work(std::clock_t seconds) {
  while (std::clock() < seconds * CLOCKS_PER_SEC) ::getppid();
  return kSucceeded;
}

TEST(Sandbox, PagesThatAreReadGiveAProcessMoreTimeUpToItsMost) {
  Limits limits;
  limits.seconds = 1;
  limits.most_seconds = 3;
  const auto status = [&](std::uint64_t pages, std::clock_t seconds) {
    return run_confined(
        [=] {
          add_pages_read(pages);
          return work(seconds);
        },
        limits);
  };
  EXPECT_TRUE(WIFSIGNALED(status(kPagesOfSecond - 1, 2)));
  EXPECT_TRUE(WIFEXITED(status(kPagesOfSecond, 1)) && WIFEXITED(status(2 * kPagesOfSecond, 2)));
  EXPECT_TRUE(WIFSIGNALED(status(100 * kPagesOfSecond, 4)));
}

#ifndef __SANITIZE_ADDRESS__
TEST(Sandbox, LimitsMemory) {
  EXPECT_EQ(exit_of([] {
              void* made = ::mmap(nullptr, std::size_t{2} << 30U, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
              return made == MAP_FAILED && errno == ENOMEM ? kRefused : kSucceeded;
            }),
            kRefused);
}
#endif

TEST(Sandbox, ItsProbeReportsThatItHolds) {
  const Sandbox found = probe_sandbox({});
  EXPECT_EQ(found.broken, "");
  EXPECT_TRUE(found.holds());
  EXPECT_TRUE(found.no_new_privileges);
}

}  // namespace
}  // namespace akin::extract
