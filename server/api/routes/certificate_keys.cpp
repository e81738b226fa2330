#include <vector>

#include "base/time.h"
#include "server/api/handlers.h"
#include "server/check/certificate.h"

namespace akin::api {

Result<Response> list_certificate_keys(const Call& call) {
  AKIN_CHECK(checks_of(call.service));
  AKIN_TRY(auto keys, check::CertificateKeys(call.service.state).list());
  return json_response(200, {{"keys", Json(std::move(keys))}});
}

Result<Response> rotate_certificate_key(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "certificate keys"));
  AKIN_CHECK(checks_of(call.service));
  AKIN_TRY(const Json key,
           check::CertificateKeys(call.service.state).rotate(actor_of(call.request), time_now()));
  return json_response(201, key);
}

}  // namespace akin::api
