#include "tests/support/postgresql_server.h"

#include <pwd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <thread>
#include <utility>

#include "base/files.h"
#include "index/pg/client/connection.h"

namespace akin::test {
namespace {

constexpr const char* kPrograms = "/usr/lib/postgresql/15/bin/";

/// Runs a program of PostgreSQL as somebody who is not root, which it refuses.
pid_t run(const std::vector<std::string>& arguments, const std::filesystem::path& log,
          const std::function<bool()>& enter) {
  const pid_t child = fork();
  if (child != 0) return child;
  if (enter && !enter()) _exit(126);
  if (geteuid() == 0) {
    const passwd* const nobody = getpwnam("nobody");
    if (nobody == nullptr || setgid(nobody->pw_gid) != 0 || setuid(nobody->pw_uid) != 0) _exit(126);
  }
  prctl(PR_SET_PDEATHSIG, SIGQUIT);
  std::FILE* const out = std::freopen(log.c_str(), "a", stderr);
  if (out == nullptr || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) _exit(126);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  _exit(127);
}

int finish(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

/// Waits for a server that is stopping, and kills it after a minute.
void finish_stopping(pid_t server) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (waitpid(server, nullptr, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) {
      kill(server, SIGKILL);
      finish(server);
      return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

}  // namespace

bool has_postgresql() { return access((std::string(kPrograms) + "postgres").c_str(), X_OK) == 0; }

PostgresqlServer::PostgresqlServer(std::filesystem::path folder, std::vector<std::string> settings,
                                   std::function<bool()> enter)
    : folder_(std::move(folder)), settings_(std::move(settings)), enter_(std::move(enter)) {
  if (geteuid() == 0) {
    const passwd* const nobody = getpwnam("nobody");
    if (nobody == nullptr || chown(folder_.c_str(), nobody->pw_uid, nobody->pw_gid) != 0) {
      throw std::runtime_error("cannot give a folder to nobody");
    }
  }
  const int made = finish(run({std::string(kPrograms) + "initdb", "--pgdata", data(), "--username", "akin",
                               "--auth", "trust", "--encoding", "UTF8", "--locale", "C", "--no-sync"},
                              folder_ / "initdb.log", {}));
  if (made != 0) throw std::runtime_error("initdb failed");
  std::ofstream(data() / "pg_hba.conf", std::ios::app) << "host all all 10.0.0.0/8 trust\n";
  start();
}

// Immediately: a fast shutdown waits for sessions that are asking another server, and for a checkpoint of
// every database, of which nobody reads the files again.
PostgresqlServer::~PostgresqlServer() { stop(SIGQUIT); }

void PostgresqlServer::start() {
  if (server_ > 0) return;
  std::vector<std::string> arguments{
      std::string(kPrograms) + "postgres", "-D", data(), "-k", folder_, "-c", "listen_addresses="};
  for (const std::string& setting : settings_) {
    arguments.emplace_back("-c");
    arguments.push_back(setting);
  }
  server_ = run(arguments, folder_ / "server.log", enter_);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (;;) {
    const auto connection = pg::Connection::open(conninfo() + " dbname=postgres");
    if (connection.has_value()) return;
    const bool has_ended = waitpid(server_, nullptr, WNOHANG) == server_;
    const bool is_late = std::chrono::steady_clock::now() > end;
    if (has_ended || is_late) {
      const Result<std::string> log = read_whole_file(folder_ / "server.log");
      // Processes of a server that was killed may outlive it by a moment.
      const bool was_running =
          has_ended && log.has_value() && log->find("pre-existing shared memory block") != std::string::npos;
      server_ = has_ended ? 0 : server_;
      if (was_running && !is_late) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        server_ = run(arguments, folder_ / "server.log", enter_);
        continue;
      }
      throw std::runtime_error("PostgreSQL does not start: " + connection.error().reason +
                               "; its log: " + (log.has_value() ? *log : log.error().reason));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void PostgresqlServer::stop(int signal) {
  if (server_ <= 0) return;
  kill(server_, signal);
  finish_stopping(server_);
  server_ = 0;
}

double PostgresqlServer::processor_seconds() const {
  const auto file_of = [](pid_t process, const std::string& name) {
    return std::ifstream("/proc/" + std::to_string(process) + "/" + name);
  };
  const auto nanoseconds_of = [&](pid_t process) {
    double nanoseconds = 0;
    file_of(process, "schedstat") >> nanoseconds;
    return nanoseconds;
  };
  double sum = nanoseconds_of(server_);
  std::ifstream children = file_of(server_, "task/" + std::to_string(server_) + "/children");
  for (pid_t child = 0; children >> child;) sum += nanoseconds_of(child);
  return sum / 1e9;
}

Result<std::string> PostgresqlServer::make_database() {
  const std::string name = "test" + std::to_string(++databases_);
  AKIN_TRY(const auto connection, pg::Connection::open(conninfo() + " dbname=postgres"));
  AKIN_CHECK(connection->command("CREATE DATABASE " + name));
  return conninfo() + " dbname=" + name;
}

}  // namespace akin::test
