#include "tests/support/child_process.h"

#include <csignal>
#include <cstdio>
#include <stdexcept>

#include <sys/wait.h>
#include <unistd.h>

namespace akin::test {

void ChildSide::tell(const std::string& line) const {
  const std::string whole = line + "\n";
  if (write(to_parent_, whole.data(), whole.size()) != static_cast<ssize_t>(whole.size())) _exit(99);
}

void ChildSide::wait_for_go() const {
  char byte = 0;
  if (read(from_parent_, &byte, 1) != 1) _exit(98);
}

ChildProcess::ChildProcess(const std::function<int(const ChildSide&)>& body) {
  int up[2];
  int down[2];
  if (pipe(up) != 0 || pipe(down) != 0) throw std::runtime_error("no pipe");
  pid_ = fork();
  if (pid_ < 0) throw std::runtime_error("no child");
  if (pid_ == 0) {
    close(up[0]);
    close(down[1]);
    int code = 97;
    try {
      code = body(ChildSide(down[0], up[1]));
    } catch (const std::exception& failure) {
      std::fprintf(stderr, "child: %s\n", failure.what());
    }
    _exit(code);
  }
  close(up[1]);
  close(down[0]);
  from_child_ = up[0];
  to_child_ = down[1];
}

ChildProcess::~ChildProcess() {
  kill();
  close(from_child_);
  close(to_child_);
}

void ChildProcess::go() const {
  if (write(to_child_, "g", 1) != 1) throw std::runtime_error("the child is gone");
}

void ChildProcess::kill() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  wait();
}

void ChildProcess::stop() const {
  int status = 0;
  if (::kill(pid_, SIGSTOP) != 0 || waitpid(pid_, &status, WUNTRACED) != pid_ || !WIFSTOPPED(status))
    throw std::runtime_error("the child has ended");
}

void ChildProcess::resume() const { ::kill(pid_, SIGCONT); }

int ChildProcess::wait() {
  int status = 0;
  waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string ChildProcess::line() {
  for (;;) {
    if (const std::size_t end = buffer_.find('\n'); end != std::string::npos) {
      const std::string result = buffer_.substr(0, end);
      buffer_.erase(0, end + 1);
      return result;
    }
    char bytes[4096];
    const ssize_t got = read(from_child_, bytes, sizeof bytes);
    if (got <= 0) return {};
    buffer_.append(bytes, static_cast<std::size_t>(got));
  }
}

std::vector<std::string> ChildProcess::lines() {
  std::vector<std::string> all;
  for (std::string next = line(); !next.empty(); next = line()) all.push_back(next);
  return all;
}

}  // namespace akin::test
