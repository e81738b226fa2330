// A PostgreSQL server of a program's own, on a socket in a folder.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"

namespace akin::test {

/// Whether PostgreSQL is installed. Where it is not, its tests are skipped.
[[nodiscard]] bool has_postgresql();

/// Runs from construction to destruction, and dies with its process. Throws std::runtime_error if it cannot
/// be started.
class PostgresqlServer {
 public:
  /// Makes a cluster in a folder that is there and is empty; root gives the folder to "nobody". `settings`:
  /// "name=value". `enter` (if set) is called in the server's process first, and must return true; sessions
  /// from 10.0.0.0/8 are let in.
  PostgresqlServer(std::filesystem::path folder, std::vector<std::string> settings,
                   std::function<bool()> enter = {});
  ~PostgresqlServer();
  PostgresqlServer(const PostgresqlServer&) = delete;
  PostgresqlServer& operator=(const PostgresqlServer&) = delete;

  /// Starts it again where it was stopped.
  void start();
  /// SIGINT ends it in good order, SIGQUIT at once.
  void stop(int signal);
  /// Makes a database; its connection string.
  [[nodiscard]] Result<std::string> make_database();
  /// Seconds of processor that it and its sessions that are open now have used.
  [[nodiscard]] double processor_seconds() const;
  [[nodiscard]] std::string conninfo() const { return "host=" + folder_.string() + " user=akin"; }

 private:
  [[nodiscard]] std::filesystem::path data() const { return folder_ / "data"; }

  std::filesystem::path folder_;
  std::vector<std::string> settings_;
  std::function<bool()> enter_;
  pid_t server_ = 0;
  int databases_ = 0;
};

}  // namespace akin::test
