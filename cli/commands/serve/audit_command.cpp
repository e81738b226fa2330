#include <limits>

#include "cli/commands/commands.h"
#include "cli/frame/table.h"
#include "server/audit/audit_log.h"
#include "server/json/strict_json.h"

namespace akin::cli {

namespace {

constexpr const char* kAuditExamples =
    "  akin audit list --limit 20\n"
    "  akin audit verify\n"
    "  akin audit export > audit.jsonl\n"
    "\n"
    "The log says who decided, read a checked text, signed in, changed a policy, a key or a person, or\n"
    "deleted something: when, and from which address. Each entry has the hash of the one before it.";

std::string who(const json::Json& by) {
  if (by.is_null()) return "unknown";
  const std::string name = by.at("name").get<std::string>();
  return by.at("kind").get<std::string>() + " " + by.at("id").get<std::string>() +
         (name.empty() ? "" : " (" + name + ")");
}

Result<Exit> list_entries(std::size_t limit, Session& session) {
  AKIN_TRY(const auto state, open_known_state(session.options));
  AKIN_TRY(const auto lines, audit::newest_lines(*state, 0, limit));
  using Align = Table::Align;
  Table table({Align::right, Align::left, Align::left, Align::left, Align::left, Align::left});
  table.add({"entry", "time", "who", "from", "action", "about"});
  for (const std::string& line : lines) {
    if (session.options.json) {
      session.out << line << "\n";
      continue;
    }
    AKIN_TRY(const json::Json entry, json::parse_json(line));
    table.add({entry.at("number").dump(), entry.at("time").get<std::string>(), who(entry.at("by")),
               entry.at("address").get<std::string>(), entry.at("action").get<std::string>(),
               entry.at("about").get<std::string>()});
  }
  if (!session.options.json) session.out << table.text();
  return Exit::ok;
}

Result<Exit> verify_log(Session& session) {
  AKIN_TRY(const auto state, open_known_state(session.options));
  AKIN_TRY(const audit::Verified verified, audit::verify(*state));
  if (session.options.json) {
    session.out << json::Json{{"entries", verified.entries},
                              {"head", verified.head},
                              {"problems", verified.problems}}
                       .dump()
                << "\n";
  } else {
    for (const std::string& problem : verified.problems) session.out << "audit log: " << problem << "\n";
    session.out << std::to_string(verified.entries) << " entries, head "
                << (verified.head.empty() ? "none" : verified.head) << "\n";
  }
  return verified.problems.empty() ? Exit::ok : Exit::error;
}

Result<Exit> export_log(Session& session) {
  constexpr std::size_t kPage = 256;
  AKIN_TRY(const auto state, open_known_state(session.options));
  for (std::uint64_t after = 0;;) {
    AKIN_TRY(const auto lines, audit::lines(*state, after, kPage));
    for (const std::string& line : lines) session.out << line << "\n";
    if (lines.size() < kPage) return Exit::ok;
    AKIN_TRY(const json::Json last, json::parse_json(lines.back()));
    after = last.at("number").get<std::uint64_t>();
  }
}

}  // namespace

void add_audit_command(Program& program) {
  Command command =
      program.command("audit", "Show, verify and export the log of who did what", kAuditExamples);
  command.require_subcommand();
  auto limit = std::make_shared<std::size_t>(100);
  Command list = command.add_subcommand("list", "List the newest entries, the newest first");
  list.add_option("--limit", *limit, "How many; default: 100")
      .type_name("N")
      .range(std::size_t{1}, std::size_t{1'000'000});
  program.on(list, [limit](Session& session) { return list_entries(*limit, session); });
  program.on(command.add_subcommand("verify", "Find entries that were changed or removed"), verify_log);
  program.on(command.add_subcommand("export", "Print all entries as lines of JSON"), export_log);
}

}  // namespace akin::cli
