#include "cli/commands/commands.h"
#include "cli/frame/moment.h"
#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

constexpr const char* kTtlExamples =
    "  akin index inbox/ --collection today --ttl 24h   a collection that expires tomorrow\n"
    "  akin ttl --collection today                      when it expires\n"
    "  akin ttl --collection today 30d                  later: days, hours, minutes, seconds, or a time\n"
    "  akin ttl --collection today none                 make it permanent\n"
    "\n"
    "An expired collection no longer exists for any command or server; its files are removed soon after.";

Result<Exit> run_ttl(const std::string& when, Session& session) {
  const CommonOptions& options = session.options;
  AKIN_TRY(const auto catalog, open_catalog(options, false));
  if (!when.empty()) {
    std::optional<Time> expires;
    if (when != "none") {
      AKIN_TRY(expires, read_moment("WHEN", when));
    }
    AKIN_CHECK(with_collections(catalog->set_expiry(options.collection, expires), *catalog));
  }
  AKIN_TRY(const auto expires, with_collections(catalog->expiry(options.collection), *catalog));
  if (options.json) {
    session.out << api::Json{{"name", options.collection}, {"expires", api::time_or_null(expires)}}.dump()
                << "\n";
  } else {
    session.out << "collection '" << options.collection << "' "
                << (expires ? "expires " + format_time(*expires) : "is permanent") << "\n";
  }
  return Exit::ok;
}

}  // namespace

void add_ttl_command(Program& program) {
  Command command = program.command("ttl", "Make a collection temporary or permanent", kTtlExamples);
  auto when = std::make_shared<std::string>();
  command.add_option("WHEN", *when, "Time from now (30d, 12h, 30m, 45s), a time, or none").type_name("");
  program.on(command, [when](Session& session) { return run_ttl(*when, session); });
}

}  // namespace akin::cli
