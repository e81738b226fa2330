#include "server/cli/frame/settings_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "server/api/objects.h"

namespace akin::cli {

namespace {

/// Whether TOML would read the text as a number.
bool plain_number(const std::string& text) {
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failure == std::errc{} && end == text.data() + text.size() &&
         text.find_first_not_of("0123456789.") == std::string::npos && !text.starts_with('.') &&
         !text.ends_with('.') && (text.size() == 1 || text[0] != '0' || text[1] == '.');
}

std::string toml_scalar(ValueKind kind, const std::string& text) {
  const bool bare = kind == ValueKind::flag || (kind == ValueKind::number && plain_number(text));
  return bare ? text : toml_string(text);
}

std::string toml_value(const Setting& setting, const std::vector<std::string>& values) {
  if (!setting.repeatable) return toml_scalar(setting.kind, values.front());
  std::string list = "[";
  for (const std::string& value : values) {
    if (list.size() > 1) list += ", ";
    list += toml_scalar(setting.kind, value);
  }
  return list + "]";
}

std::string words(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

/// Calls `line(value)` for each setting, and `heading(section)` before the first one of a section.
template <class Heading, class Line>
void by_section(const std::vector<SettingValue>& values, const Heading& heading, const Line& line) {
  const std::string* section = nullptr;
  for (const SettingValue& value : values) {
    if (section == nullptr || *section != value.setting->section) {
      section = &value.setting->section;
      heading(*section);
    }
    line(value);
  }
}

api::Json json_scalar(ValueKind kind, const std::string& text) {
  if (kind == ValueKind::flag) return text == "true";
  if (kind == ValueKind::number && plain_number(text)) return api::Json::parse(text);
  return text;
}

api::Json json_value(const SettingValue& value) {
  if (value.values.empty()) return nullptr;
  if (!value.setting->repeatable) return json_scalar(value.setting->kind, value.values.front());
  auto list = api::Json::array();
  for (const std::string& one : value.values) list.push_back(json_scalar(value.setting->kind, one));
  return list;
}

const char* source_name(Source source) {
  switch (source) {
    case Source::flag:
      return "flag";
    case Source::environment:
      return "environment";
    case Source::file:
      return "file";
    case Source::fallback:
      return "default";
  }
  return "default";
}

/// A table cell: a bar would end it, and "<!--" would start a comment.
std::string cell(const std::string& text) {
  std::string safe;
  for (const char letter : words(text)) {
    if (letter == '|' || letter == '<') safe += '\\';
    safe += letter;
  }
  return safe;
}

/// "[1 - 64]" as "1 to 64"
std::string range_words(const std::string& range) {
  const auto open = range.find('[');
  const auto dash = range.find(" - ", open);
  if (open == std::string::npos || dash == std::string::npos || !range.ends_with(']')) return range;
  return range.substr(open + 1, dash - open - 1) + " to " + range.substr(dash + 3, range.size() - dash - 4);
}

}  // namespace

std::string value_form(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "true or false";
  const std::string type = option.get_type_name();
  const auto colon = type.find(':');
  const bool port = type.starts_with("HOST:PORT");
  const auto end = port ? std::string("HOST:PORT").size() : std::min(colon, type.size());
  std::string form = type.substr(0, end);
  if (form.empty()) form = "TEXT";
  if (form == "UINT" || form == "INT") form = "N";
  if (form == "FLOAT") form = "NUMBER";
  const std::string checks = end < type.size() ? type.substr(end + 1) : "";
  if (const auto range = checks.find('['); range != std::string::npos) {
    form += ", " + range_words(checks.substr(range, checks.find(']', range) + 1 - range));
  } else if (const auto choices = checks.find('{'); choices != std::string::npos) {
    form += ", " + checks.substr(choices + 1, checks.find('}', choices) - choices - 1);
  }
  if (option.get_items_expected_max() > 1) form += ", or a list";
  return form;
}

std::string settings_toml(const std::vector<SettingValue>& values) {
  std::string out;
  by_section(
      values,
      [&](const std::string& section) {
        if (!section.empty()) out += "\n[" + section + "]\n";
      },
      [&](const SettingValue& value) {
        const Setting& setting = *value.setting;
        if (value.values.empty()) {
          out += "# " + setting.key + " is not set\n";
        } else {
          out += setting.key + " = " + toml_value(setting, value.values) + "  # " + value.place + "\n";
        }
      });
  return out;
}

std::string settings_json(const std::vector<SettingValue>& values) {
  auto list = api::Json::array();
  for (const SettingValue& value : values) {
    list.push_back({{"key", value.setting->name()},
                    {"value", json_value(value)},
                    {"source", source_name(value.source)},
                    {"place", value.place},
                    {"variable", value.setting->variable}});
  }
  return json::compact({{"settings", std::move(list)}}) + "\n";
}

std::string settings_template(const std::vector<SettingValue>& values) {
  std::string out =
      "# Configuration of akin, in TOML. Lines that are commented out show the defaults.\n"
      "# akin COMMAND --help explains the settings; akin config check FILE checks a changed file.\n"
      "\n# For all commands.\n";
  by_section(
      values,
      [&](const std::string& section) {
        if (!section.empty()) out += "\n[" + section + "]\n";
      },
      [&](const SettingValue& value) {
        const Setting& setting = *value.setting;
        out +=
            "\n# " + words(setting.option->get_description()) + "\n# (" + value_form(*setting.option) + ")\n";
        if (value.values.empty()) {
          out += "#" + setting.key + " =\n";
        } else {
          out += (value.source == Source::fallback ? "#" : "") + setting.key + " = " +
                 toml_value(setting, value.values) + "\n";
        }
      });
  return out;
}

std::string settings_reference(const std::vector<SettingValue>& values) {
  std::string out;
  by_section(
      values,
      [&](const std::string& section) {
        out += section.empty() ? "\n## All commands\n" : "\n## [" + section + "]\n";
        out += "\n| key | variable | value | default | meaning |\n|---|---|---|---|---|\n";
      },
      [&](const SettingValue& value) {
        const Setting& setting = *value.setting;
        const std::string fallback = setting.option->get_default_str();
        out += "| `" + setting.key + "` | `" + setting.variable + "` | " + cell(value_form(*setting.option)) +
               " | " +
               (setting.kind == ValueKind::flag ? "`false`"
                : fallback.empty()              ? "not set"
                                                : "`" + cell(toml_value(setting, {fallback})) + "`") +
               " | " + cell(setting.option->get_description()) + " |\n";
      });
  return out;
}

}  // namespace akin::cli
