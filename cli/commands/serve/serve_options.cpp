#include "cli/commands/serve/serve_options.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string>
#include <utility>

#include "base/files.h"
#include "cli/frame/program.h"
#include "cli/frame/workspace.h"
#include "index/open_catalog.h"
#include "server/access/keys.h"
#include "server/access/limits.h"
#include "server/http/check_options.h"
#include "server/outbound/signature.h"

namespace akin::cli {

namespace {

constexpr double kLongest = 86'400;

void add_bytes(Command command, const char* flag, std::uint64_t& bytes, const char* meaning) {
  command.add_option(flag, bytes, meaning).type_name("BYTES").with_size_suffix().capture_default_str();
}

template <class Number>
void add_number(Command command, const char* flag, Number& number, std::pair<int, int> range,
                const char* meaning) {
  command.add_option(flag, number, meaning)
      .type_name("N")
      .range(range.first, range.second)
      .capture_default_str();
}

void add_seconds(Command command, const char* flag, double& seconds, const char* meaning) {
  command.add_option(flag, seconds, meaning).type_name("S").range(0.001, kLongest).capture_default_str();
}

std::chrono::milliseconds from_seconds(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

void add_network_flags(Command command, ServeOptions& options) {
  command.add_option("--listen", options.listen, "Address and port; port 0 takes any free one")
      .type_name("HOST:PORT")
      .capture_default_str();
  command
      .add_option(
          "--tls-cert", options.tls_certificate,
          "Certificate with its chain, PEM; read again on SIGHUP;\nwithout it, the server speaks plain HTTP")
      .type_name("FILE");
  command.add_option("--tls-key", options.tls_key, "The certificate's private key, PEM, without a password")
      .type_name("FILE");
  command
      .add_option("--cors-origin", options.server.cors_origins,
                  "Origin whose pages may use the API from a browser, or *;\nmay be given several times; "
                  "default: none")
      .one_value_each_time()
      .type_name("ORIGIN");
  command
      .add_option("--allow-host", options.allowed_hosts,
                  "Name by which browsers may reach a server without access keys,\nin addition to "
                  "localhost and the address of --listen;\nmay be given several times")
      .one_value_each_time()
      .type_name("NAME");
  command
      .add_option(
          "--public-url", options.public_url,
          "Address at which a reverse proxy offers the server, perhaps with a path;\nlinks, redirects "
          "and cookies then carry it")
      .type_name("URL");
  command
      .add_option(
          "--trusted-proxy", options.trusted_proxies,
          "Address or network (CIDR) of a reverse proxy, whose X-Forwarded-For or\nForwarded names the "
          "client; may be given several times")
      .one_value_each_time()
      .type_name("ADDRESS");
  command
      .add_option("--person-header", options.person_header,
                  "Header field in which the trusted proxies send the id of the person who\nsigned on there")
      .type_name("NAME");
  command
      .add_option(
          "--person-role", options.person_role,
          "Role of a person who signs on there for the first time; without it,\nonly known persons may")
      .one_of({"author", "reader", "decider", "administrator"})
      .type_name("ROLE");
  command
      .add_option("--admin-key-file", options.admin_key_file,
                  "File with a secret of 32 to 512 characters, which becomes an access key\nof scope "
                  "admin when the server starts")
      .type_name("FILE");
}

void add_limit_flags(Command command, ServeOptions& options) {
  http::ServerOptions& server = options.server;
  add_bytes(command, "--body-limit", server.body_limit,
            "Largest body of a request, also after decompression; at least 1");
  add_bytes(command, "--stream-limit", server.stream_limit, "Largest body of a stream, after decompression");
  add_bytes(command, "--answer-memory", server.answer_memory,
            "Memory for all answers being sent; at least 1");
  add_bytes(command, "--work-memory", server.work_memory,
            "Memory for the work of all requests; 0 = half of the machine's");
  add_bytes(command, "--busy-rate", server.busy_rate,
            "Slowest transfer, in bytes per second, that is allowed while other clients\nwait for memory or "
            "a stream; 0 = no minimum");
  add_number(command, "--max-connections", server.max_connections, {1, 1'000'000},
             "Simultaneous connections");
  add_number(command, "--max-connections-per-address", server.max_connections_per_address, {0, 1'000'000},
             "Simultaneous connections from one address; 0 = no limit");
  add_number(command, "--max-queued", server.max_queued, {1, 1'000'000},
             "Requests waiting or in progress; further ones get 503");
  add_number(command, "--max-streams", server.max_streams, {1, 1024},
             "Simultaneous streams, each with a thread");
  command
      .add_option("--rate-limit", options.access.rate,
                  "Requests per second of one access key on average, with bursts of twice as "
                  "many; 0 = no limit")
      .type_name("N")
      .range(0.0, access::kMaxRate)
      .capture_default_str();
  add_number(command, "--concurrency-limit", options.access.concurrent, {0, access::kMaxConcurrent},
             "Simultaneous requests of one access key; 0 = no limit");
  add_number(command, "--max-open-collections", options.max_open_collections, {1, 100'000},
             "Open collections; above that, the least recently used are closed");
  add_bytes(command, "--word-cache", options.word_cache,
            "Memory for the cache of stored texts' words; 0 disables it");
  add_number(
      command, "--workers", server.workers, {0, 1024},
      "Requests processed at a time, without those that wait for a commit; 0 = one per core, at least 2");
  add_number(command, "--io-threads", server.io_threads, {1, 256}, "Threads that handle connections");
}

void add_time_flags(Command command, ServeOptions& options) {
  add_seconds(command, "--idle-timeout", options.idle_timeout, "Seconds between requests on a connection");
  add_seconds(command, "--body-timeout", options.body_timeout, "Longest pause in a body, in seconds");
  command
      .add_option("--request-timeout", options.request_timeout,
                  "Longest work on a request, in seconds, without streams and tasks; 0 = no limit")
      .type_name("S")
      .range(0.0, kLongest)
      .capture_default_str();
  add_seconds(command, "--drain-timeout", options.drain_timeout,
              "Seconds for requests in progress when the server stops");
}

/// An origin as browsers name it (RFC 6454): scheme, host and port, without a path.
Result<void> check_origin(const std::string& origin) {
  const bool web = origin.starts_with("https://") || origin.starts_with("http://");
  const std::string host = web ? origin.substr(origin.find("://") + 3) : "";
  if (origin == "*" || (!host.empty() && host.find_first_of("/?#@ ") == std::string::npos)) return {};
  return Error{Errc::invalid_argument, "--cors-origin " + origin, "it is not the origin of a page",
               "give scheme, host and port without a path, as in https://desk.example.org, or *"};
}

/// What reverse proxies are for the server.
Result<void> set_proxies(http::ServerOptions& server, const ServeOptions& options) {
  if (!options.public_url.empty()) {
    AKIN_TRY(server.public_url, http::PublicUrl::parse(options.public_url));
  } else if (!options.tls_certificate.empty()) {
    server.public_url = http::PublicUrl::of_own_https();
  }
  for (const std::string& proxy : options.trusted_proxies) AKIN_CHECK(server.proxies.trust(proxy));
  server.proxies.set_person_field(options.person_header);
  const auto lacks = [](const char* flag, const char* needed) {
    return Error{Errc::invalid_argument, flag, std::string("has no meaning without ") + needed,
                 std::string("give ") + needed + " too"};
  };
  if (!options.person_header.empty() && options.trusted_proxies.empty())
    return lacks("--person-header", "--trusted-proxy");
  if (!options.person_role.empty() && options.person_header.empty())
    return lacks("--person-role", "--person-header");
  return {};
}

/// Whether clients must show who they are once the server has started: access keys exist, or may exist in a
/// database, or persons sign on at a proxy.
Result<bool> will_have_keys(const CommonOptions& common, const ServeOptions& options) {
  if (!options.person_header.empty()) return true;
  if (!options.admin_key_file.empty()) {
    AKIN_TRY(const std::string secret, admin_secret(options.admin_key_file));
    AKIN_CHECK(access::check_admin_secret(secret));
    return true;
  }
  if (is_database(common.store)) return true;
  AKIN_TRY(const auto state, find_state(common));
  return state ? access::Keys(state).any() : false;
}

/// Error: invalid_argument (more or less than the name of a host, which no field Host would equal).
Result<void> check_name(const std::string& name) {
  if (!name.empty() && name.find_first_of("/@ ") == std::string::npos && std::ranges::count(name, ':') != 1)
    return {};
  return Error{Errc::invalid_argument, "--allow-host " + name, "it is not the name of a host",
               "give the name alone, without scheme, port and path, as in desk.example.org"};
}

}  // namespace

void add_serve_flags(Command command, ServeOptions& options) {
  add_network_flags(command, options);
  add_limit_flags(command, options);
  add_time_flags(command, options);
  add_watch_options(command, options.watch);
  command
      .add_option("--backup-folder", options.backups,
                  "Folder in which POST /v1/backups creates backups;\nwithout it, these requests are refused")
      .type_name("DIR");
  add_bytes(command, "--min-free-disk", options.min_free_disk,
            "With fewer bytes free on the data folder's disk,\n/readyz reports that the server is not ready");
  command
      .add_option("--max-staleness", options.max_staleness,
                  "Oldest view of a standby database, in seconds, that answers requests;\nwith an older one, "
                  "requests get 503 and "
                  "/readyz reports that the server is not ready; 0 = no limit")
      .type_name("S")
      .range(0.0, kLongest)
      .capture_default_str();
  command
      .add_option(
          "--keep-checks", options.keep_checks,
          "Days after which stored checks are deleted, unless their policy says otherwise;\n0 = never")
      .type_name("DAYS")
      .range(0U, 36500U)
      .capture_default_str();
  command
      .add_option("--check-webhook", options.check_webhook,
                  "URL that is sent an event when a check is done, has failed, was marked,\n"
                  "admitted or decided; needs --check-webhook-secret")
      .type_name("URL");
  command
      .add_option("--check-webhook-secret", options.check_webhook_secret,
                  "File with the secret that signs what --check-webhook is sent: whsec_ and\n"
                  "24 to 64 bytes in base64")
      .type_name("FILE")
      .existing_file();
  add_bytes(command, "--check-files", options.check_files,
            "Bytes that files, texts and passages of checks may take, compressed, before\n"
            "further files are not kept; 0 = no limit");
  add_bytes(command, "--scrub-rate", options.scrub_rate,
            "Speed, in bytes per second, of the daily background read of the collections'\n"
            "files, which finds damage on the disk; 0 = never");
  command
      .add_option("--reindex-at", options.reindex_at,
                  "Local time of day (03:30) to rebuild collections whose dictionaries have\n"
                  "been updated; default: never")
      .type_name("TIME");
  command.add_option("--log-format", options.log_format, "text, or json: one object per line")
      .one_of({"text", "json"})
      .type_name("FORMAT")
      .capture_default_str();
  command.add_option("--log-level", options.log.level, "Lowest level that is logged")
      .one_of({"debug", "info", "warning", "error", "off"})
      .type_name("LEVEL")
      .capture_default_str();
  command
      .add_option("--slow-query", options.slow_query_ms,
                  "Shortest request, in milliseconds, that is logged as slow, with the cause;\n0 = never")
      .type_name("MS")
      .check(check_count)
      .capture_default_str();
}

Result<http::ServerOptions> server_options(const ServeOptions& options) {
  AKIN_TRY(const ListenAddress address, parse_listen_address(options.listen));
  if (options.tls_certificate.empty() != options.tls_key.empty()) {
    return Error{Errc::invalid_argument, options.tls_key.empty() ? "--tls-cert" : "--tls-key",
                 "one of --tls-cert and --tls-key is missing", "give both, or neither for plain HTTP"};
  }
  for (const std::string& origin : options.server.cors_origins) AKIN_CHECK(check_origin(origin));
  for (const std::string& name : options.allowed_hosts) AKIN_CHECK(check_name(name));
  http::ServerOptions server = options.server;
  server.host = address.host;
  server.port = address.port;
  AKIN_CHECK(set_proxies(server, options));
  if (!options.tls_certificate.empty())
    server.tls = http::TlsFiles{.certificate = options.tls_certificate, .key = options.tls_key};
  // A body may be in memory compressed and decompressed.
  server.body_memory = std::max(server.body_memory, 3 * server.body_limit);
  server.idle_timeout = from_seconds(options.idle_timeout);
  server.body_timeout = from_seconds(options.body_timeout);
  server.request_timeout = from_seconds(options.request_timeout);
  server.drain_timeout = from_seconds(options.drain_timeout);
  server.slow_query = std::chrono::milliseconds(options.slow_query_ms);
  AKIN_CHECK(http::check_options(server));
  return server;
}

Result<std::optional<api::MinuteOfDay>> reindex_time(const ServeOptions& options) {
  if (options.reindex_at.empty()) return std::optional<api::MinuteOfDay>();
  AKIN_TRY(const api::MinuteOfDay minute, api::parse_minute_of_day(options.reindex_at));
  return std::optional(minute);
}

Result<std::string> admin_secret(const std::filesystem::path& file) {
  constexpr std::uint64_t kMostBytes = 4096;
  AKIN_TRY(std::string secret, read_whole_file(file, kMostBytes));
  while (secret.ends_with('\n') || secret.ends_with('\r')) secret.pop_back();
  return secret;
}

Result<std::optional<check::CheckWebhook>> webhook_of_checks(const ServeOptions& options) {
  if (options.check_webhook.empty() != options.check_webhook_secret.empty()) {
    return Error{Errc::invalid_argument, "--check-webhook",
                 "is given without --check-webhook-secret, or the reverse", "give both"};
  }
  if (options.check_webhook.empty()) return std::optional<check::CheckWebhook>();
  AKIN_CHECK(watch::check_url(options.check_webhook, options.watch.watch.delivery.send.allow_private));
  AKIN_TRY(std::string secret, admin_secret(options.check_webhook_secret));
  AKIN_CHECK(watch::secret_key(secret));
  return std::optional(check::CheckWebhook{options.check_webhook, std::move(secret)});
}

Result<void> check_serve(const CommonOptions& common, const ServeOptions& options) {
  AKIN_TRY(http::ServerOptions server, server_options(options));
  AKIN_CHECK(reindex_time(options));
  AKIN_CHECK(webhook_of_checks(options));
  AKIN_TRY(server.reachable, will_have_keys(common, options));
  if (!server.reachable) AKIN_CHECK(http::check_without_keys(server));
  return http::check_address(server);
}

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

Result<ListenAddress> parse_listen_address(std::string_view text) {
  const auto refuse = [&](const char* reason) {
    return Error{Errc::invalid_argument, "--listen " + std::string(text), reason,
                 "write HOST:PORT, for instance 127.0.0.1:7878 or [::1]:7878"};
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return refuse("has no port");
  std::string_view host = text.substr(0, colon);
  const std::string_view port = text.substr(colon + 1);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    return refuse("an IPv6 address must be in brackets");
  }
  if (host.empty()) return refuse("has no host");
  ListenAddress address;
  address.host = host;
  const auto [end, failure] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (port.empty() || failure != std::errc{} || end != port.data() + port.size()) {
    return refuse("the port is not a number from 0 to 65535");
  }
  return address;
}

std::string listen_url(const ListenAddress& address, bool tls) {
  const bool ipv6 = address.host.find(':') != std::string::npos;
  return (tls ? "https://" : "http://") + (ipv6 ? "[" + address.host + "]" : address.host) + ":" +
         std::to_string(address.port);
}

}  // namespace akin::cli
