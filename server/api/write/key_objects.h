// Access keys and persons as JSON.
#pragma once

#include "server/access/keys.h"
#include "server/access/persons.h"
#include "server/json/json.h"

namespace akin::api {

/// {"id","label","scopes","collections","created","expires","revoked","rate","concurrent"}; without the
/// secret; of a person's with "person".
[[nodiscard]] json::Json key_object(const access::KeyInfo& key);

/// The same with "key", the whole key.
[[nodiscard]] json::Json new_key_object(const access::NewKey& key);

/// {"id","name","roles","collections","disabled","created"}
[[nodiscard]] json::Json person_object(const access::Person& person);

}  // namespace akin::api
