#include <algorithm>

#include "server/cli/commands.h"
#include "server/cli/input.h"
#include "server/cli/listen_address.h"
#include "server/cli/watch_options.h"
#include "server/http/server.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin serve                                 http://127.0.0.1:7878, this machine only\n"
    "  akin serve --listen '[::1]:8080'           IPv6\n"
    "  akin serve --listen 127.0.0.1:0            any free port; the URL is printed\n"
    "\n"
    "Prints one line with the URL when connections are accepted. SIGINT and SIGTERM let the requests\n"
    "under way finish. The data folder is made if it is missing. There are no access keys: whoever\n"
    "reaches the address can read and change everything.";

struct ServeOptions {
  std::string listen = "127.0.0.1:7878";
  std::size_t body_limit = http::ServerOptions{}.body_limit;
  unsigned workers = 0;
  WatchOptions watch;
};

Result<Exit> run_serve(const ServeOptions& options, Session& session) {
  AKIN_TRY(ListenAddress address, parse_listen_address(options.listen));
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  AKIN_TRY(const auto catalog,
           Catalog::open(session.options.data, dictionary, session.options.languages, true));
  AKIN_TRY(const auto tasks, api::Tasks::open(session.options.data / "tasks"));
  AKIN_TRY(const auto watches, open_watches(options.watch, session.options.data, catalog));
  http::ServerOptions server;
  server.host = address.host;
  server.port = address.port;
  server.body_limit = options.body_limit;
  server.body_memory = std::max(server.body_memory, options.body_limit);
  server.workers = options.workers;
  Result<void> told{};
  AKIN_CHECK(http::serve({catalog, dictionary, tasks, watches}, server, [&](std::uint16_t port) {
    address.port = port;
    session.out << "akin serves " << display_name(session.options.data) << " at " << http_url(address)
                << "\n";
    told = session.out.flush();
  }));
  AKIN_CHECK(told);
  return Exit::ok;
}

}  // namespace

void add_serve_command(Program& program) {
  auto& command = program.command("serve", "Answer over HTTP", kExamples);
  auto options = std::make_shared<ServeOptions>();
  command.add_option("--listen", options->listen, "Address and port; port 0 takes any free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  command.add_option("--body-limit", options->body_limit, "Largest body of a request, in bytes")
      ->type_name("N")
      ->check(check_count)
      ->capture_default_str();
  command
      .add_option("--workers", options->workers,
                  "Threads that work on requests, up to 1024; 0 = one per core, at least 2")
      ->type_name("N")
      ->check(CLI::Range(0U, 1024U))
      ->capture_default_str();
  add_watch_options(command, options->watch);
  program.on(command, [options](Session& session) { return run_serve(*options, session); });
}

}  // namespace akin::cli
