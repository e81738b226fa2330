#include <array>
#include <memory>
#include <utility>

#include "cli/commands/commands.h"
#include "cli/commands/store/store_commands.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "index/open_catalog.h"
#include "index/pg/client/conninfo.h"
#include "index/pg/servers/init.h"
#include "index/pg/servers/store_check.h"
#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

constexpr const char* kStoreExamples =
    "  akin store init postgres://akin@db/library\n"
    "  akin store check postgres://akin@db/library\n"
    "  akin store copy ./akin-data postgres://akin@db/library\n"
    "\n"
    "For collections in PostgreSQL. Without ADDRESS the commands use the database of --store or AKIN_STORE:\n"
    "the variable keeps a password off the command line.";

constexpr const char* kInitExamples =
    "  akin store init postgres://akin@db/library\n"
    "\n"
    "Creates the schema akin if it is missing. Commands that write do so, too: this one lets the owner of\n"
    "the database prepare it for roles that may not create a schema.";

constexpr const char* kStoreCheckExamples =
    "  akin store check postgres://akin@db/library\n"
    "  akin store check 'host=db dbname=library user=akin'\n"
    "  akin store check --json                       the database of AKIN_STORE\n"
    "\n"
    "Checks the version, settings, clock, roles and privileges of the database, and the plans of searches.\n"
    "Exit 2 if a check fails.";

constexpr const char* kRolesExamples =
    "  akin store roles | psql postgres://postgres@db/library    a superuser\n"
    "  akin store roles | psql postgres://akin@db/library        the owner, after akin store init\n"
    "\n"
    "Prints a script for psql with what each role runs, in order. A superuser's part creates akin_reader,\n"
    "which can search, and akin_writer, which can also put and remove. The owner's part grants both the\n"
    "privileges that they need, also on tables that the owner creates later. psql ends with exit 3 if the\n"
    "role may not do its part. Only the owner can create, rebuild and drop collections.";

Result<Exit> run_init(const std::string& address, Session& session) {
  AKIN_TRY(const std::string database, database_address(address, session.options));
  AKIN_CHECK(pg::init_database(database));
  if (session.options.json) {
    session.out << api::Json{{"database", pg::shown_conninfo(database)}}.dump() << "\n";
  } else {
    session.out << pg::shown_conninfo(database) << " is ready\n";
  }
  return Exit::ok;
}

const char* level_name(pg::FindingLevel level) {
  constexpr std::array<const char*, 3> kNames{"ok", "warn", "fail"};
  return kNames.at(static_cast<std::size_t>(level));
}

Result<Exit> run_check(const std::string& address, Session& session) {
  AKIN_TRY(const std::string database, database_address(address, session.options));
  AKIN_TRY(const pg::Findings findings, pg::check_database(database));
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

}  // namespace

Result<std::string> database_address(const std::string& address, const CommonOptions& options) {
  const std::string& database = address.empty() ? options.store : address;
  if (is_database(database)) return database;
  return Error{Errc::invalid_argument, "ADDRESS",
               database.empty() ? "neither it nor --store is given" : "is not a database's address",
               "give postgres://…"};
}

void add_store_commands(Program& program) {
  Command store =
      program.command("store", "Prepare, check and fill databases of collections", kStoreExamples);
  store.require_subcommand();
  const auto address = std::make_shared<std::string>();
  Command init = program.command(store, "init", "Prepare a database for collections", kInitExamples);
  add_address(init, address);
  program.on(init, [address](Session& session) { return run_init(*address, session); });

  Command check = program.command(store, "check", "Check that a database suits akin", kStoreCheckExamples);
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
