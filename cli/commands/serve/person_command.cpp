#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/frame/table.h"
#include "index/collection/collection_name.h"
#include "server/access/persons.h"
#include "server/access/sessions.h"
#include "server/api/write/key_objects.h"
#include "server/audit/audit_log.h"
#include "server/run/erasure.h"

namespace akin::cli {

namespace {

constexpr const char* kPersonExamples =
    "  akin person add anna.berg --name 'Anna Berg' --role decider --collections theses\n"
    "  akin person secret anna.berg\n"
    "  akin person disable anna.berg\n"
    "  akin person list\n"
    "\n"
    "Roles: author (hands in texts and sees their checks), reader (sees all checks, and marks their\n"
    "findings), decider (also decides about them), administrator (everything). A person signs in at\n"
    "/desk/ with the secret, which is shown once; programs may send it as an access key.";

struct PersonOptions {
  std::string id, name;
  std::vector<std::string> roles, collections;
};

struct PersonState {
  explicit PersonState(const std::shared_ptr<state::State>& state) : keys(state), persons(state) {}
  access::Keys keys;
  access::Persons persons;
};

Result<std::unique_ptr<PersonState>> open_persons(const CommonOptions& options) {
  AKIN_TRY(const auto state, open_known_state(options));
  return std::make_unique<PersonState>(state);
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

Result<Exit> show_secret(PersonState& opened, const std::string& id, Session& session) {
  AKIN_TRY(const access::NewKey key, opened.persons.renew_secret(id, opened.keys, actor_of_command()));
  const json::Json object{{"id", id}, {"key", key.info.id}, {"secret", key.token}};
  session.out << (session.options.json ? object.dump() : key.token) << "\n";
  if (Result<void> shown = session.out.flush(); shown.has_error()) {
    Error error = std::move(shown).error();
    error.remedy = "the secret is in force, and was not shown: akin person secret " + id + " gives another";
    return error;
  }
  if (session.options.json) return Exit::ok;
  std::fprintf(stderr, "akin: the secret of %s: give it to the person now, it is not shown again\n",
               id.c_str());
  return Exit::ok;
}

Result<Exit> add_person(const PersonOptions& options, Session& session) {
  access::PersonSpec spec{.name = options.name.empty() ? options.id : options.name,
                          .roles = {},
                          .collections = options.collections};
  for (const std::string& name : options.roles) {
    AKIN_TRY(const access::Role role, access::parse_role(name));
    spec.roles.push_back(role);
  }
  for (const std::string& name : options.collections) {
    if (is_collection_name(name)) continue;
    return Error{Errc::invalid_argument, "--collections '" + name + "'", "not a collection's name",
                 kCollectionNameRule};
  }
  AKIN_TRY(const auto state, open_state(session.options));
  PersonState opened(state);
  AKIN_TRY(const bool made, opened.persons.put(options.id, spec, actor_of_command()));
  if (made) return show_secret(opened, options.id, session);
  AKIN_TRY(const access::Person person, opened.persons.find(options.id));
  session.out << (session.options.json ? api::person_object(person).dump() : "changed " + options.id) << "\n";
  return Exit::ok;
}

Result<Exit> list_persons(Session& session) {
  AKIN_TRY(const auto opened, open_persons(session.options));
  AKIN_TRY(const auto all, opened->persons.list());
  if (session.options.json) {
    json::Json list = json::Json::array();
    for (const access::Person& person : all) list.push_back(api::person_object(person));
    session.out << list.dump() << "\n";
    return Exit::ok;
  }
  if (all.empty()) {
    session.out << "no persons\n";
    return Exit::ok;
  }
  using Align = Table::Align;
  Table table({Align::left, Align::left, Align::left, Align::left, Align::left});
  table.add({"id", "name", "roles", "collections", "status"});
  for (const access::Person& person : all) {
    std::vector<std::string> roles;
    for (const access::Role role : person.spec.roles) roles.emplace_back(access::role_name(role));
    table.add({person.id, person.spec.name, listed(roles),
               person.spec.collections.empty() ? "all" : listed(person.spec.collections),
               person.spec.disabled ? "disabled" : "valid"});
  }
  session.out << table.text();
  return Exit::ok;
}

Result<Exit> renew_secret(const std::string& id, Session& session) {
  AKIN_TRY(const auto opened, open_persons(session.options));
  return show_secret(*opened, id, session);
}

Result<Exit> invite(const std::string& id, const std::string& server, Session& session) {
  AKIN_TRY(const auto state, open_known_state(session.options));
  AKIN_TRY(const auto keys, access::Keys(state).list());
  const auto secret = std::ranges::find_if(
      keys, [&](const access::KeyInfo& key) { return key.spec.person == id && !key.revoked; });
  if (secret == keys.end()) {
    return Error{Errc::not_found, "person '" + id + "'", "is not known, or has no secret",
                 "akin person add " + id + ", or akin person secret " + id};
  }
  AKIN_TRY(const std::string token, access::Sessions(state).invite(secret->id, time_now()));
  AKIN_CHECK(audit::record(*state, {.by = actor_of_command(), .action = "person.invited", .about = id}));
  const std::string url = server + "/desk/sign-in/" + token;
  session.out << (session.options.json ? json::Json{{"id", id}, {"url", url}}.dump() : url) << "\n";
  return Exit::ok;
}

Result<Exit> set_disabled(const std::string& id, bool disabled, Session& session) {
  AKIN_TRY(const auto opened, open_persons(session.options));
  AKIN_TRY(access::Person person, opened->persons.find(id));
  person.spec.disabled = disabled;
  AKIN_CHECK(opened->persons.put(id, person.spec, actor_of_command()));
  session.out << (session.options.json ? api::person_object(person).dump()
                                       : (disabled ? "disabled " : "enabled ") + id)
              << "\n";
  return Exit::ok;
}

Result<Exit> disable_person(const std::string& id, Session& session) {
  return set_disabled(id, true, session);
}
Result<Exit> enable_person(const std::string& id, Session& session) {
  return set_disabled(id, false, session);
}

Result<Exit> remove_person(const std::string& id, Session& session) {
  AKIN_TRY(const auto opened, open_persons(session.options));
  AKIN_CHECK(opened->persons.erase(id, opened->keys, actor_of_command()));
  const json::Json object = {{"id", id}, {"deleted", true}};
  session.out << (session.options.json ? object.dump() : "removed " + id) << "\n";
  return Exit::ok;
}

Result<Exit> export_person(const std::string& id, Session& session) {
  AKIN_TRY(const auto state, open_known_state(session.options));
  AKIN_TRY(const json::Json data, api::data_of_person(state, id));
  AKIN_CHECK(audit::record(*state, {.by = actor_of_command(), .action = "person.exported", .about = id}));
  session.out << data.dump(2) << "\n";
  return Exit::ok;
}

void add_add(Program& program, Command parent) {
  Command command = parent.add_subcommand("add", "Make a person, or change one; shows a new person's secret");
  auto options = std::make_shared<PersonOptions>();
  command.add_option("ID", options->id, "1 to 64 of a-z 0-9 . _ - @").required();
  command.add_option("--name", options->name, "Name, up to 200 bytes; default: the id").type_name("TEXT");
  command.add_option("--role", options->roles, "author, reader, decider, administrator; separated by commas")
      .type_name("LIST")
      .delimiter(',')
      .required();
  command
      .add_option("--collections", options->collections,
                  "Collections that the person sees, separated by commas; default: all")
      .type_name("LIST")
      .delimiter(',');
  program.on(command, [options](Session& session) { return add_person(*options, session); });
}

void add_sign_in(Program& program, Command parent) {
  Command command =
      parent.add_subcommand("sign-in", "Print a link that signs a person in once, within ten minutes");
  auto id = std::make_shared<std::string>(), server = std::make_shared<std::string>("http://127.0.0.1:7878");
  command.add_option("ID", *id, "The person's id").required();
  command
      .add_option("--server", *server,
                  "Address at which the person reaches the server; default: http://127.0.0.1:7878")
      .type_name("URL");
  program.on(command, [id, server](Session& session) { return invite(*id, *server, session); });
}

using IdAction = Result<Exit> (*)(const std::string& id, Session& session);

void add_id_command(Program& program, Command command, IdAction action) {
  auto id = std::make_shared<std::string>();
  command.add_option("ID", *id, "The person's id").required();
  program.on(command, [id, action](Session& session) { return action(*id, session); });
}

}  // namespace

void add_person_command(Program& program) {
  Command command = program.command("person", "Make, list and disable the persons who work with the server",
                                    kPersonExamples);
  command.require_subcommand();
  add_add(program, command);
  program.on(command.add_subcommand("list", "List the persons"), list_persons);
  add_id_command(program, command.add_subcommand("secret", "Give a person a new secret"), renew_secret);
  add_sign_in(program, command);
  add_id_command(program, command.add_subcommand("disable", "Refuse a person from now on"), disable_person);
  add_id_command(program, command.add_subcommand("enable", "Admit a disabled person again"), enable_person);
  add_id_command(program, command.add_subcommand("remove", "Remove a person"), remove_person);
  add_id_command(program, command.add_subcommand("export", "Print what is stored of a person, as JSON"),
                 export_person);
}

}  // namespace akin::cli
