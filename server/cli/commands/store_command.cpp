#include <array>
#include <memory>
#include <utility>

#include "index/open_catalog.h"
#include "index/pg/foreign_server.h"
#include "index/pg/roles.h"
#include "index/pg/store_check.h"
#include "index/pg/topology.h"
#include "server/api/objects.h"
#include "server/cli/commands/commands.h"
#include "server/cli/commands/store_commands.h"
#include "server/cli/frame/format.h"
#include "server/cli/frame/table.h"

namespace akin::cli {

namespace {

constexpr const char* kStoreExamples =
    "  akin store init postgres://akin@db/library\n"
    "  akin store check postgres://akin@db/library\n"
    "  akin store copy ./akin-data postgres://akin@db/library\n"
    "\n"
    "For collections in PostgreSQL: one database, or a coordinator with shards. Without ADDRESS the\n"
    "commands use the database of --store or AKIN_STORE; the variable keeps a password off the command line.";

constexpr const char* kInitExamples =
    "  akin store init postgres://akin@db/library\n"
    "  akin store init postgres://akin@db/library --shards postgres://akin@s0/akin,postgres://akin@s1/akin\n"
    "  akin store init postgres://akin@db/library --shards 'host=s0 dbname=akin' --shards 'host=s1 "
    "dbname=akin'\n"
    "\n"
    "Creates the schema akin if it is missing. With --shards, the database becomes the coordinator of these\n"
    "databases, which must be empty and distinct; the coordinator must reach them under the same addresses.\n"
    "A later call with more shards at the end adds them; akin compact then spreads a collection over them.\n"
    "A later call with another address of a shard recognises the shard and stores the new address.";

constexpr const char* kStoreCheckExamples =
    "  akin store check postgres://akin@db/library\n"
    "  akin store check 'host=db dbname=library user=akin'\n"
    "  akin store check --json                       the database of AKIN_STORE\n"
    "\n"
    "Checks versions, settings, clocks, roles and privileges of the database and its shards, and both\n"
    "connections to each shard: akin's own and the coordinator's. Exit 2 if a check fails.";

constexpr const char* kRolesExamples =
    "  akin store roles | psql postgres://postgres@db/library    a superuser, before akin store init\n"
    "  akin store roles | psql postgres://akin@db/library        the owner, after it\n"
    "\n"
    "Prints a script for psql with what each role runs, in order. A superuser's part creates akin_reader,\n"
    "which can search, and akin_writer, which can also put and remove, and lets the owner of the database "
    "use\n"
    "postgres_fdw, which shards require. The owner's part grants both the privileges that they need, also "
    "on\n"
    "tables that the owner creates later. psql ends with exit 3 if the role may not do its part. Only the\n"
    "owner can create, rebuild and drop collections.";

Result<Exit> run_init(const std::string& address, const pg::TopologyRequest& request, Session& session) {
  AKIN_TRY(const std::string database, database_address(address, session.options));
  AKIN_CHECK(pg::init_topology(database, request));
  if (session.options.json) {
    session.out
        << api::Json{{"topology", pg::topology_name(request.kind)}, {"shards", request.shards.size()}}.dump()
        << "\n";
    return Exit::ok;
  }
  session.out << pg::shown_conninfo(database) << " is ready: " << pg::topology_name(request.kind) << "\n";
  for (std::size_t number = 0; number < request.shards.size(); ++number) {
    session.out << "shard " << std::to_string(number) << ": " << pg::shown_conninfo(request.shards[number])
                << "\n";
  }
  return Exit::ok;
}

const char* level_name(pg::FindingLevel level) {
  constexpr std::array<const char*, 3> kNames{"ok", "warn", "fail"};
  return kNames.at(static_cast<std::size_t>(level));
}

Result<Exit> run_check(const std::string& address, Session& session) {
  AKIN_TRY(const std::string database, database_address(address, session.options));
  AKIN_TRY(const pg::Findings findings, pg::check_topology(database));
  const Exit exit = findings.has_failure() ? Exit::error : Exit::ok;
  if (session.options.json) {
    api::Json list = api::Json::array();
    for (const pg::CheckFinding& one : findings.all()) {
      list.push_back({{"verdict", level_name(one.level)},
                      {"what", one.what},
                      {"value", one.value},
                      {"remedy", one.remedy}});
    }
    session.out << api::Json{{"ok", exit == Exit::ok}, {"findings", list}}.dump() << "\n";
    return exit;
  }
  Table table({Table::Align::left, Table::Align::left, Table::Align::left, Table::Align::left});
  for (const pg::CheckFinding& one : findings.all())
    table.add({level_name(one.level), one.what, one_line(one.value, 200), one.remedy});
  session.out << table.text();
  return exit;
}

void add_address(Command command, const std::shared_ptr<std::string>& address) {
  command.add_option("ADDRESS", *address, "The database, postgres://… (default: that of --store)")
      .type_name("");
}

void add_init_command(Program& program, Command store) {
  Command init = program.command(
      store, "init", "Prepare a database for collections, or as the coordinator of shards", kInitExamples);
  const auto address = std::make_shared<std::string>();
  const auto shards = std::make_shared<std::vector<std::string>>();
  add_address(init, address);
  Option list =
      init.add_option("--shards", *shards,
                      "Databases of the shards in order, separated by commas; may be given several times");
  list.one_value_each_time().type_name("ADDRESSES");
  program.on(init, [address, shards](Session& session) {
    pg::TopologyRequest request;
    for (const std::string& text : *shards) {
      for (std::string& one : split_addresses(text)) request.shards.push_back(std::move(one));
    }
    if (!request.shards.empty()) request.kind = pg::TopologyKind::shards;
    return run_init(*address, request, session);
  });
}

}  // namespace

Result<std::string> database_address(const std::string& address, const CommonOptions& options) {
  const std::string& database = address.empty() ? options.store : address;
  if (is_database(database)) return database;
  return Error{Errc::invalid_argument, "ADDRESS",
               database.empty() ? "neither it nor --store is given" : "is not a database's address",
               "give postgres://…"};
}

std::vector<std::string> split_addresses(std::string_view text) {
  const auto begins_address = [](std::string_view rest) {
    if (is_database(rest)) return true;
    const std::size_t word = rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
    return word != 0 && word != std::string_view::npos && rest[word] == '=';
  };
  std::vector<std::string> addresses;
  std::size_t begin = 0;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos;
       comma = text.find(',', comma + 1)) {
    if (!begins_address(text.substr(comma + 1))) continue;
    addresses.emplace_back(text.substr(begin, comma - begin));
    begin = comma + 1;
  }
  addresses.emplace_back(text.substr(begin));
  return addresses;
}

void add_store_commands(Program& program) {
  Command store =
      program.command("store", "Prepare, check and fill databases of collections", kStoreExamples);
  store.require_subcommand();
  add_init_command(program, store);

  Command check =
      program.command(store, "check", "Check that a database and its shards suit akin", kStoreCheckExamples);
  const auto address = std::make_shared<std::string>();
  add_address(check, address);
  program.on(check, [address](Session& session) { return run_check(*address, session); });

  add_store_copy_command(program, store);

  Command roles = program.command(
      store, "roles", "Print what a superuser and the owner run, so that roles can search and write",
      kRolesExamples);
  program.on(roles, [](Session& session) -> Result<Exit> {
    session.out << pg::kRoles;
    return Exit::ok;
  });
}

}  // namespace akin::cli
