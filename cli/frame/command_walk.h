// The command line's description of itself, for manual pages and completion: its commands, and what can
// complete the value of an option.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace akin::cli {

/// A command that help shows.
struct CommandNode {
  const CLI::App* app = nullptr;
  std::string path;  ///< "config show"; empty for the program itself
};

/// The program, then all commands that are not hidden, each before those below it.
[[nodiscard]] std::vector<CommandNode> visible_commands(const CLI::App& program);

/// The commands directly below one.
[[nodiscard]] std::vector<const CLI::App*> visible_below(const CLI::App& command);

/// Flags that are not hidden, a command's own before those that every command takes; and operands (which have
/// no dashes).
[[nodiscard]] std::vector<const CLI::Option*> visible_flags(const CLI::App& command);
[[nodiscard]] std::vector<const CLI::Option*> operands(const CLI::App& command);

/// What an option's value can be completed with.
enum class Completion { nothing, file, folder, word, command };
[[nodiscard]] Completion completion_of(const CLI::Option& option);

/// "-h, --help"
[[nodiscard]] std::string flag_names(const CLI::Option& option);

/// Does a flag take a value?
[[nodiscard]] bool takes_value(const CLI::Option& option);

/// The words that an option takes, if it takes only some.
[[nodiscard]] std::vector<std::string> choices(const CLI::Option& option);

/// A description in one line.
[[nodiscard]] std::string in_one_line(std::string text);

}  // namespace akin::cli
