// A measurement in a process of its own: the child sends its rows through a pipe, one JSON object a line.
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "tests/bench/bench.h"
#include "tests/bench/row_json.h"

namespace akin::bench {

namespace {

using Json = nlohmann::json;

void tell(int pipe, const Json& message) {
  const std::string line = message.dump() + "\n";
  for (std::size_t at = 0; at < line.size();) {
    const ssize_t written = write(pipe, line.data() + at, line.size() - at);
    if (written < 0 && errno != EINTR) _exit(3);
    if (written > 0) at += static_cast<std::size_t>(written);
  }
}

[[noreturn]] void be_the_child(int pipe, const Session& session, const std::function<void(Session&)>& work) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  std::signal(SIGINT, SIG_DFL);
  Session inner = session;
  inner.rows.clear();
  inner.report = [pipe](const Row& row) {
    tell(pipe, {{"name", row.name},
                {"value", row.value},
                {"unit", row.unit},
                {"goal", row.goal ? Json(*row.goal) : Json()},
                {"higher", row.better == Better::higher},
                {"yardstick", row.yardstick}});
  };
  try {
    work(inner);
  } catch (const Skipped& reason) {
    tell(pipe, {{"skipped", reason.what()}});
  } catch (const std::exception& error) {
    tell(pipe, {{"error", error.what()}});
  }
  std::fflush(nullptr);
  _exit(0);
}

Row row_of(const Json& message) {
  Row row;
  message["name"].get_to(row.name);
  row.value = message["value"].is_null() ? 0 : message["value"].get<double>();
  message["unit"].get_to(row.unit);
  if (!message["goal"].is_null()) row.goal = message["goal"].get<double>();
  row.better = message["higher"].get<bool>() ? Better::higher : Better::lower;
  message["yardstick"].get_to(row.yardstick);
  return row;
}

}  // namespace

void isolated(Session& session, const std::function<void(Session&)>& work) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  malloc_trim(0);  // what this process has freed must not count as memory of the child, nor serve it
  const pid_t child = fork();
  if (child < 0) throw std::runtime_error("cannot start a process");
  if (child == 0) {
    close(ends[0]);
    be_the_child(ends[1], session, work);
  }
  close(ends[1]);
  std::FILE* lines = fdopen(ends[0], "r");
  std::string skipped, error;
  char* line = nullptr;
  std::size_t room = 0;
  while (getline(&line, &room, lines) > 0) {
    const Json message = Json::parse(line);
    if (message.contains("skipped")) {
      message["skipped"].get_to(skipped);
    } else if (message.contains("error")) {
      message["error"].get_to(error);
    } else {
      session.add(row_of(message));
    }
  }
  std::free(line);
  std::fclose(lines);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) throw Interrupted("interrupted");
  if (WIFSIGNALED(status))
    throw std::runtime_error(format("the measurement was ended by signal %d", WTERMSIG(status)));
  if (!error.empty()) throw std::runtime_error(error);
  if (!skipped.empty()) throw Skipped(skipped);
}

}  // namespace akin::bench
