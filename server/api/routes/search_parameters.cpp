// The parameters and the subject of a search (search.h).
#include <utility>

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

/// Whether `sort` asks for the best results only.
Result<bool> best_only(const Parameters& parameters) {
  const auto sort = parameters.text("sort");
  if (!sort || *sort == "x") return false;
  if (*sort == "containment") return true;
  return Error{Errc::invalid_argument, "query parameter 'sort'", in_quotes(*sort) + " is not an order",
               "give 'x' or 'containment'"};
}

Result<Verbosity> verbosity_of(const Parameters& parameters) {
  const std::string_view name = parameters.text("verbosity").value_or("normal");
  if (name == "ids") return Verbosity::ids;
  if (name == "normal") return Verbosity::normal;
  if (name == "full") return Verbosity::full;
  return Error{Errc::invalid_argument, "query parameter 'verbosity'", in_quotes(name) + " is not known",
               "give 'ids', 'normal' or 'full'"};
}

}  // namespace

Result<Parameters> search_parameters(std::span<const Parameter> query, bool several) {
  if (several) {
    return Parameters::read(
        query, {"bound", "min_containment", "limit", "offset", "evidence", "sort", "filter", "verbosity",
                "passage_text", "tiers", "common_limit", "min_words", "collections"});
  }
  return Parameters::read(query, {"bound", "min_containment", "limit", "offset", "evidence", "sort", "filter",
                                  "verbosity", "passage_text", "tiers", "common_limit", "min_words"});
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
    return Error{Errc::invalid_argument, "query parameter 'passage_text'",
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
