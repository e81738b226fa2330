#include "server/api/embedded.h"
#include "server/api/handlers.h"
#include "server/api/parameters.h"

namespace akin::api {

Result<Response> get_errors_page(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  return Response{200, {{"Content-Type", "text/markdown; charset=utf-8"}}, std::string(errors_page())};
}

Result<Response> get_openapi(const Call& call) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  return Response{200, {{"Content-Type", std::string(kJsonType)}}, std::string(openapi_description())};
}

}  // namespace akin::api
