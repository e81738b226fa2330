#include <algorithm>

#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/frame/moment.h"
#include "cli/frame/table.h"
#include "index/collection/collection_name.h"
#include "server/access/keys.h"
#include "server/access/limits.h"
#include "server/api/write/key_objects.h"

namespace akin::cli {

namespace {

constexpr const char* kKeyExamples =
    "  akin key create --scope read,write --collections books,news --label catalogue\n"
    "  akin key create --scope check --expires 90d --rate 5\n"
    "  akin key list\n"
    "  akin key revoke 3f1c0a9d5b7e2468\n"
    "\n"
    "Scopes: read (search, read documents), write (read, and store and remove documents), check\n"
    "(only submission checks), admin (everything). A key is shown once, when it is created; the server\n"
    "stores its scrypt hash. Once a key exists, every request needs one: Authorization: Bearer KEY.\n"
    "Servers that run on the same data folder or database (--store) see changes at once.";

struct CreateOptions {
  std::vector<std::string> scopes;
  std::vector<std::string> collections;
  std::string label;
  std::string expires;
  double rate = 0;
  std::uint32_t concurrent = 0;
};

Result<std::unique_ptr<access::Keys>> open_keys(const CommonOptions& options) {
  AKIN_TRY(auto state, open_known_state(options));
  return std::make_unique<access::Keys>(std::move(state));
}

std::string with_commas(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ",") + name;
  return text;
}

std::vector<std::string> scope_names(const access::KeyInfo& key) {
  std::vector<std::string> names;
  for (const access::Scope scope : key.spec.scopes) names.emplace_back(access::scope_name(scope));
  return names;
}

std::string status_of(const access::KeyInfo& key) {
  if (key.revoked) return "revoked " + format_time(*key.revoked);
  if (!key.spec.expires) return "valid";
  return (*key.spec.expires <= time_now() ? "expired " : "valid until ") + format_time(*key.spec.expires);
}

Result<Exit> run_create(const CreateOptions& options, Session& session) {
  access::KeySpec spec{.label = options.label,
                       .scopes = {},
                       .collections = options.collections,
                       .expires = {},
                       .rate = options.rate,
                       .concurrent = options.concurrent};
  for (const std::string& name : options.scopes) {
    AKIN_TRY(const access::Scope scope, access::parse_scope(name));
    if (std::ranges::find(spec.scopes, scope) == spec.scopes.end()) spec.scopes.push_back(scope);
  }
  for (const std::string& name : options.collections) {
    if (is_collection_name(name)) continue;
    return Error{Errc::invalid_argument, "--collections '" + name + "'", "not a collection's name",
                 kCollectionNameRule};
  }
  AKIN_TRY(spec.expires, read_moment("--expires", options.expires));
  AKIN_TRY(auto state, open_state(session.options));
  access::Keys keys(std::move(state));
  AKIN_TRY(const access::NewKey key, keys.create(spec, actor_of_command()));
  session.out << (session.options.json ? api::new_key_object(key).dump() : key.token) << "\n";
  // A key that nobody has seen would be the only one, perhaps, and close the server to everybody.
  if (Result<void> shown = session.out.flush(); shown.has_error()) {
    AKIN_CHECK(keys.erase(key.info.id, actor_of_command()));
    return std::move(shown).error();
  }
  if (!session.options.json)
    std::fprintf(stderr, "akin: key %s: keep it now, it is not shown again\n", key.info.id.c_str());
  return Exit::ok;
}

Result<Exit> run_list(Session& session) {
  AKIN_TRY(const auto keys, open_keys(session.options));
  AKIN_TRY(const auto all, keys->list());
  if (session.options.json) {
    json::Json list = json::Json::array();
    for (const access::KeyInfo& key : all) list.push_back(api::key_object(key));
    session.out << list.dump() << "\n";
    return Exit::ok;
  }
  if (all.empty()) {
    session.out << "no keys: anyone who can reach the server may do everything\n";
    return Exit::ok;
  }
  using Align = Table::Align;
  Table table({Align::left, Align::left, Align::left, Align::left, Align::left});
  table.add({"id", "scopes", "collections", "status", "label"});
  for (const access::KeyInfo& key : all) {
    if (!key.spec.person.empty()) {
      table.add({key.id, "those of " + key.holder(), "", status_of(key), key.spec.label});
      continue;
    }
    table.add({key.id, with_commas(scope_names(key)),
               key.spec.collections.empty() ? "all" : with_commas(key.spec.collections), status_of(key),
               key.spec.label});
  }
  session.out << table.text();
  return Exit::ok;
}

Result<Exit> run_revoke(const std::vector<std::string>& ids, Session& session) {
  AKIN_TRY(const auto keys, open_keys(session.options));
  for (const std::string& id : ids) {
    AKIN_TRY(const access::KeyInfo key, keys->revoke(id, actor_of_command()));
    session.out << (session.options.json ? api::key_object(key).dump() : "revoked " + key.id) << "\n";
  }
  return Exit::ok;
}

Result<Exit> run_delete(const std::vector<std::string>& ids, Session& session) {
  AKIN_TRY(const auto keys, open_keys(session.options));
  for (const std::string& id : ids) {
    AKIN_CHECK(keys->erase(id, actor_of_command()));
    json::Json object;
    object["id"] = id;
    object["deleted"] = true;
    session.out << (session.options.json ? object.dump() : "deleted " + id) << "\n";
  }
  return Exit::ok;
}

void add_create(Program& program, Command parent) {
  Command command = parent.add_subcommand("create", "Create a key and show it");
  auto options = std::make_shared<CreateOptions>();
  command
      .add_option("--scope", options->scopes,
                  "What it allows: read, write, check, submit, review, decide, admin; separated by commas")
      .type_name("LIST")
      .delimiter(',')
      .required();
  command
      .add_option("--collections", options->collections,
                  "Collections that it allows, separated by commas; default: all")
      .type_name("LIST")
      .delimiter(',');
  command.add_option("--label", options->label, "What it is for, up to 200 bytes").type_name("TEXT");
  command
      .add_option("--expires", options->expires,
                  "90d, 12h, or a time such as 2030-01-01T00:00:00Z; default: never")
      .type_name("WHEN");
  command.add_option("--rate", options->rate, "Requests per second on average; 0 = the server's limit")
      .type_name("N")
      .range(0.0, access::kMaxRate);
  command.add_option("--concurrent", options->concurrent, "Requests at once; 0 = the server's limit")
      .type_name("N")
      .range(0U, access::kMaxConcurrent);
  program.on(command, [options](Session& session) { return run_create(*options, session); });
}

using IdsAction = Result<Exit> (*)(const std::vector<std::string>& ids, Session& session);

void add_ids_command(Program& program, Command command, IdsAction action) {
  auto ids = std::make_shared<std::vector<std::string>>();
  command.add_option("ID", *ids, "The key's id").required();
  program.on(command, [ids, action](Session& session) { return action(*ids, session); });
}

}  // namespace

void add_key_command(Program& program) {
  Command command = program.command("key", "Create, list and revoke access keys of the server", kKeyExamples);
  command.require_subcommand();
  add_create(program, command);
  program.on(command.add_subcommand("list", "List the keys, without their secrets"), run_list);
  add_ids_command(program, command.add_subcommand("revoke", "Refuse keys from now on"), run_revoke);
  add_ids_command(program, command.add_subcommand("delete", "Delete keys"), run_delete);
}

}  // namespace akin::cli
