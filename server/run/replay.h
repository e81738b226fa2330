// Replays a certificate: is it genuine, are its numbers those of now, and what has changed since?
#pragma once

#include <memory>

#include "index/collection/catalog.h"
#include "server/json/json.h"
#include "server/state/state.h"

namespace akin::api {

using json::Json;

/// {"check", "key", "issued", "same", "changes": [{"what", "then", "now"}], "outcome"}. `what` is "check"
/// (its record was changed, or deleted: then there is no outcome), "text", "file", "index COLLECTION",
/// "dictionaries", "version", a number of the outcome, "sources", "decision" or "audit log". `same`: the
/// numbers computed now are those certified. Errors: as check::CertificateKeys::verify, run_check.
[[nodiscard]] Result<Json> replay(Catalog& catalog, const std::shared_ptr<state::State>& state,
                                  const Json& certificate);

}  // namespace akin::api
