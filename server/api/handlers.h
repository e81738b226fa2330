// The handlers, one file per resource. docs/api.md describes their requests and answers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/api/call.h"
#include "server/audit/audit_log.h"
#include "server/desk/words.h"
#include "server/state/actor.h"

namespace akin::api {

// health.cpp
[[nodiscard]] Result<Response> get_livez(const Call& call);
[[nodiscard]] Result<Response> get_readyz(const Call& call);
[[nodiscard]] Result<Response> get_version(const Call& call);
[[nodiscard]] Result<Response> get_metrics(const Call& call);

// router.cpp
/// The error for a path that is not served.
[[nodiscard]] Error no_route(std::string_view path);

// pages.cpp
[[nodiscard]] Result<Response> get_root(const Call& call);
[[nodiscard]] Result<Response> get_docs_root(const Call& call);
[[nodiscard]] Result<Response> get_docs(const Call& call);  ///< capture: path below /docs/, if any
[[nodiscard]] Result<Response> get_openapi(const Call& call);

// collections.cpp; captures: collection
[[nodiscard]] Result<Response> list_collections(const Call& call);
[[nodiscard]] Result<Response> get_collection(const Call& call);
[[nodiscard]] Result<Response> put_collection(const Call& call);
[[nodiscard]] Result<Response> delete_collection(const Call& call);

/// Error: forbidden when the request's key does not allow the collection.
[[nodiscard]] Result<void> require_collection(const Request& request, std::string_view name);
/// Error: forbidden when the request's key is limited to some collections; `what` is for all ("policies").
[[nodiscard]] Result<void> require_all_collections(const Request& request, std::string_view what);
/// The name in the first capture. Errors: invalid_argument, forbidden.
[[nodiscard]] Result<std::string> collection_name(const Call& call);
/// The collection that the first capture names. Errors: invalid_argument (not a name), forbidden, as
/// Catalog::get.
[[nodiscard]] Result<std::shared_ptr<Collection>> open_collection(const Call& call);
/// The same for the given name.
[[nodiscard]] Result<std::shared_ptr<Collection>> open_collection(const Call& call, std::string_view name);

// documents.cpp; captures: collection, id
[[nodiscard]] Result<Response> list_documents(const Call& call);
[[nodiscard]] Result<Response> get_document(const Call& call);
[[nodiscard]] Result<Response> post_document(const Call& call);  ///< capture: collection
[[nodiscard]] Result<Response> put_document(const Call& call);
[[nodiscard]] Result<Response> delete_document(const Call& call);

// document_patch.cpp; captures: collection, id
[[nodiscard]] Result<Response> patch_document(const Call& call);

// document_file.cpp; captures: collection, id
[[nodiscard]] Result<Response> get_file(const Call& call);
/// The bytes of a file, to be saved.
[[nodiscard]] Response file_response(StoredFile file);

// bulk.cpp; captures: collection
[[nodiscard]] Result<std::optional<Response>> post_bulk(const Call& call, BodySource& body, AnswerSink& sink);

// upload.cpp; captures: collection
[[nodiscard]] Result<std::optional<Response>> post_upload(const Call& call, BodySource& body,
                                                          AnswerSink& sink);

/// The error for an id that the collection does not have.
[[nodiscard]] Error no_document(const Collection& collection, std::string_view id);

// similar.cpp; captures: collection
[[nodiscard]] Result<Response> post_similar(const Call& call);
// no captures
[[nodiscard]] Result<Response> post_similar_across(const Call& call);

// compare.cpp
[[nodiscard]] Result<Response> post_compare(const Call& call);

// pairs.cpp; captures: collection
[[nodiscard]] Result<Response> post_pairs(const Call& call);
[[nodiscard]] Result<Response> post_groups(const Call& call);

// pairs_page.cpp; captures: id of the task. The errors of the page become pages.
[[nodiscard]] Result<Response> get_pairs_page(const Call& call);
[[nodiscard]] Result<Response> put_page_labels(const Call& call);

// labels.cpp; captures: collection
[[nodiscard]] Result<Response> get_labels(const Call& call);
[[nodiscard]] Result<Response> put_labels(const Call& call);
[[nodiscard]] Result<Response> delete_labels(const Call& call);
/// Stores the labels in the body for this collection.
[[nodiscard]] Result<Response> store_labels(const Call& call, const Collection& collection);

// judge.cpp
[[nodiscard]] Result<Response> post_judge(const Call& call);
[[nodiscard]] Result<Response> post_collection_judge(const Call& call);  ///< capture: collection

// models.cpp; captures: name
[[nodiscard]] Result<Response> list_models(const Call& call);
[[nodiscard]] Result<Response> get_model(const Call& call);
[[nodiscard]] Result<Response> put_model(const Call& call);
[[nodiscard]] Result<Response> delete_model(const Call& call);
/// The service's models. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<judge::Models>> models_of(const Service& service);

// operations.cpp; captures: collection
[[nodiscard]] Result<Response> post_reindex(const Call& call);
[[nodiscard]] Result<Response> post_compact(const Call& call);
// no captures
[[nodiscard]] Result<Response> post_backup(const Call& call);

// task_handlers.cpp; captures: id of the task
[[nodiscard]] Result<Response> list_tasks(const Call& call);
[[nodiscard]] Result<Response> get_task(const Call& call);
[[nodiscard]] Result<Response> delete_task(const Call& call);
[[nodiscard]] Result<Response> get_task_result(const Call& call);

// checks.cpp; captures: id of the check
[[nodiscard]] Result<Response> post_check(const Call& call);
[[nodiscard]] Result<Response> list_checks(const Call& call);
[[nodiscard]] Result<Response> get_check(const Call& call);
[[nodiscard]] Result<Response> get_check_file(const Call& call);
[[nodiscard]] Result<Response> get_certificate(const Call& call);
[[nodiscard]] Result<Response> delete_check(const Call& call);
[[nodiscard]] Result<Response> repeat_check(const Call& call);
[[nodiscard]] Result<Response> get_later_outcome(const Call& call);

[[nodiscard]] Result<Response> get_report(const Call& call);

/// A verdict and a state of the decision; empty: any.
struct CheckKind {
  std::string_view verdict, state;
};
/// The checks that the request's key may see, as check_summary, the newest first: up to `limit` of those of
/// the kind before the id `before` (empty: of all). Reads checks until it has found so many.
[[nodiscard]] Result<std::vector<Json>> newest_checks(const Call& call, std::string_view before,
                                                      const CheckKind& kind, std::size_t limit);
/// Whom a report is for.
enum class Naming : std::uint8_t { names, anonymous };
struct ReportView {
  bool shows_documents = false;  ///< their texts beside the passages
  Naming naming = Naming::names;
  std::string marks_path = {};  ///< of the page that marks findings; empty: the reader may not
};
/// desk::report of a check.
[[nodiscard]] Result<std::string> make_report(const Service& service, const desk::Words& words,
                                              const Json& check, const ReportView& view);
/// desk::report of a check that the request may see, without the texts of documents that it may not. Error:
/// forbidden (the text is a stored document's, which the key may not read).
[[nodiscard]] Result<std::string> report_of(const Call& call, const desk::Words& words, const Json& check,
                                            Naming naming = Naming::names);
/// A certificate of the check, signed now.
[[nodiscard]] Result<Json> certificate_of(const Call& call, const Json& check);

// desk.cpp: pages for people. Errors become pages, too.
[[nodiscard]] Result<Response> get_desk_root(const Call& call);
[[nodiscard]] Result<Response> get_desk_style(const Call& call);
[[nodiscard]] Result<Response> get_sign_in(const Call& call);
[[nodiscard]] Result<Response> post_sign_in(const Call& call);
[[nodiscard]] Result<Response> post_sign_out(const Call& call);
[[nodiscard]] Result<Response> get_hand_in(const Call& call);
[[nodiscard]] Result<Response> get_cases(const Call& call);
[[nodiscard]] Result<Response> post_cases(const Call& call);
[[nodiscard]] Result<Response> get_case(const Call& call);     ///< capture: id of the check
[[nodiscard]] Result<Response> admit_case(const Call& call);   ///< capture: id of the check
[[nodiscard]] Result<Response> delete_case(const Call& call);  ///< capture: id of the check

// desk_decisions.cpp; captures: id of the check
[[nodiscard]] Result<Response> decide_case(const Call& call);
[[nodiscard]] Result<Response> get_case_marks(const Call& call);
[[nodiscard]] Result<Response> mark_case(const Call& call);
[[nodiscard]] Result<Response> get_desk_collections(const Call& call);
[[nodiscard]] Result<Response> post_desk_collections(const Call& call);
/// Capture: collection.
[[nodiscard]] Result<std::optional<Response>> post_desk_documents(const Call& call, BodySource& body,
                                                                  AnswerSink& sink);

// desk_browse.cpp
[[nodiscard]] Result<Response> get_desk_collection(const Call& call);  ///< capture: collection
[[nodiscard]] Result<Response> get_desk_document(const Call& call);    ///< captures: collection, id
[[nodiscard]] Result<Response> get_desk_compare(const Call& call);
[[nodiscard]] Result<Response> post_desk_compare(const Call& call);

// desk_operate.cpp: for an administrator of all collections
[[nodiscard]] Result<Response> get_desk_server(const Call& call);
[[nodiscard]] Result<Response> post_desk_server(
    const Call& call);  ///< capture: reindex, backup, cancel, drop
[[nodiscard]] Result<Response> get_desk_persons(const Call& call);
[[nodiscard]] Result<Response> post_desk_persons(const Call& call);
/// Captures: id of the person; secret, disable, enable or remove.
[[nodiscard]] Result<Response> post_desk_person(const Call& call);
[[nodiscard]] Result<Response> get_desk_log(const Call& call);

// desk_rules.cpp; capture: name of the policy
[[nodiscard]] Result<Response> get_desk_rules(const Call& call);
[[nodiscard]] Result<Response> post_desk_rules(const Call& call);
[[nodiscard]] Result<Response> get_desk_rule(const Call& call);
[[nodiscard]] Result<Response> post_desk_rule(const Call& call);

// decisions.cpp; captures: id of the check
[[nodiscard]] Result<Response> get_decision(const Call& call);
[[nodiscard]] Result<Response> put_decision(const Call& call);
[[nodiscard]] Result<Response> patch_marks(const Call& call);

// check_events.cpp; capture: id of the event
[[nodiscard]] Result<Response> list_check_events(const Call& call);
[[nodiscard]] Result<Response> retry_check_event(const Call& call);

// links.cpp; captures: id of the check, id of the link
[[nodiscard]] Result<Response> list_links(const Call& call);
[[nodiscard]] Result<Response> post_link(const Call& call);
[[nodiscard]] Result<Response> delete_link(const Call& call);

// desk_links.cpp; captures: id of the check, id of the link or its token
[[nodiscard]] Result<Response> make_case_link(const Call& call);
[[nodiscard]] Result<Response> revoke_case_link(const Call& call);
[[nodiscard]] Result<Response> open_link(const Call& call);
[[nodiscard]] Result<Response> state_by_link(const Call& call);

/// Who sends the request: its key, or nobody who is known.
[[nodiscard]] state::Actor actor_of(const Request& request);
[[nodiscard]] state::Actor actor_of(const access::KeyInfo& key, const std::string& address);

// restricted.cpp
/// Whether the answer may show this document's text. A restricted one is shown to keys of scope admin alone,
/// which is recorded. Error: forbidden.
[[nodiscard]] Result<void> require_shown(const Call& call, std::string_view collection,
                                         const DocumentRecord& document);
/// Whether the text of a stored check may be shown. Error: forbidden (it is that of a restricted document).
[[nodiscard]] Result<void> require_shown(const Service& service, const Json& check);

// audit.cpp
[[nodiscard]] Result<Response> list_audit(const Call& call);
/// Adds an entry to the audit log about something that the client does; nothing on a standby, which takes no
/// writes.
[[nodiscard]] Result<void> record(const Call& call, std::string action, std::string about);
/// The same with somebody else than the client's key.
[[nodiscard]] Result<void> record(const Service& service, audit::Event event);

// certificate_keys.cpp
[[nodiscard]] Result<Response> list_certificate_keys(const Call& call);
[[nodiscard]] Result<Response> rotate_certificate_key(const Call& call);

// admit.cpp; captures: id of the check
[[nodiscard]] Result<Response> admit_check(const Call& call);

/// The service's checks. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<check::Checks>> checks_of(const Service& service);
/// The check that the path names. Errors: not_found, also when another key made the check, or the key does
/// not allow a collection that the check read; mismatch (it was handed in and is not done).
[[nodiscard]] Result<Json> allowed_check(const Call& call, const check::Checks& checks);

// policies.cpp; captures: name
[[nodiscard]] Result<Response> list_policies(const Call& call);
[[nodiscard]] Result<Response> get_policy(const Call& call);
[[nodiscard]] Result<Response> put_policy(const Call& call);
[[nodiscard]] Result<Response> delete_policy(const Call& call);

// keys.cpp; captures: id of the key
[[nodiscard]] Result<Response> list_keys(const Call& call);
[[nodiscard]] Result<Response> post_key(const Call& call);
[[nodiscard]] Result<Response> get_key(const Call& call);
[[nodiscard]] Result<Response> revoke_key(const Call& call);
[[nodiscard]] Result<Response> delete_key(const Call& call);

/// The task that the path names. Error: not_found, also when the key does not allow its collection.
[[nodiscard]] Result<tasks::TaskInfo> allowed_task(const Call& call, const tasks::Tasks& tasks);

// persons.cpp; captures: id of the person
[[nodiscard]] Result<Response> list_persons(const Call& call);
[[nodiscard]] Result<Response> get_person(const Call& call);
[[nodiscard]] Result<Response> put_person(const Call& call);
[[nodiscard]] Result<Response> delete_person(const Call& call);
[[nodiscard]] Result<Response> post_person_secret(const Call& call);

/// Queues a task; the answer is 202 with its path in Location.
[[nodiscard]] Result<Response> start_task(const Call& call, std::string_view type,
                                          std::string_view collection, Json parameters);

// watches.cpp; captures: collection, name
[[nodiscard]] Result<Response> list_watches(const Call& call);
[[nodiscard]] Result<Response> get_watch(const Call& call);
[[nodiscard]] Result<Response> put_watch(const Call& call);
[[nodiscard]] Result<Response> delete_watch(const Call& call);

/// The service's watches. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<watch::Watches>> watches_of(const Service& service);

// watch_events.cpp; captures: collection, id of the event
[[nodiscard]] Result<Response> list_events(const Call& call);
[[nodiscard]] Result<Response> get_event(const Call& call);
[[nodiscard]] Result<Response> retry_event(const Call& call);

// gates.cpp; captures: collection, group
[[nodiscard]] Result<Response> get_gate(const Call& call);
[[nodiscard]] Result<Response> put_gate(const Call& call);
[[nodiscard]] Result<Response> delete_gate(const Call& call);
[[nodiscard]] Result<Response> post_admission(const Call& call);
[[nodiscard]] Result<Response> list_duplicate_groups(const Call& call);
[[nodiscard]] Result<Response> get_duplicate_group(const Call& call);
[[nodiscard]] Result<Response> split_duplicate_group(const Call& call);

/// The service's tasks. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<tasks::Tasks>> tasks_of(const Service& service);

}  // namespace akin::api
