// Access keys as JSON.
#pragma once

#include "server/access/keys.h"
#include "server/json/json.h"

namespace akin::api {

/// {"id","label","scopes","collections","created","expires","revoked","rate","concurrent"}; without the
/// secret.
[[nodiscard]] json::Json key_object(const access::KeyInfo& key);

/// The same with "key", the whole key.
[[nodiscard]] json::Json new_key_object(const access::NewKey& key);

}  // namespace akin::api
