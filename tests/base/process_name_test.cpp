#include "base/process_name.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

namespace akin {
namespace {

/// A child that waits until its pipe is closed, and its name.
class Child {
 public:
  Child() {
    std::array<int, 2> to{}, from{};
    if (pipe(to.data()) != 0 || pipe(from.data()) != 0) throw std::runtime_error("no pipe");
    pid_ = fork();
    if (pid_ == 0) {
      close(to[1]);
      const std::string own = process_name();
      char end = 0;
      const bool told = write(from[1], own.data(), own.size()) > 0;
      _exit(told && read(to[0], &end, 1) == 0 ? 0 : 1);
    }
    close(to[0]);
    close(from[1]);
    wait_ = to[1];
    std::array<char, 300> bytes{};
    const ssize_t count = read(from[0], bytes.data(), bytes.size());
    close(from[0]);
    if (count > 0) name_.assign(bytes.data(), static_cast<std::size_t>(count));
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { reap(); }

  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  /// Lets it end; it stays a zombie until it is reaped.
  void end() {
    if (wait_ >= 0) close(wait_);
    wait_ = -1;
    siginfo_t ended{};
    waitid(P_PID, static_cast<id_t>(pid_), &ended, WEXITED | WNOWAIT);
  }
  void reap() {
    if (pid_ <= 0) return;
    end();
    waitpid(pid_, nullptr, 0);
    pid_ = -1;
  }

 private:
  pid_t pid_ = -1;
  int wait_ = -1;
  std::string name_;
};

TEST(ProcessName, SaysOfAProcessWhetherItHasEnded) {
  Child child;
  EXPECT_NE(child.name(), process_name());
  EXPECT_FALSE(has_ended(child.name()));
  EXPECT_FALSE(has_ended(child.name() + "what follows"));
  child.end();
  EXPECT_TRUE(has_ended(child.name()));
  child.reap();
  EXPECT_TRUE(has_ended(child.name() + "what follows"));
}

TEST(ProcessName, AnotherProcessThatGotTheNumberIsNotTheSame) {
  std::string earlier = process_name();
  EXPECT_FALSE(has_ended(earlier));
  earlier.insert(earlier.size() - 1, "0");  // of another start
  EXPECT_TRUE(has_ended(earlier));
}

TEST(ProcessName, NothingIsKnownOfOtherMachines) {
  EXPECT_FALSE(has_ended("00000000-0000-0000-0000-000000000000:pid:[1]:1:1:"));
  EXPECT_FALSE(has_ended(""));
  EXPECT_FALSE(has_ended("a process that ended"));
}

}  // namespace
}  // namespace akin
