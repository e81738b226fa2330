#include "cli/frame/settings.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <cstring>

#include "base/ascii.h"
#include "cli/frame/help.h"
#include "cli/frame/spelling.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

std::string upper(std::string name) {
  for (char& letter : name) {
    letter = std::isalnum(static_cast<unsigned char>(letter)) != 0
                 ? static_cast<char>(std::toupper(static_cast<unsigned char>(letter)))
                 : '_';
  }
  return name;
}

/// "64", "0.5", "1G", "30s"
bool looks_numeric(const std::string& text) {
  const auto digits = text.find_first_not_of("0123456789.");
  if (text.empty() || digits == 0) return false;
  return digits == std::string::npos ||
         (text.size() - digits <= 3 &&
          std::all_of(text.begin() + static_cast<std::ptrdiff_t>(digits), text.end(),
                      [](unsigned char c) { return std::isalpha(c) != 0; }));
}

ValueKind kind_of(const CLI::Option& option) {
  constexpr std::array kNumbers = {"N", "SHARE", "BYTES", "SIZE", "S", "MS", "UINT", "INT", "FLOAT"};
  if (option.get_items_expected_max() == 0) return ValueKind::flag;
  const std::string type = option.get_type_name();
  const std::string word = type.substr(0, type.find(':'));
  const bool number = std::find(kNumbers.begin(), kNumbers.end(), word) != kNumbers.end() ||
                      looks_numeric(option.get_default_str());
  return number ? ValueKind::number : ValueKind::text;
}

void add_settings(CLI::App& command, CLI::App& program, const std::string& section,
                  std::vector<Setting>& settings) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_lnames().empty() || !option->get_configurable() || option == command.get_help_ptr() ||
        option == program.get_version_ptr()) {
      continue;
    }
    const std::string& key = option->get_lnames().front();
    if (&command != &program && program.get_option_no_throw("--" + key) != nullptr) continue;
    settings.push_back({&command, option, section, key,
                        "AKIN_" + (section.empty() ? "" : upper(section) + "_") + upper(key),
                        kind_of(*option), option->get_items_expected_max() > 1});
  }
}

/// The program and the commands that were called, outermost first.
std::vector<CLI::App*> called(CLI::App& program) {
  std::vector<CLI::App*> chain = {&program};
  while (!chain.back()->get_subcommands().empty()) chain.push_back(chain.back()->get_subcommands().front());
  return chain;
}

/// The values that flags gave an option; a shared flag may also come after a command.
std::vector<std::string> flag_values(CLI::App& program, const Setting& setting) {
  if (setting.option->count() > 0) return setting.option->results();
  if (setting.command != &program) return {};
  for (CLI::App* command : called(program)) {
    const CLI::Option* option = command->get_option_no_throw("--" + setting.key);
    if (option != nullptr && option->count() > 0) return option->results();
  }
  return {};
}

Error wrong(const std::string& place, const std::string& reason, const std::string& remedy) {
  return {Errc::invalid_argument, place, reason, remedy};
}

/// Why a value of the file is not of the setting's kind; empty if it is.
std::string kind_mismatch(const Setting& setting, FileValue kind) {
  if (setting.kind == ValueKind::flag) return kind == FileValue::boolean ? "" : "must be true or false";
  if (kind == FileValue::list) return setting.repeatable ? "" : "takes one value, not a list";
  if (kind == FileValue::text) return "";
  if (setting.kind == ValueKind::text) return "must be a text in quotes";
  return kind == FileValue::number ? "" : "must be a number";
}

/// "true" or "false" for the words that a variable may hold; nothing for other words.
std::optional<std::string> switch_word(std::string_view given) {
  const std::string word = ascii_lower(given);
  for (const char* yes : {"1", "true", "yes", "on"}) {
    if (word == yes) return "true";
  }
  for (const char* no : {"0", "false", "no", "off"}) {
    if (word == no) return "false";
  }
  return std::nullopt;
}

std::vector<std::string> split_paths(const std::string& list) {
  std::vector<std::string> paths;
  for (const std::string_view path : split(list, ':')) {
    if (!path.empty()) paths.emplace_back(path);
  }
  return paths;
}

/// Gives the option the values as a flag would. The error is what the option refuses.
Result<void> give(const SettingValue& value) {
  CLI::Option& option = *value.setting->option;
  try {
    if (value.setting->kind == ValueKind::flag) {
      option.add_result(option.get_flag_value(value.setting->key, value.values.front()));
    } else {
      option.add_result(value.values);
    }
    option.run_callback();
  } catch (const CLI::Error& refusal) {
    std::string reason = refusal.what();
    const std::string flag = option.get_name() + ": ";
    if (reason.starts_with(flag)) reason.erase(0, flag.size());
    return wrong(value.place + ": " + value.setting->name(), reason, help_hint(*value.setting->command));
  }
  return {};
}

}  // namespace

std::vector<Setting> all_settings(CLI::App& program) {
  std::vector<Setting> settings;
  add_settings(program, program, "", settings);
  // What runs unattended is configured; the flags of other commands say what is wanted once.
  for (CLI::App* server : program.get_subcommands([](CLI::App* one) { return one->get_name() == "serve"; }))
    add_settings(*server, program, server->get_name(), settings);
  return settings;
}

std::optional<std::filesystem::path> Settings::file() const {
  const auto chain = called(program_);
  for (auto command = chain.rbegin(); command != chain.rend(); ++command) {
    const CLI::Option* option = (*command)->get_option_no_throw("--config");
    if (option != nullptr && option->count() > 0 && !option->results().back().empty()) {
      return option->results().back();
    }
  }
  const char* variable = std::getenv("AKIN_CONFIG");
  if (variable != nullptr && *variable != '\0') return variable;
  return std::nullopt;
}

std::vector<Error> Settings::read(const std::optional<std::filesystem::path>& file) {
  std::vector<Error> errors;
  given_.clear();
  read_environment(errors);
  if (!file) return errors;
  auto entries = read_settings_file(*file);
  if (entries.has_error()) {
    errors.push_back(entries.error());
    return errors;
  }
  for (const FileEntry& entry : *entries) read_entry(entry, ingest::display_name(*file), errors);
  return errors;
}

void Settings::read_environment(std::vector<Error>& errors) {
  for (const Setting& setting : settings_) {
    const char* text = std::getenv(setting.variable.c_str());
    if (text == nullptr || *text == '\0') continue;
    SettingValue value{&setting, {text}, Source::environment, "environment " + setting.variable};
    if (setting.kind == ValueKind::flag) {
      const auto word = switch_word(text);
      if (!word) {
        errors.push_back(wrong(value.place, "must be true or false, not '" + std::string(text) + "'",
                               help_hint(*setting.command)));
        continue;
      }
      value.values = {*word};
    } else if (setting.repeatable && setting.option->get_delimiter() == '\0') {
      value.values = split_paths(text);
      if (value.values.empty()) continue;
    }
    given_.push_back(std::move(value));
  }
}

std::vector<Error> Settings::unknown_variables() const {
  std::vector<std::string> known, prefixes;
  for (const Setting& setting : settings_) {
    if (setting.section.empty()) continue;
    known.push_back(setting.variable);
    prefixes.push_back(setting.variable.substr(0, setting.variable.size() - setting.key.size()));
  }
  std::vector<Error> unknown;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string name(*variable, std::strcspn(*variable, "="));
    const auto begins_name = [&](const std::string& prefix) { return name.starts_with(prefix); };
    if (std::ranges::none_of(prefixes, begins_name) || std::ranges::find(known, name) != known.end())
      continue;
    unknown.push_back(wrong("environment " + name, "no such setting",
                            did_you_mean(name, known) + "akin config show lists all settings"));
  }
  return unknown;
}

bool Settings::is_section(const std::string& section) const {
  return std::any_of(settings_.begin(), settings_.end(), [&](const Setting& setting) {
    return setting.section == section || setting.section.starts_with(section + ".");
  });
}

std::vector<std::string> Settings::names() const {
  std::vector<std::string> all;
  for (const Setting& setting : settings_) all.push_back(setting.name());
  return all;
}

std::vector<std::string> Settings::sections() const {
  std::vector<std::string> all;
  for (const Setting& setting : settings_) {
    if (!setting.section.empty()) all.push_back(setting.section);
  }
  return all;
}

void Settings::read_entry(const FileEntry& entry, const std::string& file, std::vector<Error>& errors) {
  const std::string name = entry.section.empty() ? entry.key : entry.section + "." + entry.key;
  const std::string place = file + " line " + std::to_string(entry.line);
  const bool for_common_flags_only = sections().empty();
  if (for_common_flags_only && (entry.kind == FileValue::table || !entry.section.empty())) return;
  if (entry.kind == FileValue::table) {
    if (!is_section(name)) {
      errors.push_back(wrong(place + ": [" + name + "]", "there is no such section",
                             did_you_mean(name, sections()) +
                                 "the only one is [serve]; flags of other commands are not configured"));
    }
    return;
  }
  if (!entry.section.empty() && !is_section(entry.section)) return;  // the section itself has been reported
  const auto setting = std::find_if(settings_.begin(), settings_.end(),
                                    [&](const Setting& one) { return one.name() == name; });
  if (setting == settings_.end()) {
    const bool shared = std::any_of(settings_.begin(), settings_.end(), [&](const Setting& one) {
      return one.section.empty() && one.key == entry.key;
    });
    errors.push_back(wrong(place + ": " + name, "no such setting",
                           shared ? "'" + entry.key + "' applies to all commands: write it above all sections"
                                  : did_you_mean(name, names()) + "akin config show lists all settings"));
    return;
  }
  if (const std::string mismatch = kind_mismatch(*setting, entry.kind); !mismatch.empty()) {
    errors.push_back(wrong(place + ": " + name, mismatch, help_hint(*setting->command)));
    return;
  }
  if (!entry.values.empty()) given_.push_back({&*setting, entry.values, Source::file, place});
}

Result<void> Settings::apply() {
  const auto chain = called(program_);
  for (const SettingValue& value : given_) {
    const bool called_command = std::find(chain.begin(), chain.end(), value.setting->command) != chain.end();
    if (called_command && flag_values(program_, *value.setting).empty()) AKIN_CHECK(give(value));
  }
  return {};
}

bool Settings::gives(std::string_view key) const {
  return std::ranges::any_of(given_, [&](const SettingValue& value) {
    return value.setting->section.empty() && value.setting->key == key;
  });
}

std::vector<Error> Settings::try_all() {
  std::vector<Error> errors;
  for (const SettingValue& value : given_) {
    value.setting->option->clear();
    const auto given = give(value);
    if (given.has_error()) errors.push_back(given.error());
  }
  return errors;
}

std::vector<SettingValue> Settings::values() const {
  std::vector<SettingValue> all;
  for (const Setting& setting : settings_) {
    SettingValue value{&setting, flag_values(program_, setting), Source::flag, "flag"};
    if (value.values.empty()) {
      const auto given = std::find_if(given_.begin(), given_.end(),
                                      [&](const SettingValue& one) { return one.setting == &setting; });
      value = given != given_.end() ? *given : SettingValue{&setting, {}, Source::fallback, "default"};
    }
    if (value.source == Source::fallback) {
      const std::string fallback = setting.option->get_default_str();
      if (setting.kind == ValueKind::flag) {
        value.values = {fallback.empty() ? "false" : fallback};
      } else if (!fallback.empty()) {
        value.values = {fallback};
      }
    }
    all.push_back(std::move(value));
  }
  return all;
}

}  // namespace akin::cli
