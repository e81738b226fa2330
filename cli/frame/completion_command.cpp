#include <cerrno>
#include <filesystem>
#include <fstream>

#include "cli/frame/completion.h"
#include "cli/frame/frame_commands.h"
#include "cli/frame/manual.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

std::string examples(const std::string& name) {
  return "  source <(" + name + " completion bash)          in this shell\n  " + name +
         " completion bash > ~/.local/share/bash-completion/completions/" + name + "\n  " + name +
         " completion zsh > ~/.zfunc/_" + name + "    a folder in zsh's fpath";
}

struct ManualOptions {
  std::filesystem::path folder;
  std::string date;
};

Result<Exit> run_manual(Program& program, const ManualOptions& options) {
  for (const ManualPage& page :
       manual_pages(program.app(), {program.text().summary, AKIN_VERSION, options.date})) {
    const auto path = options.folder / page.file;
    std::ofstream file(path, std::ios::binary);
    file << page.text << std::flush;
    if (!file) return system_error(errno, ingest::display_name(path), "write the manual page");
  }
  return Exit::ok;
}

}  // namespace

void add_completion_command(Program& program) {
  Command completion =
      program.command("completion", "Print a completion script for a shell", examples(program.text().name));
  auto shell = std::make_shared<std::string>();
  completion.add_option("SHELL", *shell, "Shell to print the script for")
      .required()
      .type_name("")
      .one_of({"bash", "zsh"});
  program.on_unconfigured(completion, [&program, shell](Session& session) -> Result<Exit> {
    session.out << (*shell == "bash" ? bash_completion(program.app()) : zsh_completion(program.app()));
    return Exit::ok;
  });

  // Used by the build; hidden, because packages contain the pages.
  Command manual = program.command("manual", "Write the manual pages into a folder", "");
  manual.hide();
  auto options = std::make_shared<ManualOptions>();
  manual.add_option("FOLDER", options->folder, "Folder for the pages").required().type_name("");
  manual.add_option("--date", options->date, "Date of the release, YYYY-MM-DD").required();
  program.on_unconfigured(manual, [&program, options](Session&) { return run_manual(program, *options); });
}

}  // namespace akin::cli
