// Handles with which a command's file declares its flags. The library that parses command lines stays inside
// program.cpp and its neighbours: its header has 80,000 lines, which every command would otherwise read and
// instantiate again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace akin::cli {

/// A flag or operand that is being declared: a handle to an option that the program owns. Every function
/// returns the handle itself.
class Option {
 public:
  explicit Option(CLI::Option& option) noexcept : option_(&option) {}

  Option required();
  /// The word for the value in help. "" prints none.
  Option type_name(const std::string& word);
  /// The default as help prints it: the variable's current value, or a text.
  Option capture_default_str();
  Option default_str(const std::string& text);
  /// The heading in help under which the flag is listed.
  Option group(const std::string& heading);
  /// One value may hold several, separated by this character.
  Option delimiter(char between);
  /// A flag of several values takes one value each time it is given.
  Option one_value_each_time();
  /// Refuses both flags together.
  Option excludes(Option other);

  /// `test` returns why a value is refused, or "".
  Option check(std::function<std::string(const std::string&)> test);
  /// int, unsigned, std::int64_t, std::uint64_t or double; both ends are allowed.
  template <class Number>
  Option range(Number least, Number most);
  Option positive();
  Option one_of(const std::vector<std::string>& words);
  Option existing_file();
  /// Bytes with a suffix: 16M, 1G.
  Option with_size_suffix();
  /// A number with one of these units, which multiply it.
  Option with_unit(const std::map<std::string, std::int64_t>& units);

  [[nodiscard]] CLI::Option& handle() const noexcept { return *option_; }

 private:
  CLI::Option* option_;
};

/// A command that is being declared: a handle to a command that the program owns.
class Command {
 public:
  explicit Command(CLI::App& app) noexcept : app_(&app) {}

  /// A flag with a value ("--bound", "-v,--verbose") or, without dashes, an operand. `value` holds the
  /// default and must live until the command line has been read. Types: those that command.cpp instantiates.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& description);
  /// A flag without a value.
  Option add_flag(const std::string& name, bool& value, const std::string& description);

  /// A command below this one without common flags of its own: this command's common flags are accepted after
  /// its name too.
  Command add_subcommand(const std::string& name, const std::string& description);
  /// One of the commands below this one must be named.
  void require_subcommand();
  /// Leaves the command out of help, manual and completion.
  void hide();

  [[nodiscard]] CLI::App& handle() const noexcept { return *app_; }

 private:
  CLI::App* app_;
};

}  // namespace akin::cli
