// The parameters and the subject of a search (search.h).
#include <algorithm>
#include <array>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/api/read/form.h"
#include "server/api/routes/search.h"
#include "server/filter/filter.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

// A text has fewer than 2^32 features, and a collection fewer than 2^32 documents.
constexpr std::uint64_t kMax32 = 0xffffffffU;
constexpr IntegerRange kBound{.absent = 0, .min = 0, .max = kMax32};
constexpr IntegerRange kLimit{.absent = 10, .min = 0, .max = 1000};
constexpr IntegerRange kMinWords{
    .absent = kPassageWords, .min = kLeastPassageWords, .max = kMostPassageWords};
constexpr IntegerRange kCommonLimit{.absent = 0, .min = 1, .max = kMax32};
constexpr IntegerRange kOffset{.absent = 0, .min = 0, .max = kMax32};

enum class FieldType { number, flag, string, evidence, names };

struct SearchField {
  std::string_view name;
  FieldType type;  ///< in a JSON body
};

/// "collections", the last one, is only for a search in several.
constexpr std::array kSearchFields = {
    SearchField{"bound", FieldType::number},        SearchField{"min_containment", FieldType::number},
    SearchField{"limit", FieldType::number},        SearchField{"offset", FieldType::number},
    SearchField{"evidence", FieldType::evidence},   SearchField{"sort", FieldType::string},
    SearchField{"filter", FieldType::string},       SearchField{"verbosity", FieldType::string},
    SearchField{"passage_text", FieldType::flag},   SearchField{"tiers", FieldType::string},
    SearchField{"common_limit", FieldType::number}, SearchField{"min_words", FieldType::number},
    SearchField{"collections", FieldType::names}};

std::span<const SearchField> search_fields(bool several) noexcept {
  return std::span(kSearchFields).first(kSearchFields.size() - (several ? 0 : 1));
}

bool has_type(const Json& value, FieldType type) {
  switch (type) {
    case FieldType::number:
      return value.is_number();
    case FieldType::flag:
      return value.is_boolean();
    case FieldType::string:
      return value.is_string();
    case FieldType::evidence:
      return value.is_boolean() || value.is_string();
    case FieldType::names:
      return value.is_array() && std::ranges::all_of(value, [](const Json& one) { return one.is_string(); });
  }
  std::abort();
}

std::string_view words_for(FieldType type) {
  switch (type) {
    case FieldType::number:
      return "a number";
    case FieldType::flag:
      return "true or false";
    case FieldType::string:
      return "a string";
    case FieldType::evidence:
      return "true, false or a string";
    case FieldType::names:
      return "an array of strings";
  }
  std::abort();
}

/// The value of a field as it would be in the query.
Result<std::string> parameter_text(const SearchField& field, const Json& value) {
  if (!has_type(value, field.type)) {
    const std::string expected(words_for(field.type));
    return Error{Errc::invalid_argument, "field " + in_quotes(field.name), "is not " + expected,
                 "give " + expected};
  }
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string names;
  for (const Json& name : value) names += (names.empty() ? "" : ",") + name.get_ref<const std::string&>();
  return names;
}

/// Whether `sort` asks for the best results only.
Result<bool> best_only(const Parameters& parameters) {
  const auto sort = parameters.text("sort");
  if (!sort || *sort == "x") return false;
  if (*sort == "containment") return true;
  return Error{Errc::invalid_argument, parameters.what("sort"), in_quotes(*sort) + " is not an order",
               "give 'x' or 'containment'"};
}

Result<Verbosity> verbosity_of(const Parameters& parameters) {
  const std::string_view name = parameters.text("verbosity").value_or("normal");
  if (name == "ids") return Verbosity::ids;
  if (name == "normal") return Verbosity::normal;
  if (name == "full") return Verbosity::full;
  return Error{Errc::invalid_argument, parameters.what("verbosity"), in_quotes(name) + " is not known",
               "give 'ids', 'normal' or 'full'"};
}

}  // namespace

Result<Parameters> search_parameters(std::span<const Parameter> query, bool several) {
  std::vector<std::string_view> known;
  for (const SearchField& field : search_fields(several)) known.push_back(field.name);
  return Parameters::read(query, known);
}

Result<Fields> search_body(Json body, bool several, std::vector<Parameter>& parameters) {
  std::vector<std::string_view> known = {"text", "id"};
  if (several) known.emplace_back("collection");
  for (const SearchField& field : search_fields(several)) known.push_back(field.name);
  AKIN_TRY(Fields fields, Fields::read(std::move(body), known));
  for (const SearchField& field : search_fields(several)) {
    const Json* given = fields.value(field.name);
    if (given == nullptr) continue;
    AKIN_TRY(std::string value, parameter_text(field, *given));
    AKIN_CHECK(add_parameter(parameters, {std::string(field.name), std::move(value), "field"}));
  }
  return fields;
}

Result<Question> search_question(const Parameters& parameters) {
  Question question;
  AKIN_TRY(question.best_only, best_only(parameters));
  if (parameters.text("bound")) {
    AKIN_TRY(question.bound, parameters.integer("bound", kBound));
  }
  if (parameters.text("min_containment")) {
    AKIN_TRY(question.min_containment, parameters.share("min_containment"));
  }
  AKIN_TRY(question.limit, parameters.integer("limit", kLimit));
  AKIN_TRY(question.offset, parameters.integer("offset", kOffset));
  AKIN_TRY(question.verbosity, verbosity_of(parameters));
  AKIN_TRY(question.evidence, parse_evidence(parameters.text("evidence").value_or("true")));
  if (question.verbosity == Verbosity::ids) question.evidence = Evidence::none;
  AKIN_TRY(question.passage_text, parameters.flag("passage_text", false));
  if (question.passage_text && question.evidence == Evidence::none) {
    return Error{Errc::invalid_argument, parameters.what("passage_text"),
                 "there are no passages in this answer", "ask for evidence, or leave it out"};
  }
  if (parameters.text("common_limit")) {
    AKIN_TRY(question.common_limit, parameters.integer("common_limit", kCommonLimit));
  }
  if (parameters.text("min_words")) {
    AKIN_TRY(question.min_words, parameters.integer("min_words", kMinWords));
  }
  if (const auto wanted = parameters.text("tiers")) {
    AKIN_TRY(question.tiers, parse_tiers(*wanted));
  }
  if (const auto wanted = parameters.text("filter")) {
    AKIN_TRY(const filter::Filter read, filter::Filter::parse(*wanted));
    question.accept = [read](const DocumentRecord& one) -> Result<bool> { return read.accepts(one); };
  }
  return question;
}

Result<void> read_subject(const Fields& fields, bool several, Question& question) {
  AKIN_TRY(const auto text, fields.string("text"));
  AKIN_TRY(const auto id, fields.string("id"));
  if (text.has_value() == id.has_value()) {
    return Error{Errc::invalid_argument, "JSON body",
                 text ? "has both 'text' and 'id'" : "has neither 'text' nor 'id'", "give one of the two"};
  }
  question.text = text;
  question.id = id.value_or("");
  if (!several) return {};
  AKIN_TRY(const auto collection, fields.string("collection"));
  if (collection.has_value() != id.has_value()) {
    return Error{Errc::invalid_argument, "field 'collection'",
                 id ? "is missing" : "given together with 'text'",
                 id ? "name the collection of the document" : "leave it out"};
  }
  question.collection = collection.value_or("");
  return {};
}

}  // namespace akin::api
