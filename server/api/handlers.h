// The handlers, one file per resource. What each takes and answers: docs/api.md.
#pragma once

#include <memory>

#include "server/api/call.h"

namespace akin::api {

// health.cpp
[[nodiscard]] Result<Response> get_livez(const Call& call);
[[nodiscard]] Result<Response> get_readyz(const Call& call);
[[nodiscard]] Result<Response> get_version(const Call& call);
[[nodiscard]] Result<Response> get_metrics(const Call& call);

// pages.cpp
[[nodiscard]] Result<Response> get_errors_page(const Call& call);
[[nodiscard]] Result<Response> get_openapi(const Call& call);

// collections.cpp; captures: collection
[[nodiscard]] Result<Response> list_collections(const Call& call);
[[nodiscard]] Result<Response> get_collection(const Call& call);
[[nodiscard]] Result<Response> put_collection(const Call& call);
[[nodiscard]] Result<Response> delete_collection(const Call& call);

/// Error: forbidden when the request's key does not allow the collection.
[[nodiscard]] Result<void> require_collection(const Request& request, std::string_view name);
/// The name in the first capture. Errors: invalid_argument, forbidden.
[[nodiscard]] Result<std::string> collection_name(const Call& call);
/// The collection that the first capture names. Errors: invalid_argument (not a name), forbidden, as
/// Catalog::get.
[[nodiscard]] Result<std::shared_ptr<Collection>> open_collection(const Call& call);

// documents.cpp; captures: collection, id
[[nodiscard]] Result<Response> list_documents(const Call& call);
[[nodiscard]] Result<Response> get_document(const Call& call);
[[nodiscard]] Result<Response> put_document(const Call& call);
[[nodiscard]] Result<Response> delete_document(const Call& call);

// bulk.cpp; captures: collection
[[nodiscard]] Result<std::optional<Response>> post_bulk(const Call& call, BodySource& body, AnswerSink& sink);

/// What is said of an id that the collection does not have.
[[nodiscard]] Error no_document(const Collection& collection, std::string_view id);

// similar.cpp; captures: collection
[[nodiscard]] Result<Response> post_similar(const Call& call);

// compare.cpp
[[nodiscard]] Result<Response> post_compare(const Call& call);

// pairs.cpp; captures: collection
[[nodiscard]] Result<Response> post_pairs(const Call& call);
[[nodiscard]] Result<Response> post_groups(const Call& call);

// operations.cpp; captures: collection
[[nodiscard]] Result<Response> post_reindex(const Call& call);
[[nodiscard]] Result<Response> post_compact(const Call& call);
[[nodiscard]] Result<Response> post_load(const Call& call);
// no captures
[[nodiscard]] Result<Response> post_backup(const Call& call);

// task_handlers.cpp; captures: id of the task
[[nodiscard]] Result<Response> list_tasks(const Call& call);
[[nodiscard]] Result<Response> get_task(const Call& call);
[[nodiscard]] Result<Response> delete_task(const Call& call);
[[nodiscard]] Result<Response> get_task_result(const Call& call);

/// Queues a task; the answer is 202 with its place.
[[nodiscard]] Result<Response> start_task(const Call& call, std::string_view type,
                                          std::string_view collection, Json parameters);

/// The service's tasks. Error: not_found when it has none.
[[nodiscard]] Result<std::shared_ptr<Tasks>> tasks_of(const Service& service);

}  // namespace akin::api
