#include <algorithm>
#include <optional>
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

/// A search in several collections, which the parameters name, has no collection in its path.
bool is_across(const Call& call) { return call.captures.empty(); }

Result<AskedSearch> read_asked(const Call& call, const Parameters& parameters) {
  AskedSearch asked;
  AKIN_TRY(asked.question, question_of(parameters));
  asked.question.hides_text = [state = call.service.state](std::string_view name, const auto& document) {
    return hides_text(state.get(), name, document);
  };
  if (is_across(call)) {
    AKIN_TRY(asked.collections, named_collections(call, parameters));
  } else {
    AKIN_TRY(auto collection, open_collection(call));
    asked.collections.push_back(std::move(collection));
  }
  return asked;
}

Result<Json> search(const Call& call, const AskedSearch& asked) {
  return is_across(call) ? search_across(asked.collections, asked.question)
                         : search_in(*asked.collections.front(), asked.question);
}

/// Reads {"text"} or {"id"} into the question; in several collections, "collection" is required with the id.
/// The text is a view of the fields.
Result<void> read_subject(const Call& call, const Fields& fields, Question& question) {
  AKIN_TRY(const auto text, fields.string("text"));
  AKIN_TRY(const auto id, fields.string("id"));
  if (text.has_value() == id.has_value()) {
    return Error{Errc::invalid_argument, "JSON body",
                 text ? "has both 'text' and 'id'" : "has neither 'text' nor 'id'", "give one of the two"};
  }
  question.text = text;
  question.id = id.value_or("");
  if (!is_across(call)) return {};
  AKIN_TRY(const auto collection, fields.string("collection"));
  if (collection.has_value() != id.has_value()) {
    return Error{Errc::invalid_argument, "field 'collection'",
                 id ? "is missing" : "given together with 'text'",
                 id ? "name the collection of the document" : "leave it out"};
  }
  question.collection = collection.value_or("");
  return {};
}

Result<Response> answer_json(const Call& call) {
  AKIN_TRY(const JsonBody body, is_across(call) ? json_with_parameters(call, {"text", "id", "collection"})
                                                : json_with_parameters(call, {"text", "id"}));
  AKIN_TRY(AskedSearch asked, read_asked(call, body.parameters));
  AKIN_CHECK(read_subject(call, body.fields, asked.question));
  AKIN_TRY(const Json object, search(call, asked));
  return answer_of(object);
}

Result<Response> answer_body(const Call& call) {
  const Request& request = call.request;
  AKIN_TRY(BodyType type, body_type(request));
  if (type.kind == BodyKind::json) return answer_json(call);
  const auto file_name = call.parameters.text("file_name");
  AKIN_TRY(type, in_encoding(std::move(type), call.parameters.text("encoding")));
  AKIN_TRY(AskedSearch asked, read_asked(call, call.parameters));
  std::optional<extract::Document> file;
  if (type.kind == BodyKind::file || file_name) {
    AKIN_TRY(file, body_document(call.service, request, type, extract::Sampling::off,
                                 std::string(file_name.value_or(""))));
  }
  asked.question.text = file ? file->text : request.body;
  asked.question.file_sha256 = sha256(request.body);
  AKIN_TRY(Json object, search(call, asked));
  if (file) add_file(object, "results", *file);
  return answer_of(object);
}

}  // namespace

Result<Response> get_passages(const Call& call) {
  AKIN_TRY(AskedSearch asked, read_asked(call, call.parameters));
  asked.question.id = call.captures[1];
  AKIN_TRY(const Json object, search(call, asked));
  return answer_of(object);
}

Result<Response> find_similar(const Call& call) { return without_form(call, answer_body); }

Result<Response> find_similar_across(const Call& call) { return without_form(call, answer_body); }

}  // namespace akin::api
