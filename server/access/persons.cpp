#include "server/access/persons.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "server/audit/audit_log.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::access {

namespace {

using json::Json;

constexpr auto kPersons = state::Table::persons;
constexpr std::size_t kMaxName = 200, kMaxId = 64;

struct NamedRole {
  Role role;
  std::string_view name;
  Scope scope;
};
constexpr std::array<NamedRole, 4> kRoles = {{{Role::author, "author", Scope::check},
                                              {Role::reader, "reader", Scope::review},
                                              {Role::decider, "decider", Scope::decide},
                                              {Role::administrator, "administrator", Scope::admin}}};

std::string person_named(std::string_view id) { return "person " + json::in_quotes(id); }

Error wrong(std::string_view id, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, person_named(id), std::move(reason), std::move(remedy)};
}

bool is_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxId && std::ranges::all_of(id, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' || c == '-' || c == '@';
  });
}

Error no_person(std::string_view id) {
  return Error{Errc::not_found, person_named(id), "does not exist", "akin person list prints the persons"};
}

std::string write_person(const Person& person) {
  Json roles = Json::array();
  for (const Role role : person.spec.roles) roles.push_back(role_name(role));
  return Json{{"name", person.spec.name},
              {"roles", std::move(roles)},
              {"collections", person.spec.collections},
              {"disabled", person.spec.disabled},
              {"created", format_time(person.created)}}
      .dump();
}

Result<Person> read_person(std::string_view id, std::string_view text) {
  try {
    const Json object = Json::parse(text);
    Person person{.id = std::string(id), .spec = {}, .created = {}};
    person.spec.name = object.at("name").get<std::string>();
    for (const Json& name : object.at("roles")) {
      AKIN_TRY(const Role role, parse_role(name.get_ref<const std::string&>()));
      person.spec.roles.push_back(role);
    }
    person.spec.collections = object.at("collections").get<std::vector<std::string>>();
    person.spec.disabled = object.at("disabled").get<bool>();
    person.created = json::read_time(object.at("created")).value_or(Time());
    return person;
  } catch (const Json::exception&) {
    return Error{Errc::corrupt, person_named(id), "the stored record cannot be read",
                 "remove the person and make it again"};
  }
}

/// Erases the secrets of a person, except the key `kept`.
Result<void> erase_secrets(Keys& keys, std::string_view person, std::string_view kept,
                           const state::Actor& by) {
  AKIN_TRY(const auto all, keys.list());
  for (const KeyInfo& key : all) {
    if (key.spec.person == person && key.id != kept) AKIN_CHECK(keys.erase(key.id, by));
  }
  return {};
}

}  // namespace

std::string_view role_name(Role role) noexcept {
  return std::ranges::find(kRoles, role, &NamedRole::role)->name;
}

Result<Role> parse_role(std::string_view name) {
  const auto* found = std::ranges::find(kRoles, name, &NamedRole::name);
  if (found != kRoles.end()) return found->role;
  return Error{Errc::invalid_argument, "role " + json::in_quotes(name), "is not known",
               "give one of author, reader, decider, administrator"};
}

Result<bool> Persons::put(std::string_view id, const PersonSpec& spec, const state::Actor& by) {
  if (!is_id(id))
    return wrong(id, "the id is not 1 to 64 of a-z 0-9 . _ - @", "choose another, for instance anna.berg");
  if (spec.name.empty() || spec.name.size() > kMaxName)
    return wrong(id, "the name does not have 1 to " + std::to_string(kMaxName) + " bytes", "give a name");
  if (spec.roles.empty())
    return wrong(id, "has no role", "give at least one of author, reader, decider, administrator");
  bool made = false;
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto before, writer.get(kPersons, id));
    made = !before;
    Person person{.id = std::string(id), .spec = spec, .created = time_now()};
    if (before) {
      AKIN_TRY(const Person former, read_person(id, *before));
      person.created = former.created;
    }
    AKIN_CHECK(writer.put(kPersons, id, write_person(person)));
    return audit::append(writer, {by, made ? "person.created" : "person.changed", std::string(id),
                                  Json::parse(write_person(person))});
  });
  if (written.has_error()) return written.error();
  return made;
}

Result<Person> Persons::find(std::string_view id) const {
  if (!is_id(id)) return no_person(id);
  AKIN_TRY(const auto text, state_->get(kPersons, id));
  if (!text) return no_person(id);
  return read_person(id, *text);
}

Result<std::vector<Person>> Persons::list() const {
  AKIN_TRY(const auto entries, state_->list(kPersons, "", "", std::numeric_limits<std::size_t>::max()));
  std::vector<Person> persons;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(Person person, read_person(entry.key, entry.value));
    persons.push_back(std::move(person));
  }
  return persons;
}

Result<void> Persons::erase(std::string_view id, Keys& keys, const state::Actor& by) {
  AKIN_CHECK(find(id));
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_CHECK(writer.erase(kPersons, id));
    return audit::append(writer, {by, "person.deleted", std::string(id)});
  });
  AKIN_CHECK(written);
  return erase_secrets(keys, id, "", by);
}

Result<NewKey> Persons::renew_secret(std::string_view id, Keys& keys, const state::Actor& by) {
  AKIN_TRY(const Person person, find(id));
  KeySpec spec;
  spec.label = person.spec.name;
  spec.person = person.id;
  AKIN_TRY(NewKey key, keys.create(spec, by));
  AKIN_CHECK(erase_secrets(keys, id, key.info.id, by));
  return key;
}

Result<void> Persons::empower(const state::State& state, KeyInfo& key) {
  const std::string& id = key.spec.person;
  if (id.empty()) return {};
  AKIN_TRY(const auto text, state.get(kPersons, id));
  const auto refused = [&](std::string reason) {
    return Error{Errc::unauthenticated, person_named(id), std::move(reason), "ask an administrator"};
  };
  if (!text) return refused("has been removed");
  AKIN_TRY(const Person person, read_person(id, *text));
  if (person.spec.disabled) return refused("has been disabled");
  key.spec.label = person.spec.name;
  key.spec.collections = person.spec.collections;
  key.spec.scopes.clear();
  for (const Role role : person.spec.roles)
    key.spec.scopes.push_back(std::ranges::find(kRoles, role, &NamedRole::role)->scope);
  return {};
}

}  // namespace akin::access
