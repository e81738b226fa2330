#include "server/api/write/key_objects.h"

#include "base/time.h"

namespace akin::api {

json::Json key_object(const access::KeyInfo& key) {
  json::Json object;
  object["id"] = key.id;
  object["label"] = key.spec.label;
  object["scopes"] = json::Json::array();
  for (const access::Scope scope : key.spec.scopes) object["scopes"].push_back(access::scope_name(scope));
  object["collections"] = key.spec.collections;
  object["created"] = format_time(key.created);
  object["expires"] = json::time_or_null(key.spec.expires);
  object["revoked"] = json::time_or_null(key.revoked);
  object["rate"] = key.spec.rate;
  object["concurrent"] = key.spec.concurrent;
  if (!key.spec.person.empty()) object["person"] = key.spec.person;
  return object;
}

json::Json person_object(const access::Person& person) {
  json::Json roles = json::Json::array();
  for (const access::Role role : person.spec.roles) roles.push_back(access::role_name(role));
  return {{"id", person.id},
          {"name", person.spec.name},
          {"roles", std::move(roles)},
          {"collections", person.spec.collections},
          {"disabled", person.spec.disabled},
          {"created", format_time(person.created)}};
}

json::Json new_key_object(const access::NewKey& key) {
  json::Json object = key_object(key.info);
  object["key"] = key.token;
  return object;
}

}  // namespace akin::api
