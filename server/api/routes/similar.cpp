#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/ascii.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/routes/search.h"
#include "server/api/write/file_object.h"
#include "server/api/write/work.h"

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

Response answer_of(const Json& object) {
  Response response = json_response(200, object);
  response.work = work_of(object);
  return response;
}

/// Reads what is searched for from the body, and searches.
template <class Search>
Result<Response> answer(const Call& call, Question question, bool several, const Search& search) {
  const Request& request = call.request;
  AKIN_TRY(const BodyType type, body_type(request));
  if (type.kind == BodyKind::json) {
    AKIN_TRY(const Fields fields,
             several ? json_body(request, {"text", "id", "collection"}) : json_body(request, {"text", "id"}));
    AKIN_CHECK(read_subject(fields, several, question));
    AKIN_TRY(const Json object, search(question));
    return answer_of(object);
  }
  std::optional<extract::Document> file;
  if (type.kind == BodyKind::file) {
    AKIN_TRY(file, body_document(call.service, request, type));
  }
  question.text = file ? file->text : request.body;
  question.file_sha256 = sha256(request.body);
  AKIN_TRY(Json object, search(question));
  if (file) add_file(object, "results", *file);
  return answer_of(object);
}

}  // namespace

Result<Response> post_similar(const Call& call) {
  AKIN_TRY(const Parameters parameters, search_parameters(call.query, false));
  AKIN_TRY(Question question, search_question(parameters));
  AKIN_TRY(const auto collection, open_collection(call));
  return answer(call, std::move(question), false,
                [&](const Question& asked) { return search_in(*collection, asked); });
}

Result<Response> post_similar_across(const Call& call) {
  AKIN_TRY(const Parameters parameters, search_parameters(call.query, true));
  AKIN_TRY(Question question, search_question(parameters));
  AKIN_TRY(const Collections collections, named_collections(call, parameters));
  return answer(call, std::move(question), true,
                [&](const Question& asked) { return search_across(collections, asked); });
}

}  // namespace akin::api
