#include "cli/frame/program.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>

#include "cli/frame/command_walk.h"
#include "cli/frame/help.h"
#include "cli/frame/owner.h"
#include "cli/frame/reading_flags.h"
#include "cli/frame/spelling.h"
#include "extract/client/extractor.h"
#include "index/open_catalog.h"
#include "morph/schemes/scheme.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

const char* running_program = "akin";

/// The error for a flag that a command does not have.
Error unknown_flag(const CLI::App& called, const std::string& given) {
  std::vector<std::string> flags;
  for (const CLI::App* app = &called; app != nullptr; app = app->get_parent()) {
    for (const CLI::Option* option : visible_flags(*app)) {
      for (const std::string& name : option->get_lnames()) flags.push_back("--" + name);
    }
  }
  const std::string flag = given.substr(0, given.find('='));
  return {Errc::invalid_argument, "'" + flag + "'", "is not a flag of " + full_command(called),
          did_you_mean(flag, flags) + help_hint(called)};
}

/// The innermost command that was called.
const CLI::App& called_app(const CLI::App& app) {
  const CLI::App* called = &app;
  while (!called->get_subcommands().empty()) called = called->get_subcommands().front();
  return *called;
}

/// Does the command do nothing itself, so that one below it must be named?
bool needs_command(const CLI::App& called) { return called.get_require_subcommand_min() > 0; }

/// The error for operands that a command does not take.
Error surplus(const CLI::App& called, const std::vector<std::string>& words) {
  std::string list;
  for (const std::string& word : words) list += (list.empty() ? "'" : ", '") + word + "'";
  return {Errc::invalid_argument, list,
          words.size() == 1 ? full_command(called) + " does not take this argument"
                            : full_command(called) + " does not take these arguments",
          help_hint(called)};
}

/// A usage error in akin's own form.
Error usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App& called = called_app(app);
  const std::string command = command_path(called);
  const auto rest = app.remaining(true);
  if (needs_command(called) && !rest.empty() && !rest.front().starts_with('-')) {
    return unknown_command(called, rest.front());
  }
  const auto flag = std::find_if(rest.begin(), rest.end(), [](const std::string& word) {
    return word.size() > 1 && word.starts_with('-');
  });
  if (flag != rest.end() && *flag == "--")
    return {Errc::invalid_argument, "'--'", "flags after it are taken for arguments",
            "write the flags before it: " + help_hint(called)};
  if (flag != rest.end()) return unknown_flag(called, *flag);
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)) return surplus(called, rest);
  std::string reason = error.what();
  while (reason.ends_with('\n') || reason.ends_with('.')) reason.pop_back();
  std::replace(reason.begin(), reason.end(), '\n', ' ');
  return {Errc::invalid_argument, command.empty() ? "command line" : command, reason, help_hint(called)};
}

/// A variable's list is split at colons, including those inside addresses: a part that does not start a route
/// is appended to the part before it.
void add_routes(std::vector<std::string>& routes, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) {
    const bool begins = part.find("=postgres") != std::string::npos || routes.empty();
    if (begins) {
      routes.push_back(part);
    } else {
      routes.back() += ":" + part;
    }
  }
}

}  // namespace

Program::~Program() = default;

Program::Program(const ProgramText& text)
    : text_(text), app_(std::make_unique<CLI::App>(text.description, text.name)) {
  running_program = text.name;
  app_->require_subcommand(1);
  app_->formatter_fn(
      [](const CLI::App* command, const std::string&, CLI::AppFormatMode) { return help_page(*command); });
  app_->set_version_flag("--version", std::string(text.name) + " " AKIN_VERSION, "Print the version and exit")
      ->group(kCommonFlags);
  app_->footer(text.first_steps);
  add_common_flags(*app_);
  // CLI11 runs a forced callback even if the flag is not given: after it has read the command line, before it
  // checks the options' values. That is when environment and file are applied.
  app_->get_option("--config")->force_callback();
  // Commands that are added from now on inherit it.
  app_->option_defaults()->configurable(text.commands_have_settings);
}

Command Program::command(const std::string& name, const std::string& description,
                         const std::string& examples) {
  return command(Command(*app_), name, description, examples);
}

Command Program::command(Command parent, const std::string& name, const std::string& description,
                         const std::string& examples) {
  CLI::App& subcommand = *parent.handle().add_subcommand(name, description);
  subcommand.footer("Examples:\n" + examples);
  if (&parent.handle() == app_.get()) {
    subcommand.group(heading_);
  } else {
    subcommand.group("Commands");
  }
  commands_.push_back(&subcommand);
  subcommand.preparse_callback([this, &subcommand](std::size_t) { complete(subcommand); });
  return Command(subcommand);
}

void Program::complete(CLI::App& subcommand) {
  if (subcommand.get_option_no_throw("--data") == nullptr) add_common_flags(subcommand);
}

CLI::App& Program::app() {
  for (CLI::App* const subcommand : commands_) complete(*subcommand);
  return *app_;
}

void Program::on(Command subcommand, Action action) {
  subcommand.handle().callback([this, action = std::move(action)] { action_ = action; });
}

void Program::on_owned(Command subcommand, Action action) {
  on(subcommand, [action = std::move(action)](Session& session) -> Result<Exit> {
    AKIN_CHECK(check_owner(session.options));
    return action(session);
  });
}

void Program::on_unconfigured(Command subcommand, Action action) {
  unconfigured_.push_back(&subcommand.handle());
  on(subcommand, std::move(action));
}

void Program::has_elsewhere(const std::vector<std::string>& names, const std::string& program) {
  for (const std::string& name : names) {
    CLI::App& command = *app_->add_subcommand(name, program);
    command.group("");
    command.prefix_command();
    command.set_help_flag();
    on_unconfigured(Command(command),
                    [&command](Session&) -> Result<Exit> { return command_elsewhere(command); });
  }
}

void Program::apply_settings() {
  const CLI::App* called = app_.get();
  for (;;) {
    if (called->get_help_ptr() != nullptr && called->get_help_ptr()->count() > 0) return;
    const auto gives = [called](const char* flag) {
      const CLI::Option* const option = called->get_option_no_throw(flag);
      return option != nullptr && option->count() > 0;
    };
    if (gives("--lang")) options_.gives_languages = true;
    if (gives("--supplement")) options_.gives_supplements = true;
    if (gives("--synonyms")) options_.gives_synonyms = true;
    const auto inner = called->get_subcommands();
    if (inner.empty()) break;
    called = inner.front();
  }
  if (needs_command(*called)) return;
  if (std::find(unconfigured_.begin(), unconfigured_.end(), called) != unconfigured_.end()) return;
  Settings settings(*app_);
  const auto file = settings.file();
  auto errors = settings.read(file);
  if (errors.empty()) {
    const auto applied = settings.apply();
    if (applied.has_error()) errors.push_back(applied.error());
  }
  if (errors.empty()) return;
  settings_error_ = errors.front();
  if (errors.size() > 1) {
    settings_error_->remedy += "; akin config check" + (file ? " " + ingest::display_name(*file) : "") +
                               " lists " + std::to_string(errors.size() - 1) + " more";
  }
  throw CLI::ConfigError("settings", CLI::ExitCodes::ConfigError);
}

void Program::add_common_flags(CLI::App& app) {
  app.add_option("--data", options_.data, "Folder of all collections")
      ->type_name("DIR")
      ->check(
          [](const std::string& text) {
            if (is_address(text)) return "is an address, which --store takes";
            return text.empty() ? "names no folder" : "";
          },
          "")
      ->default_str("./akin-data")
      ->group(kCommonFlags);
  app.add_option("--collection", options_.collection, "Collection to work on")
      ->type_name("NAME")
      ->default_str(CommonOptions().collection)
      ->group(kCommonFlags);
  app.add_option("--lang", options_.languages,
                 "Dictionaries: language codes or .aff files, separated by commas")
      ->type_name("LIST")
      ->default_str(CommonOptions().languages)
      ->group(kCommonFlags);
  app.add_flag("--json", options_.json, "Print the API's own JSON object")
      ->configurable(false)
      ->group(kCommonFlags);
  app.add_option_function<std::string>(
         "--config",
         [this, &app](const std::string&) {
           if (&app == app_.get()) apply_settings();
         },
         "Configuration file in TOML (environment AKIN_CONFIG), see akin help config")
      ->type_name("FILE")
      ->configurable(false)
      ->group(kCommonFlags);
  add_dictionary_flags(app);
  add_reading_flags(app, options_);
  app.set_help_flag("-h,--help", "Print this help and exit")->group(kCommonFlags);
}

void Program::add_scheme_flags(CLI::App& app) {
  const bool has_its_own = app.get_option_no_throw("--scheme") != nullptr;
  if (!has_its_own) {
    app.add_option("--scheme", options_.scheme,
                   "Kind of features, see akin help schemes; default: the collection's own,\n"
                   "or that of the preset library for a new collection")
        ->type_name("SPEC")
        ->group(kStoreFlags);
  }
  std::vector<std::string> names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  CLI::Option* const preset =
      app.add_option_function<std::string>(
             "--preset", [this](const std::string& name) { options_.scheme = name; },
             "Scheme of a new collection by its purpose: library (reuse of 12 words or\n"
             "more), paper (rewritten text too), quotations (runs of 4 words too), news\n"
             "(reprints) or web (copies of pages, by a sample)")
          ->type_name("NAME")
          ->check(CLI::IsMember(names))
          ->configurable(false)
          ->group(kStoreFlags);
  if (!has_its_own) preset->excludes("--scheme");
}

void Program::add_dictionary_flags(CLI::App& app) {
  add_scheme_flags(app);
  app.add_option("--store", options_.store,
                 "Database of all collections, postgres://…, or cluster,\nopensearch+https://… "
                 "(experimental), instead of the data folder")
      ->type_name("ADDRESS")
      ->group(kStoreFlags);
  app.add_option_function<std::vector<std::string>>(
         "--store-of",
         [this](const std::vector<std::string>& routes) { add_routes(options_.store_of, routes); },
         "Database or cluster of one collection, while the others stay where they are;\nmay be given several "
         "times")
      ->allow_extra_args(false)
      ->type_name("NAME=ADDRESS")
      ->group(kStoreFlags);
  app.add_option_function<std::vector<std::string>>(
         "--supplement",
         [this](const std::vector<std::string>& files) {
           options_.supplements.insert(options_.supplements.end(), files.begin(), files.end());
         },
         "Supplement file with lines of the form \"lemma: forms\";\nmay be given several times")
      ->allow_extra_args(false)
      ->type_name("FILE")
      ->group(kStoreFlags);
  app.add_option_function<std::vector<std::string>>(
         "--synonyms",
         [this](const std::vector<std::string>& names) {
           options_.synonyms.insert(options_.synonyms.end(), names.begin(), names.end());
         },
         "Synonyms for collections of the scheme synonyms(of=SCHEME): a\n"
         "language whose thesaurus is installed, or a file; may be given several times")
      ->allow_extra_args(false)
      ->type_name("LANG|FILE")
      ->group(kStoreFlags);
}

int Program::refuse(const CLI::ParseError& error, int argc, const char* const* argv) const {
  // Parsing may have ended before it reached --json.
  const bool json =
      std::any_of(argv, argv + argc, [](const char* flag) { return std::string_view(flag) == "--json"; });
  report(settings_error_ ? *settings_error_ : usage_error(*app_, error), json);
  return static_cast<int>(Exit::error);
}

int Program::run(int argc, const char* const* argv) {
  // write() reports a closed pipe, and Output handles it.
  std::signal(SIGPIPE, SIG_IGN);
  Output out(STDOUT_FILENO);
  try {
    app_->parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    out << app_->help();
    action_ = [](Session&) { return Exit::ok; };
  } catch (const CLI::RequiredError& error) {
    // `akin` and `akin config` alone ask for the list of commands.
    const CLI::App& called = called_app(*app_);
    if (!needs_command(called) || !app_->remaining(true).empty()) return refuse(error, argc, argv);
    out << help_page(called);
    action_ = [](Session&) { return Exit::ok; };
  } catch (const CLI::CallForVersion& version) {
    out << version.what() << "\n";
    action_ = [](Session&) { return Exit::ok; };
  } catch (const CLI::ParseError& error) {
    return refuse(error, argc, argv);
  }
  extract::Extractor::recognize_by(options_.ocr);
  extract::Extractor::filter_by(options_.filters);
  Session session{options_, out};
  auto outcome = action_(session);
  const auto written = out.flush();
  if (outcome.has_error()) report(outcome.error(), options_.json);
  if (written.has_error()) report(written.error(), options_.json);
  if (outcome.has_error() || written.has_error()) return static_cast<int>(Exit::error);
  return static_cast<int>(*outcome);
}

std::vector<Error> Program::refused_together() const {
  std::vector<Error> errors;
  for (const SettingsTest& test : settings_tests_) {
    if (const Result<void> tested = test(options_); tested.has_error()) errors.push_back(tested.error());
  }
  return errors;
}

void add_exit_code(Command command, bool& value, const std::string& what) {
  command.add_flag("--exit-code", value, "Exit with 1 if " + what + ", as git diff --exit-code does");
}

std::string check_count(const std::string& text) {
  std::uint64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool number = failure == std::errc{} && end == text.data() + text.size();
  return number ? "" : "'" + text + "' is not a whole number from 0 to 2^64-1";
}

std::string check_positive(const std::string& text) {
  const bool zero = !text.empty() && text.find_first_not_of('0') == std::string::npos;
  if (!zero && check_count(text).empty()) return "";
  return "'" + text + "' is not a whole number from 1 to 2^64-1";
}

std::string check_share(const std::string& text) {
  double share = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), share);
  const bool number = failure == std::errc{} && end == text.data() + text.size();
  // Written so that NaN fails.
  return number && share >= 0.0 && share <= 1.0 ? "" : "'" + text + "' is not a number from 0 to 1";
}

void report(const Error& error, bool json) {
  const std::string line = json ? json::compact(api::full_error_object(error))
                                : std::string(running_program) + ": " + error.message();
  std::fprintf(stderr, "%s\n", line.c_str());
}

}  // namespace akin::cli
