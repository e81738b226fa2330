#include <utility>

#include "cli/frame/frame_commands.h"
#include "cli/frame/help.h"

namespace akin::cli {

void add_help_command(Program& program) {
  Command command = program.command("help", "Explain a command", program.text().help_examples);
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
