#include <algorithm>

#include "cli/frame/frame_commands.h"
#include "cli/frame/settings_text.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr const char* kConfigExamples =
    "  akin config check akin.toml                    is the file correct?\n"
    "  akin config show --config akin.toml            every setting, its value and its origin\n"
    "  akin config template > akin.toml               a file with every setting, to edit\n"
    "\n"
    "A TOML file and the environment can set the flags of the server: akin serve --listen ADDRESS is\n"
    "\"listen\" below \"[serve]\", or AKIN_SERVE_LISTEN. Those that all commands share come before the\n"
    "section (data = \"…\") and are called AKIN_DATA and so on. Precedence: flag, environment,\n"
    "configuration file, default. Only the file that --config or AKIN_CONFIG names is read.";

constexpr const char* kConfigCheckExamples =
    "  akin config check akin.toml\n"
    "  akin config check --config akin.toml --json\n"
    "\n"
    "Checks every key of the file and every variable of the environment, and whether\n"
    "akin serve would start with them. Prints \"ok\"; or all errors, one per line, and exits with 2.";

constexpr const char* kConfigShowExamples =
    "  akin config show\n"
    "  akin config show --config akin.toml > complete.toml\n"
    "  AKIN_SERVE_WORKERS=8 akin config show --json";

constexpr const char* kTemplateExamples =
    "  akin config template > akin.toml\n"
    "  akin config template --data /srv/texts > akin.toml      values that flags set are not commented out";

Error no_file() {
  return {Errc::invalid_argument, "config check", "no configuration file is named",
          "give FILE, --config FILE or AKIN_CONFIG"};
}

/// Prints all errors but the last, which becomes the command's own.
Result<Exit> outcome_of(const std::vector<Error>& errors, const Session& session) {
  if (errors.empty()) return Exit::ok;
  std::for_each(errors.begin(), errors.end() - 1,
                [&](const Error& error) { report(error, session.options.json); });
  return errors.back();
}

Result<Exit> run_check(Program& program, const std::string& named, Session& session) {
  Settings settings = program.settings();
  const auto file = named.empty() ? settings.file() : std::filesystem::path(named);
  if (!file) return no_file();
  std::vector<Error> errors = settings.read(file);
  const std::vector<Error> refused = settings.try_all();
  errors.insert(errors.end(), refused.begin(), refused.end());
  if (errors.empty()) {
    errors = program.refused_together();
    if (const auto common = check_common(session.options); common.has_error())
      errors.push_back(common.error());
    const bool dictionaries =
        settings.gives("lang") || settings.gives("supplement") || settings.gives("synonyms");
    if (dictionaries) {
      if (const auto opened = open_dictionary(session.options); opened.has_error())
        errors.push_back(opened.error());
    }
  }
  if (errors.empty()) session.out << (session.options.json ? "{\"ok\":true}\n" : "ok\n");
  return outcome_of(errors, session);
}

Result<Exit> run_show(Program& program, SettingsView view, Session& session) {
  Settings settings = program.settings();
  const std::vector<Error> errors = settings.read(settings.file());
  if (!errors.empty()) return outcome_of(errors, session);
  const auto values = settings.values();
  const bool json = session.options.json && view == SettingsView::current;
  session.out << (json ? settings_json(values) : settings_toml(values, view));
  return Exit::ok;
}

}  // namespace

void add_config_command(Program& program) {
  Command config = program.command("config", "Check and show the configuration: file, environment, flags",
                                   kConfigExamples);
  config.require_subcommand();

  Command check =
      program.command(config, "check", "Check a configuration file as a whole", kConfigCheckExamples);
  auto named = std::make_shared<std::string>();
  check.add_option("FILE", *named, "File to check (default: that of --config or AKIN_CONFIG)").type_name("");
  program.on_unconfigured(
      check, [&program, named](Session& session) { return run_check(program, *named, session); });

  Command show = program.command(config, "show", "Print every setting, its value and its origin, as TOML",
                                 kConfigShowExamples);
  program.on_unconfigured(
      show, [&program](Session& session) { return run_show(program, SettingsView::current, session); });

  Command sample = program.command(
      config, "template", "Print a configuration file with every setting explained and commented out",
      kTemplateExamples);
  program.on_unconfigured(
      sample, [&program](Session& session) { return run_show(program, SettingsView::explained, session); });
}

}  // namespace akin::cli
