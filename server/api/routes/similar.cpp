#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/form.h"
#include "server/api/routes/search.h"
#include "server/api/write/file_object.h"
#include "server/api/write/work.h"
#include "server/run/shown_texts.h"

namespace akin::api {

namespace {

constexpr std::size_t kMaxCollections = 100;

/// The collections that the parameter names, separated by commas, each once.
Result<Collections> named_collections(const Call& call, const Parameters& parameters) {
  const auto names = parameters.text("collections");
  if (!names) {
    return Error{Errc::invalid_argument, parameters.what("collections"), "is missing",
                 "give the names of collections, separated by commas"};
  }
  Collections collections;
  for (const std::string_view one : split(*names, ',')) {
    const std::string name(one);
    AKIN_TRY(auto collection, open_collection(call, name));
    const bool twice =
        std::ranges::any_of(collections, [&](const auto& other) { return other->name() == name; });
    if (twice || collections.size() == kMaxCollections) {
      return Error{Errc::invalid_argument, parameters.what("collections"),
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

/// What is asked, and where.
struct AskedSearch {
  Question question;
  Collections collections;
};

/// `several`: in the collections that the parameters name, not in that of the path.
Result<AskedSearch> read_asked(const Call& call, std::span<const Parameter> given, bool several) {
  AskedSearch asked;
  AKIN_TRY(const Parameters parameters, search_parameters(given, several));
  AKIN_TRY(asked.question, search_question(parameters));
  asked.question.hides_text = [state = call.service.state](std::string_view name, const auto& document) {
    return hides_text(state.get(), name, document);
  };
  if (several) {
    AKIN_TRY(asked.collections, named_collections(call, parameters));
  } else {
    AKIN_TRY(auto collection, open_collection(call));
    asked.collections.push_back(std::move(collection));
  }
  return asked;
}

Result<Json> search(const AskedSearch& asked, bool several) {
  return several ? search_across(asked.collections, asked.question)
                 : search_in(*asked.collections.front(), asked.question);
}

Result<Response> answer_json(const Call& call, bool several) {
  AKIN_TRY(Json body, json_value(call.request));
  std::vector<Parameter> parameters(call.query.begin(), call.query.end());
  AKIN_TRY(const Fields fields, search_body(std::move(body), several, parameters));
  AKIN_TRY(AskedSearch asked, read_asked(call, parameters, several));
  AKIN_CHECK(read_subject(fields, several, asked.question));
  AKIN_TRY(const Json object, search(asked, several));
  return answer_of(object);
}

/// Takes what is said of a file in the body out of the parameters.
std::optional<std::string> take(std::vector<Parameter>& parameters, std::string_view name) {
  const auto given = std::ranges::find(parameters, name, &Parameter::name);
  if (given == parameters.end()) return std::nullopt;
  std::string value = std::move(given->value);
  parameters.erase(given);
  return value;
}

Result<Response> answer_body(const Call& call, bool several) {
  const Request& request = call.request;
  AKIN_TRY(BodyType type, body_type(request));
  if (type.kind == BodyKind::json) return answer_json(call, several);
  std::vector<Parameter> parameters(call.query.begin(), call.query.end());
  const auto file_name = take(parameters, "file_name"), encoding = take(parameters, "encoding");
  AKIN_TRY(type, in_encoding(std::move(type), encoding));
  AKIN_TRY(AskedSearch asked, read_asked(call, parameters, several));
  std::optional<extract::Document> file;
  if (type.kind == BodyKind::file || file_name) {
    AKIN_TRY(file,
             body_document(call.service, request, type, extract::Sampling::off, file_name.value_or("")));
  }
  asked.question.text = file ? file->text : request.body;
  asked.question.file_sha256 = sha256(request.body);
  AKIN_TRY(Json object, search(asked, several));
  if (file) add_file(object, "results", *file);
  return answer_of(object);
}

}  // namespace

Result<Response> post_similar(const Call& call) {
  return without_form(call, [](const Call& plain) { return answer_body(plain, false); });
}

Result<Response> post_similar_across(const Call& call) {
  return without_form(call, [](const Call& plain) { return answer_body(plain, true); });
}

}  // namespace akin::api
