#include "index/pg/foreign_server.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <utility>

#include "index/pg/libpq.h"

namespace akin::pg {
namespace {

using Setting = std::pair<const char*, const char*>;

/// Shards are queried concurrently and return rows in large batches. The cost per row is realistic, so that
/// the planner lets the shards aggregate.
constexpr std::array<Setting, 6> kServerOptions{{{"async_capable", "true"},
                                                 {"fetch_size", "10000"},
                                                 {"batch_size", "1000"},
                                                 {"fdw_tuple_cost", "1.0"},
                                                 {"keep_connections", "on"},
                                                 {"parallel_commit", "true"}}};

/// Keywords that postgres_fdw sets itself and therefore refuses.
constexpr std::array<std::string_view, 3> kNotOfServers{"client_encoding", "fallback_application_name",
                                                        "replication"};

bool names(const std::vector<ConnectionOption>& options, std::string_view keyword) {
  return std::ranges::any_of(options,
                             [&](const ConnectionOption& option) { return option.keyword == keyword; });
}

void append_option(std::string& list, std::string_view verb, std::string_view keyword,
                   std::string_view value) {
  if (!list.empty()) list += ", ";
  list.append(verb).append(keyword).append(" ").append(literal(value));
}

/// The list of OPTIONS for the server, or for its user mapping.
std::string option_list(const std::vector<ConnectionOption>& options, bool secret, std::string_view verb) {
  std::string list;
  for (const ConnectionOption& option : options) {
    if (option.is_secret != secret || std::ranges::find(kNotOfServers, option.keyword) != kNotOfServers.end())
      continue;
    append_option(list, verb, option.keyword, option.value);
  }
  return list;
}

std::string server_options(const std::vector<ConnectionOption>& options, std::string_view verb) {
  std::string list = option_list(options, false, verb);
  for (const auto& [keyword, value] : kServerOptions) append_option(list, verb, keyword, value);
  return list;
}

/// A superuser's mapping without a password lets others log in with the superuser's credentials, which only a
/// superuser may allow.
Result<std::string> mapping_options(Connection& connection, const std::vector<ConnectionOption>& options) {
  std::string list = option_list(options, true, "");
  if (names(options, "password")) return list;
  AKIN_TRY(const Rows rows, connection.run("SELECT rolsuper::int::bigint FROM pg_roles"
                                           " WHERE rolname = current_user"));
  if (rows.size() == 1 && rows.number(0, 0) != 0) append_option(list, "", "password_required", "false");
  return list;
}

}  // namespace

Result<std::vector<ConnectionOption>> parse_conninfo(const std::string& conninfo) {
  AKIN_CHECK(load_libpq());
  char* message = nullptr;
  const std::unique_ptr<PQconninfoOption, decltype(&::PQconninfoFree)> parsed(
      PQconninfoParse(conninfo.c_str(), &message), PQconninfoFree);
  PQfreemem(message);
  if (parsed == nullptr) {
    return Error{Errc::invalid_argument, "connection string", "libpq cannot read it",
                 "write postgres://user@host/database, or \"host=… dbname=…\""};
  }
  std::vector<ConnectionOption> options;
  for (const PQconninfoOption* option = parsed.get(); option->keyword != nullptr; ++option) {
    if (option->val == nullptr || *option->val == '\0') continue;
    const bool is_secret =
        std::string_view(option->dispchar) == "*" || std::string_view(option->keyword) == "user";
    options.push_back({option->keyword, option->val, is_secret});
  }
  return options;
}

void add_time_limits(std::vector<ConnectionOption>& options) {
  for (const auto& [keyword, value] : kTimeLimits) {
    if (!names(options, keyword)) options.push_back({keyword, value});
  }
}

std::string conninfo_of(const std::vector<ConnectionOption>& options) {
  std::string conninfo;
  for (const ConnectionOption& option : options) {
    if (!conninfo.empty()) conninfo += ' ';
    conninfo += option.keyword + "='";
    for (const char character : option.value) {
      if (character == '\'' || character == '\\') conninfo += '\\';
      conninfo += character;
    }
    conninfo += '\'';
  }
  return conninfo;
}

std::string shown_conninfo(const std::string& conninfo) {
  const auto options = parse_conninfo(conninfo);
  if (options.has_error()) return "a connection string that libpq cannot read";
  std::string shown;
  for (const ConnectionOption& option : *options) {
    if (option.keyword != "host" && option.keyword != "hostaddr" && option.keyword != "port" &&
        option.keyword != "dbname" && option.keyword != "service")
      continue;
    shown += (shown.empty() ? "" : " ") + option.keyword + "=" + option.value;
  }
  return shown.empty() ? "the default server" : shown;
}

std::string literal(std::string_view value) {
  std::string quoted = "E'";
  for (const char character : value) {
    if (character == '\'' || character == '\\') quoted += character;
    quoted += character;
  }
  return quoted + "'";
}

Result<void> set_foreign_server(Connection& connection, const std::string& name,
                                const std::vector<ConnectionOption>& options) {
  AKIN_TRY(const Rows there,
           connection.run(
               "SELECT o.option_name FROM pg_foreign_server s LEFT JOIN LATERAL"
               " pg_options_to_table(s.srvoptions) o ON true WHERE s.srvname = convert_from($1, 'UTF8')",
               Params().bytes(name)));
  if (there.size() == 0) {
    AKIN_CHECK(connection.command("CREATE SERVER " + name + " FOREIGN DATA WRAPPER postgres_fdw OPTIONS (" +
                                  server_options(options, "") + ")"));
  } else {
    std::string list;
    for (std::size_t row = 0; row < there.size(); ++row) {
      if (!there.is_null(row, 0)) list += "DROP " + std::string(there.bytes(row, 0)) + ", ";
    }
    AKIN_CHECK(connection.command("ALTER SERVER " + name + " OPTIONS (" + list +
                                  server_options(options, "ADD ") + ")"));
    AKIN_CHECK(connection.command("DROP USER MAPPING IF EXISTS FOR PUBLIC SERVER " + name));
  }
  AKIN_TRY(const std::string mapping, mapping_options(connection, options));
  return connection.command("CREATE USER MAPPING FOR PUBLIC SERVER " + name +
                            (mapping.empty() ? "" : " OPTIONS (" + mapping + ")"));
}

}  // namespace akin::pg
