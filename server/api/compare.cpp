#include <string>
#include <utility>

#include "server/api/body.h"
#include "server/api/handlers.h"
#include "server/api/parameters.h"

namespace akin::api {

Result<Response> post_compare(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_TRY(const Fields fields, json_body(call.request, {"a", "b", "scheme"}));
  AKIN_TRY(const std::string_view a_text, fields.required_string("a"));
  AKIN_TRY(const std::string_view b_text, fields.required_string("b"));
  AKIN_TRY(const auto spec, fields.string("scheme"));
  AKIN_TRY(const auto scheme, make_scheme(spec.value_or(kDefaultScheme)));
  AKIN_TRY(const auto dictionary, call.service.dictionaries->configured());
  AKIN_TRY(const FeatureSequence a, extract_features(a_text, *dictionary, scheme->verifying_scheme()));
  AKIN_TRY(const FeatureSequence b, extract_features(b_text, *dictionary, scheme->verifying_scheme()));
  return json_response(200, compare_object(a, b, scheme->verifying_scheme()));
}

}  // namespace akin::api
