#include <string>
#include <utility>

#include "server/api/body.h"
#include "server/api/handlers.h"
#include "server/api/parameters.h"

namespace akin::api {

namespace {

Result<bool> wants_alignment(const Parameters& parameters) {
  const std::string_view evidence = parameters.text("evidence").value_or("features");
  if (evidence == "features") return false;
  if (evidence == "aligned") return true;
  return Error{Errc::invalid_argument, "query parameter 'evidence'", in_quotes(evidence) + " is not known",
               "give 'features' or 'aligned'"};
}

}  // namespace

Result<Response> post_compare(const Call& call) {
  AKIN_TRY(const Parameters parameters, Parameters::read(call.query, {"evidence"}));
  AKIN_TRY(const bool aligned, wants_alignment(parameters));
  AKIN_TRY(const Fields fields, json_body(call.request, {"a", "b", "scheme"}));
  AKIN_TRY(const std::string_view a_text, fields.required_string("a"));
  AKIN_TRY(const std::string_view b_text, fields.required_string("b"));
  AKIN_TRY(const auto spec, fields.string("scheme"));
  AKIN_TRY(const auto scheme, make_scheme(spec.value_or(kComparisonScheme)));
  AKIN_TRY(const auto dictionary, call.service.dictionaries->configured());
  AKIN_TRY(const FeatureSequence a, extract_features(a_text, *dictionary, scheme->verifying_scheme()));
  AKIN_TRY(const FeatureSequence b, extract_features(b_text, *dictionary, scheme->verifying_scheme()));
  Json object = compare_object(a, b, scheme->verifying_scheme());
  if (aligned) {
    AKIN_TRY(const AlignedText found, align_texts(a_text, b_text, dictionary, ChangeDetail::listed));
    add_alignment(object, found);
  }
  return json_response(200, object);
}

}  // namespace akin::api
