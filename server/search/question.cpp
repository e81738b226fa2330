#include "server/search/question.h"

#include <limits>

#include "server/filter/filter.h"

namespace akin::api {

Result<Evidence> evidence_of(const Parameters& parameters) {
  constexpr std::string_view kInclude = "include";
  const bool features = parameters.lists(kInclude, "features");
  const bool aligned = parameters.lists(kInclude, "aligned");
  if (features && aligned) {
    return Error{Errc::invalid_argument, parameters.what(kInclude), "names both 'features' and 'aligned'",
                 "name one of the two"};
  }
  if (features) return Evidence::features;
  if (aligned) return Evidence::aligned;
  const bool passages = parameters.lists(kInclude, "passages") || parameters.lists(kInclude, "passage_text");
  return passages ? Evidence::automatic : Evidence::none;
}

Result<Question> question_of(const Parameters& parameters) {
  Question question;
  question.bound = parameters.integer("bound");
  question.min_containment = parameters.share("min_containment");
  question.common_limit = parameters.integer("common_limit");
  question.min_words = parameters.integer("min_words");
  question.limit = *parameters.integer("limit");
  AKIN_TRY(question.offset, parameters.place_of_cursor(std::numeric_limits<std::uint32_t>::max()));
  question.best_only = parameters.text("sort") == "containment";
  AKIN_TRY(question.evidence, evidence_of(parameters));
  question.record = parameters.lists("include", "record");
  question.passage_text = parameters.lists("include", "passage_text");
  question.ids_only =
      question.evidence == Evidence::none && !question.record && !parameters.lists("include", "measures");
  if (const auto wanted = parameters.text("tiers")) {
    AKIN_TRY(question.tiers, parse_tiers(*wanted));
  }
  if (const auto wanted = parameters.text("filter")) {
    AKIN_TRY(const filter::Filter read, filter::Filter::parse(*wanted));
    question.accept = [read](const DocumentRecord& one) -> Result<bool> { return read.accepts(one); };
  }
  return question;
}

}  // namespace akin::api
