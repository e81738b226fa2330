// The HTTP API without a socket: a request in, an answer out. The table in router.cpp lists the paths.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/fair_turns.h"
#include "index/collection/catalog.h"
#include "index/collection/dictionaries.h"
#include "server/access/access.h"
#include "server/access/hosts.h"
#include "server/api/health.h"
#include "server/api/message.h"
#include "server/api/sent_forms.h"
#include "server/api/stream.h"
#include "server/api/view_age.h"
#include "server/check/checks.h"
#include "server/check/policies.h"
#include "server/gate/gates.h"
#include "server/judge/models.h"
#include "server/metrics/metrics.h"
#include "server/state/state.h"
#include "server/tasks/tasks.h"
#include "server/watch/watches.h"

namespace akin::api {

/// The objects that the handlers use. Copies share them.
struct Service {
  std::shared_ptr<Catalog> catalog;
  std::shared_ptr<Dictionaries> dictionaries;            ///< those that the catalog was opened with
  std::shared_ptr<tasks::Tasks> tasks = nullptr;         ///< null: requests that start tasks are refused
  std::shared_ptr<const Readiness> readiness = nullptr;  ///< null: ready when the catalog can be listed
  std::shared_ptr<const ViewAge> view_age = nullptr;     ///< null: no database is a standby
  std::shared_ptr<metrics::Metrics> metrics = nullptr;   ///< null: /metrics answers 404
  std::shared_ptr<state::State> state = nullptr;
  std::filesystem::path data = {};  ///< the data folder; empty if collections and state are in a database
  std::shared_ptr<access::Access> access = nullptr;  ///< null: no key is required
  std::shared_ptr<const access::Hosts> hosts =
      nullptr;                                      ///< of requests without a key; null: any host and origin
  std::shared_ptr<check::Checks> checks = nullptr;  ///< null: submissions are not checked
  std::shared_ptr<check::Policies> policies = nullptr;  ///< set together with `checks`
  std::shared_ptr<tasks::Tasks> hand_ins =
      nullptr;  ///< checks that wait (run/hand_ins.h); null: each is made within its request
  std::shared_ptr<watch::Watches> watches = nullptr;  ///< null: there are none
  std::shared_ptr<gate::Gates> gates = nullptr;       ///< null: there are none
  std::shared_ptr<judge::Models> models = nullptr;    ///< null: there are none
  std::shared_ptr<FairTurns> extractions =
      nullptr;                                     ///< in which akin-extract reads bodies; null: all at once
  std::size_t line_limit = std::size_t{64} << 20;  ///< bytes of one line of a bulk load
  std::shared_ptr<SentForms> sent_forms = std::make_shared<SentForms>();  ///< of the desk
};

/// A method that is served. A part of the pattern in braces matches one part of a path, "{…*}" all the rest.
struct OfferedMethod {
  std::string_view pattern;
  std::string_view method;
  std::optional<access::Scope> scope;  ///< nullopt: no key is required
};
[[nodiscard]] std::vector<OfferedMethod> offered_methods();

/// The endpoint that the request carries, or else the one that the table of paths has for its head. The
/// functions below find it this way: store it in `head.endpoint`, and the table is searched once a request.
/// Its members live as long as the program.
[[nodiscard]] Endpoint endpoint_of(const Request& head) noexcept;

/// Called when the head has arrived and before the body is read: checks that the client's key allows the
/// request and that the key's limits are kept; without keys, that Host and Origin are the server's own. Fills
/// in `head.grant`. Returns the refusal, or nothing.
[[nodiscard]] std::optional<Response> authorize(const Service& service, Request& head);

/// What authorize() has to do for a request.
enum class AuthorizationWork {
  none,     ///< nothing that takes time
  look_up,  ///< ask a database
  hashing,  ///< hash a secret that was not seen before: about 50 ms of a core
};
[[nodiscard]] AuthorizationWork authorization_work(const Service& service, const Request& head) noexcept;

/// Answers an authorized request. An error becomes an answer with an error_object; an exception, such as that
/// of memory running out, does so at the caller (boundary.h). May be called from any number of threads.
[[nodiscard]] Response handle(const Service& service, const Request& request);

/// The same for Delivery::stream; `request` has no body. The answer goes to `sink`, or is returned if it
/// could not be started.
[[nodiscard]] std::optional<Response> handle_stream(const Service& service, const Request& request,
                                                    BodySource& body, AnswerSink& sink);

}  // namespace akin::api
