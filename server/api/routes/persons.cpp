#include "server/access/persons.h"

#include <string>
#include <utility>
#include <vector>

#include "index/collection/collection_name.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/page.h"
#include "server/api/write/key_objects.h"

namespace akin::api {

namespace {

/// A person for some collections could otherwise make one for all.
Result<access::Persons> persons_of(const Call& call) {
  AKIN_CHECK(require_all_collections(call.request, "persons"));
  if (call.service.access != nullptr) return access::Persons(call.service.state);
  return Error{Errc::not_found, "persons", "this server has none", "use a server that akin serve started"};
}

Result<access::PersonSpec> person_spec(const Request& request) {
  AKIN_TRY(const Fields fields, json_body(request, {"name", "roles", "collections", "disabled"}));
  access::PersonSpec spec;
  AKIN_TRY(spec.name, fields.required_string("name"));
  AKIN_TRY(const auto roles, fields.strings("roles"));
  for (const std::string& name : roles.value_or(std::vector<std::string>())) {
    AKIN_TRY(const access::Role role, access::parse_role(name));
    spec.roles.push_back(role);
  }
  AKIN_TRY(auto collections, fields.strings("collections"));
  spec.collections = std::move(collections).value_or(std::vector<std::string>());
  for (const std::string& name : spec.collections) {
    if (!is_collection_name(name))
      return Error{Errc::invalid_argument, "field 'collections'",
                   in_quotes(name) + " is not a collection's name", kCollectionNameRule};
  }
  AKIN_TRY(const auto disabled, fields.boolean("disabled"));
  spec.disabled = disabled.value_or(false);
  return spec;
}

}  // namespace

Result<Response> list_persons(const Call& call) {
  AKIN_TRY(const access::Persons persons, persons_of(call));
  AKIN_TRY(auto all, persons.list());
  Json object;
  object["total"] = all.size();
  Json next = take_page(all, call.parameters, [](const access::Person& person) { return person.id; });
  object["persons"] = Json::array();
  for (const access::Person& person : all) object["persons"].push_back(person_object(person));
  object["next"] = std::move(next);
  return json_response(200, object);
}

Result<Response> get_person(const Call& call) {
  AKIN_TRY(const access::Persons persons, persons_of(call));
  AKIN_TRY(const access::Person person, persons.find(call.captures.front()));
  return json_response(200, person_object(person));
}

Result<Response> put_person(const Call& call) {
  AKIN_TRY(access::Persons persons, persons_of(call));
  AKIN_TRY(const access::PersonSpec spec, person_spec(call.request));
  AKIN_TRY(const bool made, persons.put(call.captures.front(), spec, actor_of(call.request)));
  AKIN_TRY(const access::Person person, persons.find(call.captures.front()));
  return json_response(made ? 201 : 200, person_object(person));
}

Result<Response> delete_person(const Call& call) {
  AKIN_TRY(access::Persons persons, persons_of(call));
  const std::string& id = call.captures.front();
  AKIN_CHECK(persons.erase(id, call.service.access->keys(), actor_of(call.request)));
  return json_response(200, {{"id", id}, {"deleted", true}});
}

Result<Response> renew_secret(const Call& call) {
  AKIN_TRY(access::Persons persons, persons_of(call));
  const std::string& id = call.captures.front();
  AKIN_TRY(const access::NewKey key,
           persons.renew_secret(id, call.service.access->keys(), actor_of(call.request)));
  Response response = json_response(201, {{"id", id}, {"key", key.info.id}, {"secret", key.token}});
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

}  // namespace akin::api
