#include "cli/frame/settings_text.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

constexpr const char* kTemplateHead =
    "# Configuration of akin, in TOML. Lines that are commented out show the defaults.\n"
    "# akin COMMAND --help explains the settings; akin config check FILE checks a changed file.\n"
    "\n# For all commands.\n";

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

api::Json json_scalar(ValueKind kind, const std::string& text) {
  if (kind == ValueKind::flag) return text == "true";
  if (kind == ValueKind::number && plain_number(text)) return api::Json::parse(text);
  return text;
}

api::Json json_value(const Setting& setting, const std::vector<std::string>& values) {
  if (values.empty()) return nullptr;
  if (!setting.repeatable) return json_scalar(setting.kind, values.front());
  auto list = api::Json::array();
  for (const std::string& one : values) list.push_back(json_scalar(setting.kind, one));
  return list;
}

/// What the option has if nothing sets it; empty if its default is not a value.
std::vector<std::string> default_of(const Setting& setting) {
  if (setting.kind == ValueKind::flag) return {"false"};
  const std::string fallback = setting.option->get_default_str();
  return fallback.empty() ? std::vector<std::string>() : std::vector<std::string>{fallback};
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

std::string settings_toml(const std::vector<SettingValue>& values, SettingsView view) {
  const bool explained = view == SettingsView::explained;
  std::string out = explained ? kTemplateHead : "";
  const std::string* section = nullptr;
  for (const SettingValue& value : values) {
    const Setting& setting = *value.setting;
    if ((section == nullptr || *section != setting.section) && !setting.section.empty())
      out += "\n[" + setting.section + "]\n";
    section = &setting.section;
    if (explained) {
      out +=
          "\n# " + words(setting.option->get_description()) + "\n# (" + value_form(*setting.option) + ")\n";
      if (value.source == Source::fallback) out += "#";
    } else if (value.values.empty()) {
      out += "# " + setting.key + " is not set\n";
      continue;
    }
    out += setting.key + " =" + (value.values.empty() ? "" : " " + toml_value(setting, value.values)) +
           (explained ? "\n" : "  # " + value.place + "\n");
  }
  return out;
}

std::string settings_json(const std::vector<SettingValue>& values) {
  auto list = api::Json::array();
  for (const SettingValue& value : values) {
    list.push_back({{"key", value.setting->name()},
                    {"value", json_value(*value.setting, value.values)},
                    {"source", source_name(value.source)},
                    {"place", value.place},
                    {"variable", value.setting->variable},
                    {"form", value_form(*value.setting->option)},
                    {"default", json_value(*value.setting, default_of(*value.setting))},
                    {"meaning", words(value.setting->option->get_description())}});
  }
  return json::compact({{"settings", std::move(list)}}) + "\n";
}

}  // namespace akin::cli
