// What a command's file declares its flags with. The library that parses command lines stays inside
// program.cpp and its neighbours: its header is 80,000 lines, which every command would read and instantiate
// again.
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

/// A flag or operand that is being declared: a handle that the program owns. Every function returns the
/// handle itself.
class Option {
 public:
  explicit Option(CLI::Option& option) noexcept : option_(&option) {}

  Option required();
  /// The word for the value in help. "" prints none.
  Option type_name(const std::string& word);
  /// The default as help prints it: the variable's present value, or a text.
  Option capture_default_str();
  Option default_str(const std::string& text);
  /// The heading of help under which the flag is listed.
  Option group(const std::string& heading);
  /// One value may hold several, divided by this character.
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
  Option existing_folder();
  /// Bytes with a suffix: 16M, 1G.
  Option with_size_suffix();
  /// A number with one of these units, which multiply it.
  Option with_unit(const std::map<std::string, std::int64_t>& units);

  [[nodiscard]] CLI::Option& handle() const noexcept { return *option_; }

 private:
  CLI::Option* option_;
};

/// A command that is being declared: a handle that the program owns.
class Command {
 public:
  explicit Command(CLI::App& app) noexcept : app_(&app) {}

  /// A flag with a value ("--bound", "-v,--verbose") or, without dashes, an operand. `value` keeps the
  /// default until the command line is read; it must live until then. Types: those that command.cpp
  /// instantiates.
  template <class Value>
  Option add_option(const std::string& name, Value& value, const std::string& description);
  /// A flag without a value.
  Option add_flag(const std::string& name, bool& value, const std::string& description);
  /// A flag whose values go to a function; given again, all of them at once.
  Option add_values(const std::string& name, std::function<void(const std::vector<std::string>&)> take,
                    const std::string& description);

  /// Takes a common flag away, for one of the command's own by the same name.
  void remove_option(const std::string& name);
  /// A command below this one without common flags of its own: those of this command are taken after its name
  /// too.
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
