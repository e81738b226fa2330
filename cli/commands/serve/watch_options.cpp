#include "cli/commands/serve/watch_options.h"

#include <chrono>
#include <utility>

#include "cli/frame/program.h"

namespace akin::cli {

void add_watch_options(Command command, WatchOptions& options) {
  command.add_flag("--webhook-allow-private", options.watch.delivery.send.allow_private,
                   "Allow webhooks on this machine and in private networks");
  command
      .add_option(
          "--webhook-ca", options.watch.delivery.send.authorities,
          "Certificates (PEM) of the authorities that webhooks are verified with, instead of the system's")
      .type_name("FILE")
      .existing_file();
  command
      .add_option("--watch-memory", options.watch.follow.memory,
                  "Memory for the watches of all collections; further watches are refused")
      .type_name("BYTES")
      .check(check_count)
      .capture_default_str();
  command.add_option("--events-days", options.event_days, "Days for which watch events are kept")
      .type_name("N")
      .range(1U, 36'500U)
      .capture_default_str();
}

Result<std::shared_ptr<watch::Watches>> open_watches(const WatchOptions& options,
                                                     std::shared_ptr<state::State> state,
                                                     std::shared_ptr<Catalog> catalog) {
  watch::Options chosen = options.watch;
  chosen.follow.retention.age = std::chrono::hours(24) * options.event_days;
  return watch::Watches::open(std::move(state), watch::arrivals_of(std::move(catalog)), chosen);
}

}  // namespace akin::cli
