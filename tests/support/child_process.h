// A second process for tests: runs a function, sends lines through a pipe, may be killed.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace akin::test {

/// What the child's function talks with.
class ChildSide {
 public:
  ChildSide(int from_parent, int to_parent) noexcept : from_parent_(from_parent), to_parent_(to_parent) {}
  /// One line, written at once.
  void tell(const std::string& line) const;
  /// Until the parent calls ChildProcess::go.
  void wait_for_go() const;

 private:
  int from_parent_, to_parent_;
};

/// A forked child. Fork before this process opens a store: an environment must not be used after a fork.
class ChildProcess {
 public:
  /// The child ends with the function's value as its exit code.
  explicit ChildProcess(const std::function<int(const ChildSide&)>& body);
  ~ChildProcess();  ///< kills it if it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  void go() const;
  void kill();
  /// Stops it; returns when it stands still.
  void stop() const;
  void resume() const;
  /// Waits for its end; its exit code, or -1 if a signal ended it.
  int wait();
  /// The next whole line; empty at the end.
  std::string line();
  /// All further whole lines, until the child has ended.
  std::vector<std::string> lines();

 private:
  int pid_ = -1;
  int from_child_ = -1, to_child_ = -1;
  std::string buffer_;
};

}  // namespace akin::test
