#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <vector>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "base/fair_turns.h"
#include "base/files.h"
#include "base/parallel.h"
#include "cli/commands/commands.h"
#include "cli/commands/serve/serve_options.h"
#include "extract/client/extractor.h"
#include "index/collection/crash_record.h"
#include "index/open_catalog.h"
#include "index/search/word_cache.h"
#include "server/access/hosts.h"
#include "server/api/health.h"
#include "server/check/certificate.h"
#include "server/http/check_options.h"
#include "server/http/log.h"
#include "server/http/open_files.h"
#include "server/http/server.h"
#include "server/http/service_backend.h"
#include "server/http/service_manager.h"
#include "server/http/work_memory.h"
#include "server/ingest/input.h"
#include "server/metrics/metrics.h"
#include "server/run/check_messenger.h"
#include "server/run/dictionary_watch.h"
#include "server/run/expiry.h"
#include "server/run/hand_ins.h"
#include "server/run/scrubber.h"
#include "server/run/task_kinds.h"
#include "server/state/rewrite_state.h"

namespace akin::cli {

namespace {

constexpr const char* kServeExamples =
    "  akin serve                                 http://127.0.0.1:7878, this machine only\n"
    "  akin serve --listen '[::1]:8080'           IPv6\n"
    "  akin serve --listen 127.0.0.1:0            any free port; the URL is printed\n"
    "  akin serve --tls-cert c.pem --tls-key k.pem\n"
    "\n"
    "Listens at once, answers /livez and /readyz, and prints one line with the URL when its dictionaries\n"
    "and collections are open. On SIGINT and SIGTERM it finishes the requests in progress; on SIGHUP it\n"
    "reads the TLS certificate again. The data folder is created if it is missing. Without access keys\n"
    "(akin key create, --admin-key-file) it listens on loopback only, grants every client full access, and\n"
    "refuses cross-site browser requests.";

/// For the end of the process after that of its last connection.
constexpr std::chrono::milliseconds kLastMoment(1800);
/// Requests whose file waits for its turn to be read; half as many as workers can wait for a commit.
constexpr std::size_t kWaitingFiles = 32;

/// What `open` returns once the database answers: a server may be started before its database.
template <class Open>
std::invoke_result_t<Open> when_available(const std::stop_token& stop, const Open& open) {
  constexpr unsigned kLoggedAttempts = 60;  // one in this many
  for (unsigned attempt = 0;; ++attempt) {
    auto opened = open();
    if (!opened.has_error() || opened.error().code != Errc::unavailable || stop.stop_requested())
      return opened;
    if (attempt % kLoggedAttempts == 0)
      http::log_warning("waiting for the database: " + opened.error().message());
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

/// Makes the secret in the file a key of scope admin.
Result<void> adopt_admin_key(const std::filesystem::path& file, access::Keys& keys) {
  if (file.empty()) return {};
  AKIN_TRY(const std::string secret, admin_secret(file));
  AKIN_TRY(const access::KeyInfo key, keys.adopt(secret));
  http::log_info("the secret in " + ingest::display_name(file) + " is access key " + key.id);
  return {};
}

/// The records that the server keeps, and whether clients must show who they are.
struct OwnState {
  std::shared_ptr<state::State> state;
  std::shared_ptr<access::Access> access;
  bool has_keys = false;
};

Result<OwnState> open_own_state(const CommonOptions& common, const ServeOptions& options) {
  OwnState own;
  AKIN_TRY(own.state, open_state(common));
  own.access = std::make_shared<access::Access>(own.state, false, options.access);
  AKIN_CHECK(adopt_admin_key(options.admin_key_file, own.access->keys()));
  AKIN_TRY(own.has_keys, own.access->keys().any());
  if (!options.person_header.empty()) own.has_keys = true;
  if (!options.person_role.empty()) {
    AKIN_TRY(const access::Role first, access::parse_role(options.person_role));
    own.access->let_sign_on(first);
  }
  // A server that other machines may reach, because keys exist, requires a key for as long as it runs.
  if (own.has_keys) own.access->always_require();
  if (!own.has_keys) http::log_info("there are no access keys: every client has full access");
  return own;
}

/// The socket that is open, and its URL.
struct OpenSocket {
  http::Listening at;
  std::string url;
};

/// Opens what the server works with while it already listens, and reports when it is done.
class Opener {
 public:
  Opener(Session& session, http::ServiceBackend& backend, api::Service service, const ServeOptions& options,
         std::optional<api::MinuteOfDay> reindex_at)
      : session_(session),
        backend_(backend),
        service_(std::move(service)),
        options_(options),
        max_staleness_(static_cast<std::int64_t>(options.max_staleness * 1e6)),
        reindex_at_(reindex_at) {}

  /// Call it before `run` if the state is open already: otherwise `run` waits for its database.
  void use(const OwnState& own) {
    service_.state = own.state;
    service_.access = own.access;
    service_.checks = std::make_shared<check::Checks>(own.state, options_.keep_checks, options_.check_files);
    service_.policies = std::make_shared<check::Policies>(own.state);
    service_.gates = std::make_shared<gate::Gates>(own.state);
    service_.models = std::make_shared<judge::Models>(own.state);
  }

  /// On a thread of its own, until it has opened everything or is asked to end. A failure stops the server.
  void run(const OpenSocket& socket, const std::stop_token& end, std::stop_source& stop) {
    outcome_ = without_exceptions([&] { return open(socket, end); });
    if (outcome_.has_error()) stop.request_stop();
  }
  [[nodiscard]] const Result<void>& outcome() const noexcept { return outcome_; }

 private:
  Result<void> open(const OpenSocket& socket, const std::stop_token& end) {
    CommonOptions options = session_.options;
    options.catalog.max_open = options_.max_open_collections;
    if (!service_.state) {
      AKIN_TRY(const OwnState own, when_available(end, [&] { return open_own_state(options, options_); }));
      if (!own.has_keys && !socket.at.loopback) return http::reachable_without_keys(socket.at.address);
      if (!own.has_keys) AKIN_CHECK(http::check_without_keys(options_.server));
      use(own);
    }
    service_.dictionaries = open_dictionaries(options);
    AKIN_CHECK(service_.dictionaries->configured());
    AKIN_TRY(service_.catalog,
             when_available(end, [&] { return open_catalog_with(options, service_.dictionaries, true); }));
    AKIN_TRY(service_.tasks,
             tasks::Tasks::open(service_.state, options.data / "tasks",
                                api::task_kinds(service_.catalog, service_.state, options_.backups)));
    AKIN_TRY(service_.hand_ins, api::open_hand_ins(service_, options.data / "hand-ins",
                                                   std::max(1U, thread_count(options_.server.workers) / 2)));
    warn_of_backups();
    make_certificate_key();
    AKIN_TRY(messenger_, open_messenger());
    AKIN_TRY(service_.watches, open_watches(options_.watch, service_.state, service_.catalog));
    service_.metrics->watch(service_.catalog);
    service_.view_age = std::make_shared<const api::ViewAge>(service_.catalog, max_staleness_);
    warn_of_quarantine();
    expiry_ = std::make_unique<api::Expiry>(
        service_, api::Expiry::Log{.inform = http::log_info, .warn = http::log_warning});
    dictionary_watch_ = std::make_unique<api::DictionaryWatch>(
        service_, api::DictionaryWatch::Options{.reindex_at = reindex_at_, .warn = http::log_warning});
    scrubber_ = std::make_unique<api::Scrubber>(
        service_, api::Scrubber::Options{.bytes_per_second = options_.scrub_rate, .warn = http::log_warning});
    backend_.open(service_);
    http::notify_service_manager(http::ServiceState::ready);
    session_.out << "akin serves " << ingest::display_name(options.data) << " at " << socket.url << "\n";
    return session_.out.flush();
  }

  /// Null without a webhook for checks.
  Result<std::unique_ptr<api::CheckMessenger>> open_messenger() const {
    AKIN_TRY(const auto webhook, webhook_of_checks(options_));
    const auto set = check::set_check_webhook(*service_.state, webhook);
    // A standby's state takes no writes.
    if (set.has_error() && set.error().code != Errc::forbidden) return set.error();
    if (!webhook) return std::unique_ptr<api::CheckMessenger>();
    return api::CheckMessenger::open(service_.state, options_.watch.watch.delivery);
  }

  /// Unless there is one. Where nothing can be written now, the first certificate makes it.
  void make_certificate_key() const {
    static_cast<void>(check::CertificateKeys(service_.state).ensure(time_now()));
  }

  /// It may be there later: a disk that is mounted, for example.
  void warn_of_backups() const {
    if (options_.backups.empty() || std::filesystem::is_directory(options_.backups)) return;
    http::log_warning("backup folder '" + ingest::display_name(options_.backups) +
                      "': is not there, so backups fail (make it, or correct --backup-folder)");
  }

  void warn_of_quarantine() {
    const auto quarantined = service_.catalog->quarantined();
    if (quarantined.has_error()) return;  // /readyz reports what is wrong
    for (const std::string& name : *quarantined) {
      http::log_warning("collection '" + name +
                        "' is in quarantine, because a server that used it was ended by a crash: verify or "
                        "restore it");
    }
  }

  Session& session_;
  http::ServiceBackend& backend_;
  api::Service service_;
  const ServeOptions& options_;
  const std::chrono::microseconds max_staleness_;
  const std::optional<api::MinuteOfDay> reindex_at_;
  Result<void> outcome_{};
  // After the service that they use.
  std::unique_ptr<api::CheckMessenger> messenger_;
  std::unique_ptr<api::Expiry> expiry_;
  std::unique_ptr<api::DictionaryWatch> dictionary_watch_;
  std::unique_ptr<api::Scrubber> scrubber_;
};

/// Starts the reader of files, and reports what confines it.
void start_extraction(api::Readiness& readiness) {
  const Result<extract::Sandbox> sandbox = extract::Extractor::installed().sandbox();
  const std::size_t filters = extract::Extractor::installed().filters().size();
  readiness.set_extraction(sandbox, filters > 0);
  if (filters > 0 && sandbox.has_value() && !sandbox->runs_filters())
    http::log_warning(
        "no filter can run, so files for them are refused: filters need Landlock, which the kernel lacks");
  if (sandbox.has_value() && sandbox->holds()) {
    const std::string landlock =
        sandbox->landlock > 0 ? ", Landlock " + std::to_string(sandbox->landlock) : ", without Landlock";
    return http::log_info("files are read in a sandbox: no_new_privs, seccomp, limits" + landlock);
  }
  http::log_warning(
      "only text and HTML can be read, no other files: " +
      (sandbox.has_error() ? sandbox.error().message() : "the sandbox does not hold: " + sandbox->broken));
}

/// The names by which this machine's browsers may use a server without keys.
std::shared_ptr<const access::Hosts> own_hosts(const ServeOptions& options,
                                               const http::ServerOptions& server) {
  std::vector<std::string> names = options.allowed_hosts;
  names.push_back(server.host);
  if (const auto host = access::host_of(server.public_url.authority())) names.push_back(*host);
  return std::make_shared<const access::Hosts>(names, server.cors_origins);
}

/// Ends the process then, whatever still runs by then: what was stored is safe at any moment.
void end_surely(std::chrono::milliseconds after) {
  std::thread([after] {
    std::this_thread::sleep_for(after);
    http::log_warning("ending with work under way that could not be stopped in time");
    http::flush_log();
    std::_Exit(EXIT_SUCCESS);
  }).detach();
}

/// What was erased while a server ran may still be in free pages of the state.
void finish_erasures(const std::filesystem::path& data) {
  const auto rewritten = state::rewrite_if_marked(data);
  if (rewritten.has_error())
    return http::log_warning("what was erased remains in free pages of the state: " +
                             rewritten.error().message());
  if (*rewritten) http::log_info("the state was written again, without what was erased");
}

bool is_unavailable(const Result<OwnState>& own) {
  return own.has_error() && own.error().code == Errc::unavailable;
}

Result<Exit> run_serve(const ServeOptions& given, const std::vector<Error>& unknown_variables,
                       Session& session) {
  ServeOptions options = given;
  record_crashes();
  http::configure_log({.json = options.log_format == "json", .level = options.log.level});
  for (const Error& unknown : unknown_variables) http::log_warning(unknown.message());
  warn_of_failures([](const std::string& line) { http::log_warning(line); });
  http::bound_arenas(thread_count(options.server.workers));
  AKIN_TRY(const http::OpenFiles files,
           http::allow_open_files({given.server.max_connections, given.max_open_collections}));
  options.server.max_connections = files.connections;
  options.max_open_collections = files.collections;
  WordCache::of_process().set_limit(options.word_cache);
  AKIN_TRY(http::ServerOptions server, server_options(options));
  options.server.public_url = server.public_url;
  extract::Extractor::limit_text(std::min(server.body_limit, extract::ExtractorOptions().most_text));
  AKIN_TRY(const auto reindex_at, reindex_time(options));
  AKIN_CHECK(check_common(session.options));
  const auto readiness = std::make_shared<api::Readiness>(session.options.data, options.min_free_disk);
  server.metrics = std::make_shared<metrics::Metrics>(AKIN_VERSION);
  const auto extractions =
      std::make_shared<FairTurns>(2 * std::size_t{thread_count(server.workers)}, kWaitingFiles);
  server.on_drain = [readiness, extractions, drain = server.drain_timeout] {
    end_surely(drain + kLastMoment);
    readiness->set_draining();
    extractions->close();
  };
  server.on_hard_stop = [] {
    extract::Extractor::installed().stop();
    end_surely(kLastMoment);
  };

  const bool is_in_folder = session.options.store.empty() || is_cluster(session.options.store);
  if (is_in_folder) finish_erasures(session.options.data);
  const Result<OwnState> own = open_own_state(session.options, options);
  if (own.has_error() && !is_unavailable(own)) return own.error();
  // While the database is down, whether there are keys is not known, and nothing is served but the probes.
  server.reachable = own.has_error() || own->has_keys;
  if (own.has_value() && !own->has_keys) AKIN_CHECK(http::check_without_keys(server));

  http::ServiceBackend backend(readiness);
  Opener opener(session, backend,
                {.catalog = nullptr,
                 .dictionaries = nullptr,
                 .tasks = nullptr,
                 .readiness = readiness,
                 .metrics = server.metrics,
                 .data = is_in_folder ? session.options.data : std::filesystem::path(),
                 .hosts = own_hosts(options, server),
                 .extractions = extractions,
                 .line_limit = server.body_limit},
                options, reindex_at);
  if (own.has_value()) opener.use(*own);
  std::stop_source stop;
  std::jthread opening;
  AKIN_CHECK(http::serve(
      backend, server,
      [&](const http::Listening& at) {
        const OpenSocket socket{at, listen_url({server.host, at.port}, server.tls.has_value())};
        http::log_info("listening at " + socket.url + ", opening dictionaries and collections");
        opening = std::jthread([&opener, &stop, readiness, socket](const std::stop_token& end) {
          start_extraction(*readiness);
          opener.run(socket, end, stop);
        });
      },
      stop.get_token()));
  opening.request_stop();
  if (opening.joinable()) opening.join();
  http::flush_log();
  const Result<void>& opened = opener.outcome();
  // Only a server that was stopped while it waited for its database has this outcome.
  if (opened.has_error() && opened.error().code != Errc::unavailable) return opened.error();
  return Exit::ok;
}

}  // namespace

void add_serve_command(Program& program) {
  Command command = program.command("serve", "Serve the HTTP API", kServeExamples);
  auto options = std::make_shared<ServeOptions>();
  add_serve_flags(command, *options);
  program.test_settings([options](const CommonOptions& common) { return check_serve(common, *options); });
  program.on_owned(command, [options, &program](Session& session) {
    return run_serve(*options, program.settings().unknown_variables(), session);
  });
}

}  // namespace akin::cli
