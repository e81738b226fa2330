// Settings as text: TOML and JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/frame/settings.h"

namespace akin::cli {

enum class SettingsView {
  current,    ///< each option with its value, and the value's origin in a comment
  explained,  ///< each option below what it means; commented out if nothing has set it
};

/// A configuration file with every option.
[[nodiscard]] std::string settings_toml(const std::vector<SettingValue>& values, SettingsView view);

/// {"settings":[{"key","value","source","place","variable","form","default","meaning"},…]} in one line; value
/// null: not set.
[[nodiscard]] std::string settings_json(const std::vector<SettingValue>& values);

/// What to write as a value, with its range: "true or false", "N, 0 to 1024", "DIR".
[[nodiscard]] std::string value_form(const CLI::Option& option);

}  // namespace akin::cli
