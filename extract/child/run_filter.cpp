#include "extract/child/run_filter.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/ascii.h"
#include "base/files.h"
#include "base/utf8.h"
#include "extract/filter.h"

namespace akin::extract {

namespace {

using Clock = std::chrono::steady_clock;

/// Exit statuses of a process that did not become the command, as shells have them.
constexpr int kNotStarted = 127;
constexpr std::size_t kMostComplaint = 4096;  ///< bytes of its standard error that are kept

struct Pipe {
  FileHandle from, to;
};

Result<Pipe> make_pipe() {
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_error(errno, "filter", "make a pipe for");
  return Pipe{FileHandle(ends[0]), FileHandle(ends[1])};
}

/// The bytes as a file without a name, at its beginning.
Result<FileHandle> as_file(std::string_view bytes) {
  FileHandle file(::memfd_create("file", MFD_CLOEXEC));
  if (file.get() < 0) return system_error(errno, "filter", "hand the file to");
  while (!bytes.empty()) {
    const ssize_t wrote = ::write(file.get(), bytes.data(), bytes.size());
    if (wrote <= 0) return system_error(errno, "filter", "hand the file to");
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

[[noreturn]] void give_up(std::string_view reason) {
  static_cast<void>(!::write(STDERR_FILENO, reason.data(), reason.size()));
  ::_exit(kNotStarted);
}

/// Becomes the command. Never returns.
[[noreturn]] void become(const std::vector<std::string>& command, const std::array<int, 3>& streams,
                         const Limits& limits) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGCHLD}) ::signal(signal, SIG_DFL);
  for (int i = 0; i < 3; ++i) {
    if (::dup2(streams[static_cast<std::size_t>(i)], i) < 0) ::_exit(kNotStarted);
  }
  ::close_range(3, ~0U, 0);
  ::setenv("PATH", "/usr/local/bin:/usr/bin:/bin", 1);
  ::setenv("HOME", "/", 1);  // which some look up otherwise, and may not
  ::setenv("LANG", "C.UTF-8", 1);
  const Result<void> closed = close_sandbox_for_program(limits, command[0]);
  if (closed.has_error()) give_up(closed.error().what + " " + closed.error().reason);
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  give_up(std::strerror(errno));
}

/// What the command wrote until it closed both streams, or was stopped.
struct Written {
  std::string text, complaint;
  bool too_much = false, too_long = false;
};

Written read_streams(const Pipe& out, const Pipe& complaints, std::uint64_t most, Clock::time_point until) {
  Written written;
  std::array<pollfd, 2> streams = {pollfd{out.from.get(), POLLIN, 0},
                                   pollfd{complaints.from.get(), POLLIN, 0}};
  std::string chunk(std::size_t{1} << 16U, '\0');
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    written.too_long = left <= 0;
    written.too_much = written.text.size() > most;
    if (written.too_long || written.too_much) break;
    constexpr long kWait = 1000;
    if (::poll(streams.data(), streams.size(), static_cast<int>(std::min<long>(left, kWait))) <= 0) continue;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (streams[i].revents == 0) continue;
      const ssize_t got = ::read(streams[i].fd, chunk.data(), chunk.size());
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        streams[i].fd = -1;
      } else if (i == 0) {
        written.text.append(chunk, 0, static_cast<std::size_t>(got));
      } else {
        written.complaint.append(chunk, 0, static_cast<std::size_t>(got));
        written.complaint.resize(std::min(written.complaint.size(), kMostComplaint));
      }
    }
  }
  return written;
}

struct Ended {
  int status = 0;  ///< as waitpid has it
  bool too_long = false;
};

/// Waits for the end of a process, which may have closed its streams long before, and kills it at `until`.
Ended wait_for(pid_t child, Clock::time_point until, const Limits& limits) {
  Ended ended;
  const FileHandle process(static_cast<int>(::syscall(SYS_pidfd_open, child, 0)));
  for (pollfd one{process.get(), POLLIN, 0};;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    ended.too_long = left <= 0;
    const int ready = ended.too_long ? 0 : ::poll(&one, 1, static_cast<int>(left));
    if (ready > 0 || ended.too_long || (ready < 0 && errno != EINTR)) break;
  }
  if (ended.too_long) ::kill(child, SIGKILL);
  rusage used{};
  while (::wait4(child, &ended.status, 0, &used) < 0 && errno == EINTR) {
  }
  // The kernel ends it by SIGALRM after `seconds`, and by SIGKILL after as many seconds of processor time.
  const auto processor = used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1;
  const int signal = WIFSIGNALED(ended.status) ? WTERMSIG(ended.status) : 0;
  if (signal == SIGALRM || signal == SIGXCPU || (signal == SIGKILL && processor >= limits.seconds))
    ended.too_long = true;
  return ended;
}

/// The first line that says anything, if it is text.
std::string first_line(std::string_view complaint) {
  for (const std::string_view line : split(complaint, '\n')) {
    const std::string_view said = trimmed(line);
    if (!said.empty() && validate_utf8(said, "").has_value()) return ": " + std::string(said);
  }
  return "";
}

Error failed(const std::vector<std::string>& command, int status, const std::string& complaint) {
  const std::string who = "its filter '" + command[0] + "' ";
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotStarted) {
    return {Errc::type_unsupported, "file", who + "cannot be started" + complaint,
            "install the command, or correct extract-filter"};
  }
  const std::string how = WIFEXITED(status) ? "ended with status " + std::to_string(WEXITSTATUS(status))
                                            : "was ended by signal " + std::to_string(WTERMSIG(status));
  return {Errc::file_damaged, "file", who + how + complaint, "try the command on the file yourself"};
}

}  // namespace

Result<std::string> run_command(const std::vector<std::string>& command, std::string_view bytes,
                                const Limits& limits, std::uint64_t most) {
  AKIN_TRY(const FileHandle file, as_file(bytes));
  AKIN_TRY(Pipe out, make_pipe());
  AKIN_TRY(Pipe complaints, make_pipe());
  ::signal(SIGCHLD, SIG_DFL);  // so that its status can be had
  const pid_t child = ::fork();
  if (child < 0) return system_error(errno, "filter", "start a process for");
  if (child == 0) become(command, {file.get(), out.to.get(), complaints.to.get()}, limits);
  out.to = FileHandle();
  complaints.to = FileHandle();
  const Clock::time_point until = Clock::now() + std::chrono::seconds(limits.seconds);
  Written written = read_streams(out, complaints, most, until);
  if (written.too_long || written.too_much) ::kill(child, SIGKILL);
  const Ended ended = wait_for(child, until, limits);
  if (written.too_much)
    return Error{Errc::file_too_large, "file", "has more than " + std::to_string(most) + " bytes of text",
                 "split it"};
  if (written.too_long || ended.too_long) {
    return Error{Errc::extraction_timed_out, "file",
                 "its filter takes longer than " + std::to_string(limits.seconds) + " seconds", "split it"};
  }
  if (!WIFEXITED(ended.status) || WEXITSTATUS(ended.status) != 0)
    return failed(command, ended.status, first_line(written.complaint));
  return std::move(written.text);
}

Result<Document> run_filter(const std::vector<std::string>& command, std::string_view bytes,
                            const Limits& limits, std::uint64_t most_text) {
  Document document;
  document.type = kFilteredType;
  AKIN_TRY(document.text, run_command(command, bytes, limits, most_text));
  const auto valid = validate_utf8(document.text, "");
  if (valid.has_error() || document.text.find('\0') != std::string::npos) {
    return Error{Errc::file_damaged, "file",
                 "its filter '" + command[0] + "' gives what is not text in UTF-8" +
                     (valid.has_error() ? ": " + valid.error().reason : ": a zero byte"),
                 "let the command write UTF-8"};
  }
  return document;
}

}  // namespace akin::extract
