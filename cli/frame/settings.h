// Where the options that all commands share, and those of the server, get their values from: flag, else
// environment, else configuration file, else default. Works on the command line's own description (CLI::App),
// so an option that is added there gets its key and its variable automatically.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "cli/frame/settings_file.h"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace akin::cli {

/// How an option's value is written in a file.
enum class ValueKind {
  flag,    ///< true or false
  number,  ///< a number, or a text such as "1G"
  text,
};

/// An option that can be set by file and environment. Pointers belong to the program.
struct Setting {
  CLI::App* command = nullptr;  ///< the program itself for options that all commands share
  CLI::Option* option = nullptr;
  std::string section;   ///< "serve", or empty for the shared ones
  std::string key;       ///< the flag without "--"
  std::string variable;  ///< of the environment
  ValueKind kind = ValueKind::text;
  bool repeatable = false;

  /// "serve.listen"
  [[nodiscard]] std::string name() const { return section.empty() ? key : section + "." + key; }
};

/// Every setting: the shared ones first, then those of the server.
[[nodiscard]] std::vector<Setting> all_settings(CLI::App& program);

enum class Source { flag, environment, file, fallback };

/// A setting's value and where it came from.
struct SettingValue {
  const Setting* setting = nullptr;
  std::vector<std::string> values;  ///< empty: not set
  Source source = Source::fallback;
  std::string place;  ///< "environment AKIN_DATA", "akin.toml line 3", "flag", "default"
};

class Settings {
 public:
  /// `program` outlives this.
  explicit Settings(CLI::App& program) : program_(program), settings_(all_settings(program)) {}

  /// The file that --config or AKIN_CONFIG names.
  [[nodiscard]] std::optional<std::filesystem::path> file() const;

  /// Reads file and environment. Returns all errors: keys without an option, values of the wrong kind. If no
  /// command has settings, the file's sections are left out.
  [[nodiscard]] std::vector<Error> read(const std::optional<std::filesystem::path>& file);

  /// Gives the options of the called commands the values that were read, unless a flag has set them. The
  /// error is that of the first value that an option refuses.
  [[nodiscard]] Result<void> apply();

  /// Whether file or environment set this setting of all commands.
  [[nodiscard]] bool gives(std::string_view key) const;

  /// Gives every option of every command the values that were read; returns what the options refuse.
  [[nodiscard]] std::vector<Error> try_all();

  /// Variables with the prefix of a command's settings that set nothing, such as a mistyped one. Not errors:
  /// a platform makes variables of this kind for a service of that name.
  [[nodiscard]] std::vector<Error> unknown_variables() const;

  /// All settings in the order of `all_settings`.
  [[nodiscard]] std::vector<SettingValue> values() const;

 private:
  CLI::App& program_;
  std::vector<Setting> settings_;
  std::vector<SettingValue> given_;  // highest precedence first: environment, then file

  void read_environment(std::vector<Error>& errors);
  void read_entry(const FileEntry& entry, const std::string& file, std::vector<Error>& errors);
  [[nodiscard]] bool is_section(const std::string& section) const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::vector<std::string> sections() const;
};

}  // namespace akin::cli
