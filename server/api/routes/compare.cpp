#include <string>
#include <utility>

#include "base/held_memory.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/search/comparison.h"

namespace akin::api {

Result<Response> compare_texts(const Call& call) {
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {"a", "b"}));
  const Fields& fields = body.fields;
  AKIN_TRY(const Evidence evidence, evidence_of(body.parameters));
  AKIN_TRY(const std::string_view a_text, fields.required_string("a"));
  AKIN_TRY(const std::string_view b_text, fields.required_string("b"));
  AKIN_TRY(const auto collection, collection_in(call, body.parameters));
  const std::string as_stored = collection ? collection->scheme().name() : std::string(kDefaultScheme);
  AKIN_TRY(const auto scheme, make_scheme(body.parameters.text("scheme").value_or(as_stored)));
  AKIN_TRY(const auto dictionary, dictionary_of(call, collection.get()));
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * (a_text.size() + b_text.size())));
  AKIN_TRY(const Comparison found, compare_texts(a_text, b_text, *scheme, dictionary, evidence));
  return json_response(200, comparison_object(found, *scheme));
}

}  // namespace akin::api
