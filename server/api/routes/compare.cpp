#include <string>
#include <utility>

#include "base/held_memory.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/parameters.h"
#include "server/search/comparison.h"

namespace akin::api {

namespace {

Result<Evidence> compared_evidence(const Parameters& parameters) {
  const auto evidence = parameters.text("evidence");
  if (!evidence) return Evidence::automatic;
  if (*evidence == "features" || *evidence == "aligned") return parse_evidence(*evidence);
  return Error{Errc::invalid_argument, "query parameter 'evidence'", in_quotes(*evidence) + " is not known",
               "give 'features' or 'aligned'"};
}

}  // namespace

Result<Response> post_compare(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"evidence"}));
  AKIN_TRY(const Evidence evidence, compared_evidence(parameters));
  AKIN_TRY(const Fields fields, json_body(call.request, {"a", "b", "scheme"}));
  AKIN_TRY(const std::string_view a_text, fields.required_string("a"));
  AKIN_TRY(const std::string_view b_text, fields.required_string("b"));
  AKIN_TRY(const auto spec, fields.string("scheme"));
  AKIN_TRY(const auto scheme, make_scheme(spec.value_or(kDefaultScheme)));
  AKIN_TRY(const auto dictionary, call.service.dictionaries->configured());
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * (a_text.size() + b_text.size())));
  AKIN_TRY(const Comparison found, compare_texts(a_text, b_text, *scheme, dictionary, evidence));
  return json_response(200, comparison_object(found, *scheme));
}

}  // namespace akin::api
