// The frame of the program: flags, subcommands, exit codes, errors. One command is one file that fills this
// frame.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/frame/settings.h"
#include "cli/frame/workspace.h"

namespace CLI {
class ParseError;
}  // namespace CLI

namespace akin::cli {

/// The program's exit code. One rule for all commands: a command that has done its work exits with 0,
/// whatever it found.
enum class Exit : int {
  ok = 0,
  found = 1,  ///< only with --exit-code: what the command looks for was found
  error = 2,  ///< the command or a part of it failed; or verify, store check, config check found damage
};

/// What a command runs with.
struct Session {
  const CommonOptions& options;
  Output& out;
};

using Action = std::function<Result<Exit>(Session&)>;

/// What a program says about itself.
struct ProgramText {
  const char* name;           ///< "akin"
  const char* summary;        ///< half a sentence, for the manual
  const char* description;    ///< the first lines of its help
  const char* first_steps;    ///< the last lines of its help
  const char* help_examples;  ///< of its command help
  /// Whether environment and configuration file set the flags of the program's commands too, or only those
  /// that every command takes.
  bool commands_have_settings;
};

class Program {
 public:
  /// The name also begins every message to standard error. `text` must live until the program ends.
  explicit Program(const ProgramText& text);
  ~Program();

  /// The heading in help under which the following commands are listed.
  void heading(const std::string& name) { heading_ = name; }

  /// A new subcommand with the common flags; its help shows `examples`. A flag --scheme of its own takes the
  /// place of the common one.
  Command command(const std::string& name, const std::string& description, const std::string& examples);

  /// A command below another one, as `check` below `config`.
  Command command(Command parent, const std::string& name, const std::string& description,
                  const std::string& examples);

  /// Sets what `subcommand` does once all flags are read.
  void on(Command subcommand, Action action);

  /// As on, of an action that makes files in the data folder even where it has collections: as check_owner
  /// allows.
  void on_owned(Command subcommand, Action action);

  /// As on, but the action itself applies environment and configuration file, through `settings()`.
  void on_unconfigured(Command subcommand, Action action);

  /// What `config check` asks besides each setting by itself: whether a command would start with all of them.
  /// The command asks the same, so both refuse with the same words.
  using SettingsTest = std::function<Result<void>(const CommonOptions&)>;
  void test_settings(SettingsTest test) { settings_tests_.push_back(std::move(test)); }
  /// Why the values that the settings gave the options cannot be used together.
  [[nodiscard]] std::vector<Error> refused_together() const;

  /// Commands that another program has: calling one is an error that names the program.
  void has_elsewhere(const std::vector<std::string>& names, const std::string& program);

  [[nodiscard]] const ProgramText& text() const noexcept { return text_; }

  /// The whole command line, for code that describes it.
  [[nodiscard]] CLI::App& app();

  /// Settings of all commands that are registered so far.
  [[nodiscard]] Settings settings() { return Settings(*app_); }

  /// Parses, runs, prints errors; returns the process's exit code.
  [[nodiscard]] int run(int argc, const char* const* argv);

 private:
  const ProgramText& text_;
  std::unique_ptr<CLI::App> app_;
  std::string heading_;
  CommonOptions options_;
  Action action_;
  std::vector<CLI::App*> commands_;  // all but those that Command::add_subcommand made
  std::vector<const CLI::App*> unconfigured_;
  std::vector<SettingsTest> settings_tests_;
  std::optional<Error> settings_error_;

  void add_common_flags(CLI::App& app);
  void add_dictionary_flags(CLI::App& app);
  void add_scheme_flags(CLI::App& app);
  /// Gives a subcommand the common flags, unless it has them. Most of what a command line costs is to declare
  /// them for each subcommand, so a subcommand gets them when it is parsed or described.
  void complete(CLI::App& subcommand);
  void apply_settings();
  [[nodiscard]] int refuse(const CLI::ParseError& error, int argc, const char* const* argv) const;
};

/// Adds --exit-code, which makes a command exit with 1 if `what` ("a document was found").
void add_exit_code(Command command, bool& value, const std::string& what);

/// The exit code of a command that has or has not found something, with or without --exit-code.
[[nodiscard]] inline Exit exit_of(bool found, bool exit_code) {
  return found && exit_code ? Exit::found : Exit::ok;
}

/// CLI11 checks: return "" if the text is a whole number from 0 to 2^64-1, or from 1, or a number from 0 to
/// 1, else what is wrong with it. (CLI11 itself wraps "-1" around.)
[[nodiscard]] std::string check_count(const std::string& text);
[[nodiscard]] std::string check_positive(const std::string& text);
[[nodiscard]] std::string check_share(const std::string& text);

/// Prints "akin: what: reason (remedy)", beginning with the running program's name, or the API's error object
/// with --json, to standard error.
void report(const Error& error, bool json);

}  // namespace akin::cli
