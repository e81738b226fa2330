#include "base/held_memory.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/write/objects.h"

namespace akin::api {

Result<Response> compute_features(const Call& call) {
  AKIN_TRY(const JsonBody body, json_with_parameters(call, {"text"}));
  AKIN_TRY(const std::string_view text, body.fields.required_string("text"));
  AKIN_TRY(const auto scheme, make_scheme(*body.parameters.text("scheme")));
  AKIN_TRY(const auto collection, collection_in(call, body.parameters));
  AKIN_TRY(const auto dictionary, dictionary_of(call, collection.get()));
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * text.size()));
  AKIN_TRY(const Json object, features_object(text, *dictionary, *scheme));
  return json_response(200, object);
}

}  // namespace akin::api
