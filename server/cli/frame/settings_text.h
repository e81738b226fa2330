// Settings as text: TOML, JSON, a commented file, tables in Markdown.
#pragma once

#include <string>
#include <vector>

#include "server/cli/frame/settings.h"

namespace akin::cli {

/// A file that sets every option to its current value, each line with a comment that names the value's
/// origin; options that are not set are commented out.
[[nodiscard]] std::string settings_toml(const std::vector<SettingValue>& values);

/// {"settings":[{"key","value","source","place","variable"},…]} in one line; value null: not set.
[[nodiscard]] std::string settings_json(const std::vector<SettingValue>& values);

/// A file that explains every option and shows its default, commented out; values other than the default are
/// set.
[[nodiscard]] std::string settings_template(const std::vector<SettingValue>& values);

/// A Markdown table for each section. Uses only the settings, not their values.
[[nodiscard]] std::string settings_reference(const std::vector<SettingValue>& values);

/// What to write as a value, with its range: "true or false", "N, 0 to 1024", "DIR".
[[nodiscard]] std::string value_form(const CLI::Option& option);

}  // namespace akin::cli
