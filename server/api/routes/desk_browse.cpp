// The pages of the desk that show documents, and what two texts share.
#include "server/desk/browse.h"

#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "server/api/desk_request.h"
#include "server/api/handlers.h"
#include "server/api/read/form.h"

namespace akin::api {

namespace {

constexpr const char* kDocumentsOnPage = "50";
/// Code points of a document's text that its page shows.
constexpr std::size_t kShownText = 200'000;

/// The test of a filter for titles that begin so.
std::string filter_of(std::string_view title) {
  const auto literal = [](const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') quoted += '\\';
      quoted += c;
    }
    return quoted + "\"";
  };
  constexpr std::string_view kLast = "\U0010FFFF";
  return "title >= " + literal(std::string(title)) + " AND title < " +
         literal(std::string(title) + std::string(kLast));
}

/// Not by way of JSON: it may be long.
Result<std::string> text_of(const Call& call, const std::string& collection, const std::string& id) {
  AKIN_TRY(const auto stored, open_collection(call, collection));
  AKIN_TRY(const auto snapshot, stored->snapshot());
  AKIN_TRY(const auto record, snapshot->find(id));
  if (!record) return no_document(*stored, id);
  AKIN_CHECK(require_shown(call, collection, *record));
  return snapshot->text(*record);
}

Result<Json> compared(const Call& call, const desk::ComparedTexts& texts) {
  return answer_of(call, compare_texts, {.body = {{"a", texts.a}, {"b", texts.b}}});
}

}  // namespace

Result<Response> get_desk_collection(const Call& call) {
  const std::string& collection = call.captures.front();
  const desk::Reader reader = reader_of(call, "/desk/collections/" + collection);
  return desk_answer(reader, [&]() -> Result<Response> {
    static constexpr DeclaredParameter kKnown[] = {{"cursor"}, {"title"}, {"lang"}};
    AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kKnown));
    desk::DocumentList list{.collection = collection, .documents = {}};
    list.title = parameters.text("title").value_or("");
    std::vector<Parameter> query = {{"limit", kDocumentsOnPage}, {"total", "true"}};
    if (const auto cursor = parameters.text("cursor")) query.push_back({"cursor", std::string(*cursor)});
    if (!list.title.empty()) query.push_back({"filter", filter_of(list.title)});
    AKIN_TRY(const Json page, answer_of(call, list_documents, {.captures = {collection}, .query = query}));
    list.documents = page.at("documents");
    list.total = page.at("total").get<std::uint64_t>();
    if (page.at("next").is_string()) list.next = page.at("next").get<std::string>();
    return page_response(200, reader, desk::documents_page(reader, list));
  });
}

Result<Response> get_desk_document(const Call& call) {
  const std::string& collection = call.captures[0];
  const std::string& id = call.captures[1];
  const desk::Reader reader = reader_of(call, "");
  return desk_answer(reader, [&]() -> Result<Response> {
    static constexpr DeclaredParameter kKnown[] = {{"similar", ParameterKind::flag}, {"lang"}};
    AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kKnown));
    AKIN_TRY(const auto stored, open_collection(call, collection));
    desk::DocumentView view{.collection = collection, .document = {}};
    view.may_write = may(call, access::Scope::write);
    AKIN_TRY(view.document,
             answer_of(call, get_document, {.captures = call.captures, .query = {{"include", "record"}}}));
    if (stored->keeps_texts()) {
      const Result<std::string> text = text_of(call, collection, id);
      view.is_restricted = text.has_error() && text.error().code == Errc::forbidden;
      if (text.has_error() && !view.is_restricted) return text.error();
      if (text.has_value()) view.text = slice_code_points(*text, 0, kShownText);
      view.is_whole = text.has_error() || view.text.size() == text->size();
    }
    if (parameters.flag("similar")) {
      AKIN_TRY(view.similar, answer_of(call, find_similar, {.captures = {collection}, .body = {{"id", id}}}));
    }
    return page_response(200, reader, desk::document_page(reader, view));
  });
}

Result<Response> get_desk_compare(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/compare");
  return desk_answer(reader, [&]() -> Result<Response> {
    static constexpr DeclaredParameter kKnown[] = {{"collection"}, {"a"}, {"b"}, {"lang"}};
    AKIN_TRY(const Parameters parameters, Parameters::read(call.parameters.given(), kKnown));
    desk::ComparedTexts texts;
    const std::string collection(parameters.text("collection").value_or(""));
    if (!collection.empty()) {
      for (const auto& [name, text, shown] :
           {std::tuple("a", &texts.a, &texts.a_name), std::tuple("b", &texts.b, &texts.b_name)}) {
        const std::string id(parameters.text(name).value_or(""));
        AKIN_TRY(*text, text_of(call, collection, id));
        *shown = collection;
        *shown += "/" + id;
      }
      AKIN_TRY(texts.found, compared(call, texts));
    }
    return page_response(200, reader, desk::compare_page(reader, texts));
  });
}

Result<Response> post_desk_compare(const Call& call) {
  const desk::Reader reader = reader_of(call, "/desk/compare");
  return desk_answer(reader, [&]() -> Result<Response> {
    AKIN_TRY(const auto fields, fields_of(call));
    desk::ComparedTexts texts{
        .a = value_of(fields, "a"), .b = value_of(fields, "b"), .a_name = {}, .b_name = {}};
    AKIN_TRY(texts.found, compared(call, texts));
    return page_response(200, reader, desk::compare_page(reader, texts));
  });
}

}  // namespace akin::api
