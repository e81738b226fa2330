#include <string>
#include <utility>

#include "base/held_memory.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/search/comparison.h"

namespace akin::api {

Result<Response> compare_texts(const Call& call) {
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {"a", "b", "scheme"}));
  const Fields& fields = body.fields;
  AKIN_TRY(const Evidence evidence, evidence_of(body.parameters));
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
