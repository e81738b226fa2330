#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "server/api/body.h"
#include "server/api/body_line_reader.h"
#include "server/api/file_object.h"
#include "server/api/handlers.h"
#include "server/api/search.h"

namespace akin::api {

namespace {

constexpr std::size_t kMaxCollections = 100;

/// The collections that the parameter names, separated by commas, each once.
Result<Collections> named_collections(const Call& call, const Parameters& parameters) {
  const auto names = parameters.text("collections");
  if (!names) {
    return Error{Errc::invalid_argument, "query parameter 'collections'", "is missing",
                 "give the names of collections, separated by commas"};
  }
  Collections collections;
  for (const std::string_view one : split(*names, ',')) {
    const std::string name(one);
    AKIN_TRY(auto collection, open_collection(call, name));
    const bool twice =
        std::ranges::any_of(collections, [&](const auto& other) { return other->name() == name; });
    if (twice || collections.size() == kMaxCollections) {
      return Error{Errc::invalid_argument, "query parameter 'collections'",
                   twice ? "names " + in_quotes(name) + " twice" : "names more than 100",
                   "name each once, up to 100"};
    }
    collections.push_back(std::move(collection));
  }
  return collections;
}

/// A query as it was sent: its fields in JSON, a file, or the text itself.
struct SentQuery {
  std::optional<Fields> fields = {};
  std::optional<extract::Document> file = {};
};

Result<SentQuery> sent_query(const Call& call, bool several) {
  const Request& request = call.request;
  AKIN_TRY(const BodyType type, body_type(request));
  SentQuery query;
  if (type == BodyType::file) {
    AKIN_TRY(query.file, body_document(call.service, request));
  } else if (type == BodyType::json && several) {
    AKIN_TRY(query.fields, json_body(request, {"text", "id", "collection"}));
  } else if (type == BodyType::json) {
    AKIN_TRY(query.fields, json_body(request, {"text", "id"}));
  }
  return query;
}

/// What is searched for; its text is a view of the request's body or of the query.
Result<SearchSubject> subject_of(const Request& request, const SentQuery& query, bool several) {
  if (query.fields) return search_subject(*query.fields, several);
  const std::string_view text = query.file ? query.file->text : request.body;
  return SearchSubject{.text = text, .id = {}, .collection = {}, .file_sha256 = sha256(request.body)};
}

Response answer_of(Json object, const SentQuery& query) {
  if (query.file) add_file(object, "results", *query.file);
  return json_response(200, object);
}

/// Answers one query of a batch.
Result<Json> answer_line(const Line& line, const Collection& collection, const SearchOptions& options,
                         std::size_t limit) {
  if (line.too_long) return too_long(line, limit);
  AKIN_TRY(Json value, parse_json(line.text));
  AKIN_TRY(const Fields fields, Fields::read(std::move(value), {"text", "id"}));
  AKIN_TRY(const SearchSubject subject, search_subject(fields, false));
  return search_in(collection, options, subject);
}

}  // namespace

Result<Response> post_similar(const Call& call) {
  AKIN_TRY(const Parameters parameters, search_parameters(call.query, false));
  AKIN_TRY(const SearchOptions options, search_options(parameters));
  AKIN_TRY(const auto collection, open_collection(call));
  AKIN_TRY(const SentQuery query, sent_query(call, false));
  AKIN_TRY(const SearchSubject subject, subject_of(call.request, query, false));
  AKIN_TRY(Json object, search_in(*collection, options, subject));
  return answer_of(std::move(object), query);
}

Result<Response> post_similar_across(const Call& call) {
  AKIN_TRY(const Parameters parameters, search_parameters(call.query, true));
  AKIN_TRY(const SearchOptions options, search_options(parameters));
  AKIN_TRY(const Collections collections, named_collections(call, parameters));
  AKIN_TRY(const SentQuery query, sent_query(call, true));
  AKIN_TRY(const SearchSubject subject, subject_of(call.request, query, true));
  AKIN_TRY(Json object, search_across(collections, options, subject));
  return answer_of(std::move(object), query);
}

Result<std::optional<Response>> post_similar_batch(const Call& call, BodySource& body, AnswerSink& sink) {
  AKIN_TRY(const Parameters parameters, search_parameters(call.query, false));
  AKIN_TRY(const SearchOptions options, search_options(parameters));
  AKIN_CHECK(require_lines(call.request));
  AKIN_TRY(const auto collection, open_collection(call));
  Response head;
  head.headers.emplace_back("Content-Type", std::string(kLinesType));
  AKIN_CHECK(sink.begin(head));
  BodyLineReader lines(body, call.service.line_limit);
  std::uint64_t read = 0;
  std::uint64_t answered = 0;
  std::uint64_t errors = 0;
  for (;;) {
    AKIN_TRY(const auto line, lines.next());
    if (!line) break;
    read = line->number;
    if (line->is_blank()) continue;
    Json object;
    object["line"] = line->number;
    const auto answer = answer_line(*line, *collection, options, call.service.line_limit);
    if (answer.has_value()) {
      ++answered;
      object.update(*answer);
    } else {
      ++errors;
      object["error"] = error_object(answer.error());
    }
    AKIN_CHECK(sink.write(json::compact(object) + "\n"));
  }
  Json summary;
  summary["lines"] = read;
  summary["answered"] = answered;
  summary["errors"] = errors;
  AKIN_CHECK(sink.write(json::compact({{"summary", summary}}) + "\n"));
  return std::optional<Response>();
}

}  // namespace akin::api
