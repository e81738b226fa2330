// The pages that --help and `akin help` print.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"

namespace CLI {
class App;
}  // namespace CLI

namespace akin::cli {

/// Headings of the flags that every command takes: those for daily use, and the others.
inline constexpr const char* kCommonFlags = "Common flags (before or after the command)";
/// Set in a file or the environment, and rarely: the help does not list them.
inline constexpr const char* kSettingFlags = "Settings";
inline constexpr const char* kStoreFlags = "Common flags of databases and dictionaries";

/// The page of a command or of the program itself. A command's own flags come first, then its examples, then
/// the common flags; the program's page lists its commands by their headings. Hidden commands and flags are
/// left out. Lines that are wrapped here have at most 100 columns.
[[nodiscard]] std::string help_page(const CLI::App& command);

/// The page of the command with this path, such as {"config", "check"}; {} is the program itself. Error:
/// invalid_argument, which suggests a command with a similar spelling.
[[nodiscard]] Result<std::string> help_page_of(const CLI::App& program, const std::vector<std::string>& path);

/// What `akin help schemes` prints: the kinds of schemes with their parameters.
[[nodiscard]] std::string schemes_page();

/// The error for a word that should name a command below `parent`.
[[nodiscard]] Error unknown_command(const CLI::App& parent, const std::string& word);

/// The error for a command of another program (Program::has_elsewhere).
[[nodiscard]] Error command_elsewhere(const CLI::App& command);

/// "akin config check", "akin"
[[nodiscard]] std::string full_command(const CLI::App& command);

/// "see akin config check --help"
[[nodiscard]] std::string help_hint(const CLI::App& command);

/// "config check": how a command is called, without the program's name.
[[nodiscard]] std::string command_path(const CLI::App& command);

}  // namespace akin::cli
