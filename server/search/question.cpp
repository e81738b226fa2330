#include "server/search/question.h"

#include <algorithm>
#include <array>
#include <limits>

#include "server/filter/filter.h"

namespace akin::api {

namespace {

constexpr std::array<std::string_view, 4> kEvidence = {"true", "false", "features", "aligned"};
constexpr std::array<std::string_view, 3> kVerbosity = {"ids", "normal", "full"};

}  // namespace

Evidence evidence_of(std::string_view word) noexcept {
  return static_cast<Evidence>(std::ranges::find(kEvidence, word) - kEvidence.begin());
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
  question.verbosity = static_cast<Verbosity>(std::ranges::find(kVerbosity, *parameters.text("verbosity")) -
                                              kVerbosity.begin());
  question.evidence = evidence_of(*parameters.text("evidence"));
  if (question.verbosity == Verbosity::ids) question.evidence = Evidence::none;
  question.passage_text = parameters.flag("passage_text");
  if (question.passage_text && question.evidence == Evidence::none) {
    return Error{Errc::invalid_argument, parameters.what("passage_text"),
                 "there are no passages in this answer", "ask for evidence, or leave it out"};
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

}  // namespace akin::api
