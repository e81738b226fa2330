#include "index/pg/client/conninfo.h"

#include <libpq-fe.h>

#include <memory>

namespace akin::pg {

Result<std::vector<ConnectionOption>> parse_conninfo(const std::string& conninfo) {
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
    options.push_back({option->keyword, option->val});
  }
  return options;
}

std::string quoted_value(const std::string& value) {
  std::string quoted = "'";
  for (const char c : value) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
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

}  // namespace akin::pg
