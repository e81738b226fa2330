#include <utility>

#include "server/cli/frame/frame_commands.h"
#include "server/cli/frame/help.h"
#include "server/cli/frame/spelling.h"

namespace akin::cli {

namespace {

constexpr const char* kHelpExamples =
    "  akin help                    all commands\n"
    "  akin help similar            the same as akin similar --help\n"
    "  akin help config check       a command below another one\n"
    "  akin help schemes            the kinds of features, for --scheme";

}  // namespace

void add_help_command(Program& program) {
  Command command = program.command("help", "Explain a command", kHelpExamples);
  auto words = std::make_shared<std::vector<std::string>>();
  command.add_option("COMMAND", *words, "Command to explain, and the command below it").type_name("");
  program.on_unconfigured(command, [&program, words](Session& session) -> Result<Exit> {
    if (*words == std::vector<std::string>{"schemes"}) {
      session.out << schemes_page();
      return Exit::ok;
    }
    AKIN_TRY(const std::string page, help_page_of(program.app(), *words));
    session.out << page;
    return Exit::ok;
  });
}

}  // namespace akin::cli
