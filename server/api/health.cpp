#include "server/api/handlers.h"
#include "server/api/parameters.h"

namespace akin::api {

Result<Response> get_livez(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  return json_response(200, {{"status", "alive"}});
}

Result<Response> get_readyz(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  auto names = call.service.catalog->list();
  if (names.has_error()) return error_response(names.error(), 503);
  return json_response(200, {{"status", "ready"}, {"collections", names->size()}});
}

Result<Response> get_version(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  return json_response(200, {{"name", "akin"},
                             {"version", AKIN_VERSION},
                             {"api", "v1"},
                             {"default_scheme", kDefaultScheme},
                             {"fingerprint", call.service.dictionary->fingerprint()}});
}

}  // namespace akin::api
