// What handlers share: those that others call, and what several of them look up. The description in openapi/
// says what each handler reads and answers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/call.h"
#include "server/audit/audit_log.h"
#include "server/desk/overview.h"
#include "server/state/actor.h"

namespace akin::api {

// Handlers that the pages for people call.
[[nodiscard]] Result<Response> list_collections(const Call& call);
[[nodiscard]] Result<Response> put_collection(const Call& call);
[[nodiscard]] Result<Response> delete_collection(const Call& call);
[[nodiscard]] Result<Response> list_documents(const Call& call);
[[nodiscard]] Result<Response> get_document(const Call& call);
[[nodiscard]] Result<Response> find_similar(const Call& call);
[[nodiscard]] Result<Response> compare_texts(const Call& call);
[[nodiscard]] Result<Response> reindex_collection(const Call& call);
[[nodiscard]] Result<Response> back_up(const Call& call);
[[nodiscard]] Result<Response> delete_task(const Call& call);
[[nodiscard]] Result<Response> check_text(const Call& call);
[[nodiscard]] Result<Response> delete_check(const Call& call);
[[nodiscard]] Result<Response> get_report(const Call& call);
[[nodiscard]] Result<Response> put_decision(const Call& call);
[[nodiscard]] Result<Response> list_audit(const Call& call);
[[nodiscard]] Result<Response> admit_check(const Call& call);
[[nodiscard]] Result<Response> list_policies(const Call& call);
[[nodiscard]] Result<Response> get_policy(const Call& call);
[[nodiscard]] Result<Response> put_policy(const Call& call);
[[nodiscard]] Result<Response> propose_templates(const Call& call);
[[nodiscard]] Result<Response> list_persons(const Call& call);
[[nodiscard]] Result<Response> create_link(const Call& call);
[[nodiscard]] Result<Response> revoke_link(const Call& call);
[[nodiscard]] Result<Response> get_person(const Call& call);
[[nodiscard]] Result<Response> put_person(const Call& call);
[[nodiscard]] Result<Response> delete_person(const Call& call);
[[nodiscard]] Result<Response> renew_secret(const Call& call);
[[nodiscard]] Result<Response> delete_document(const Call& call);
[[nodiscard]] Result<Response> find_pairs(const Call& call);
[[nodiscard]] Result<Response> find_groups(const Call& call);
[[nodiscard]] Result<Response> list_keys(const Call& call);
[[nodiscard]] Result<Response> create_key(const Call& call);
[[nodiscard]] Result<Response> revoke_key(const Call& call);
[[nodiscard]] Result<Response> list_watches(const Call& call);
[[nodiscard]] Result<Response> list_events(const Call& call);
[[nodiscard]] Result<Response> put_watch(const Call& call);
[[nodiscard]] Result<Response> delete_watch(const Call& call);
[[nodiscard]] Result<std::optional<Response>> upload_files(const Call& call, BodySource& body,
                                                           AnswerSink& sink);

/// What the operation of this handler declares; none if it is a page for people.
[[nodiscard]] std::span<const DeclaredParameter> parameters_of(Handler handler) noexcept;

/// The error for a path that is not served.
[[nodiscard]] Error no_route(std::string_view path);

/// Error: forbidden when the request's key does not allow the collection.
[[nodiscard]] Result<void> require_collection(const Request& request, std::string_view name);
/// The collections that there are and that the request's key allows.
[[nodiscard]] Result<std::vector<std::string>> allowed_collections(const Call& call);
/// Error: forbidden when the request's key is limited to some collections; `what` is for all ("policies").
[[nodiscard]] Result<void> require_all_collections(const Request& request, std::string_view what);
/// The name in the first capture. Errors: invalid_argument, forbidden.
[[nodiscard]] Result<std::string> collection_name(const Call& call);
/// The collection that the first capture names. Errors: invalid_argument (not a name), forbidden, as
/// Catalog::get.
[[nodiscard]] Result<std::shared_ptr<Collection>> open_collection(const Call& call);
/// The same for the given name.
[[nodiscard]] Result<std::shared_ptr<Collection>> open_collection(const Call& call, std::string_view name);

/// The collection that the parameter `collection` names; null without one. Errors: as open_collection.
[[nodiscard]] Result<std::shared_ptr<Collection>> collection_in(const Call& call,
                                                                const Parameters& parameters);
/// The dictionaries of the collection; of null, those that the server is configured with.
[[nodiscard]] Result<std::shared_ptr<const Dictionary>> dictionary_of(const Call& call,
                                                                      const Collection* collection);

/// The bytes of a file, to be saved, or those that the request's Range asks for. `tag`: its entity tag, or
/// "".
[[nodiscard]] Response file_response(const Request& request, StoredFile file, const std::string& tag = {});

/// The error for an id that the collection does not have.
[[nodiscard]] Error no_document(const Collection& collection, std::string_view id);

/// Stores the labels in the body for this collection.
[[nodiscard]] Result<Response> store_labels(const Call& call, const Collection& collection);

/// Error: invalid_argument (`rule` or `threshold` is given, which models do without).
[[nodiscard]] Result<void> refuse_rule(const Parameters& parameters);

/// The service's models. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<judge::Models>> models_of(const Service& service);

/// The checks that the request's key may see, as check_summary, the newest first: up to `limit` of those
/// before the id `before` (empty: of all) that the filters of listChecks among `filters` accept. Reads checks
/// until it has found so many. Error: invalid_argument (`since` is not a date).
[[nodiscard]] Result<std::vector<Json>> newest_checks(const Call& call, std::string_view before,
                                                      const Parameters& filters, std::size_t limit);
/// Whom a report is for.
enum class Naming : std::uint8_t { names, anonymous };
struct ReportView {
  bool shows_documents = false;  ///< their texts beside the passages
  Naming naming = Naming::names;
  std::string marks_path = {};  ///< of the page that marks findings; empty: the reader may not
  desk::MatchFilter filter = {};
  std::string filter_path = {};  ///< of the page that takes a filter; empty: it takes none
};
/// Whether pages of the file that was handed in can be drawn: a PDF or DjVu that is kept.
[[nodiscard]] bool has_page_pictures(const Json& check);
/// desk::report of a check.
[[nodiscard]] Result<std::string> make_report(const Service& service, const desk::Words& words,
                                              const Json& check, const ReportView& view);
/// desk::report of a check that the request may see, without the texts of documents that it may not. Error:
/// forbidden (the text is a stored document's, which the key may not read).
[[nodiscard]] Result<std::string> report_of(const Call& call, const desk::Words& words, const Json& check,
                                            const ReportView& view = {});
/// The same for programs, as `CheckReport` of the description has it.
[[nodiscard]] Result<Json> report_object(const Call& call, Json check, Naming naming);
/// A certificate of the check, signed now.
[[nodiscard]] Result<Json> certificate_of(const Call& call, const Json& check);

/// Who sends the request: its key, or nobody who is known.
[[nodiscard]] state::Actor actor_of(const Request& request);
[[nodiscard]] state::Actor actor_of(const access::KeyInfo& key, const std::string& address);

/// Whether the answer may show this document's text. A restricted one is shown to keys of scope admin alone,
/// which is recorded. Error: forbidden.
[[nodiscard]] Result<void> require_shown(const Call& call, std::string_view collection,
                                         const DocumentRecord& document);
/// Whether the text of a stored check may be shown. Error: forbidden (it is that of a restricted document).
[[nodiscard]] Result<void> require_shown(const Service& service, const Json& check);

/// The state that has the service's audit log; null without one, and on a standby, which takes no writes.
[[nodiscard]] state::State* log_of(const Service& service);
/// Adds an entry to the audit log about something that the client does; nothing without a log.
[[nodiscard]] Result<void> record(const Call& call, std::string action, std::string about);
/// The same with somebody else than the client's key.
[[nodiscard]] Result<void> record(const Service& service, const audit::Event& event);

/// The service's checks. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<check::Checks>> checks_of(const Service& service);
/// The check that the path names. Errors: not_found, also when another key made the check, or the key does
/// not allow a collection that the check read; mismatch (it was handed in and is not done).
[[nodiscard]] Result<Json> allowed_check(const Call& call, const check::Checks& checks);

/// The task that the path names. Error: not_found, also when the key does not allow its collection.
[[nodiscard]] Result<tasks::TaskInfo> allowed_task(const Call& call, const tasks::Tasks& tasks);

/// Queues a task; the answer is 202 with its path in Location.
[[nodiscard]] Result<Response> start_task(const Call& call, std::string_view type,
                                          std::string_view collection, Json parameters);

/// The service's watches. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<watch::Watches>> watches_of(const Service& service);

/// The service's tasks. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<tasks::Tasks>> tasks_of(const Service& service);

}  // namespace akin::api
