// The flags of `akin serve`.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/frame/command.h"
#include "cli/frame/workspace.h"
#include "index/collection/catalog.h"
#include "server/access/access.h"
#include "server/check/announcements.h"
#include "server/http/log.h"
#include "server/http/server.h"
#include "server/run/dictionary_watch.h"
#include "server/state/state.h"
#include "server/watch/watches.h"

namespace akin::cli {

struct WatchOptions {
  watch::Options watch;
  unsigned event_days = 30;
};

struct ServeOptions {
  std::string listen = "127.0.0.1:7878";
  std::string tls_certificate, tls_key;
  std::vector<std::string> allowed_hosts, trusted_proxies;
  std::string public_url, person_header, person_role;
  std::filesystem::path admin_key_file;
  access::AccessLimits access;
  std::filesystem::path backups;
  WatchOptions watch;
  std::uint64_t min_free_disk = std::uint64_t{1} << 30U;
  double max_staleness = 60;  ///< seconds; 0 = no limit
  std::string log_format = "text";
  http::LogOptions log;
  unsigned keep_checks = 90;
  std::string check_webhook;
  std::filesystem::path check_webhook_secret;
  std::uint64_t check_files = std::uint64_t{16} << 30U;
  std::size_t max_open_collections = CatalogOptions().max_open;
  std::uint64_t word_cache = std::uint64_t{256} << 20U;
  std::uint64_t scrub_rate = std::uint64_t{1} << 20U;
  std::string reindex_at;      ///< time of day; empty = never
  http::ServerOptions server;  ///< all but its address and TLS

  /// Seconds, as the flags take them.
  double idle_timeout = 60, body_timeout = 20, drain_timeout = 10;
  double request_timeout = 300;
  std::uint64_t slow_query_ms = 1000;
};

/// Registers the flags; `options` must live as long as `command`.
void add_serve_flags(Command command, ServeOptions& options);

/// The server's options as the flags set them. Errors: invalid_argument, those of the certificate's files.
[[nodiscard]] Result<http::ServerOptions> server_options(const ServeOptions& options);
/// When outdated collections are rebuilt; nothing: never. Error: invalid_argument.
[[nodiscard]] Result<std::optional<api::MinuteOfDay>> reindex_time(const ServeOptions& options);
/// The webhook for checks with its secret; nothing: there is none. Errors: invalid_argument, those of
/// read_whole_file.
[[nodiscard]] Result<std::optional<check::CheckWebhook>> webhook_of_checks(const ServeOptions& options);
/// The secret in the file of the admin key. Errors: those of read_whole_file.
[[nodiscard]] Result<std::string> admin_secret(const std::filesystem::path& file);
/// What `akin serve` refuses of its flags, without opening a database: also what nobody may do without access
/// keys, if the data folder has none.
[[nodiscard]] Result<void> check_serve(const CommonOptions& common, const ServeOptions& options);

/// `options` must live as long as the command.
void add_watch_options(Command command, WatchOptions& options);

/// Opens the watches stored in the state and starts them.
[[nodiscard]] Result<std::shared_ptr<watch::Watches>> open_watches(const WatchOptions& options,
                                                                   std::shared_ptr<state::State> state,
                                                                   std::shared_ptr<Catalog> catalog);

struct ListenAddress {
  std::string host;  ///< without brackets
  std::uint16_t port = 0;
};

/// Reads "127.0.0.1:7878", "localhost:7878" or "[::1]:7878". Error: invalid_argument.
[[nodiscard]] Result<ListenAddress> parse_listen_address(std::string_view text);

/// The URL of a host and port: an IPv6 address is put in brackets.
[[nodiscard]] std::string listen_url(const ListenAddress& address, bool tls);

}  // namespace akin::cli
