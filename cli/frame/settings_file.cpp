#include "cli/frame/settings_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <sstream>

#include "server/ingest/input.h"

namespace akin::cli {

namespace {

constexpr const char* kRemedy = "correct the file, then run akin config check FILE";

std::string number_text(double number) {
  char digits[32];
  const auto [end, failure] = std::to_chars(std::begin(digits), std::end(digits), number);
  return failure == std::errc{} ? std::string(std::begin(digits), end) : std::string();
}

/// Text or number as text; false for anything else.
bool scalar(const toml::node& node, FileEntry& entry) {
  if (const auto* text = node.as_string()) {
    entry.kind = FileValue::text;
    entry.values.push_back(text->get());
  } else if (const auto* whole = node.as_integer()) {
    entry.kind = FileValue::number;
    entry.values.push_back(std::to_string(whole->get()));
  } else if (const auto* floating = node.as_floating_point()) {
    entry.kind = FileValue::number;
    entry.values.push_back(number_text(floating->get()));
  } else {
    return false;
  }
  return true;
}

void read_value(const toml::node& node, FileEntry& entry) {
  if (scalar(node, entry)) return;
  if (const auto* boolean = node.as_boolean()) {
    entry.kind = FileValue::boolean;
    entry.values.emplace_back(boolean->get() ? "true" : "false");
  } else if (const auto* array = node.as_array()) {
    const bool scalars =
        std::all_of(array->begin(), array->end(), [&](const toml::node& one) { return scalar(one, entry); });
    entry.kind = scalars ? FileValue::list : FileValue::other;
  }
}

void collect(const toml::table& table, const std::string& section, std::vector<FileEntry>& entries) {
  for (const auto& [key, node] : table) {
    FileEntry entry{section, std::string(key.str()), FileValue::other, {}, key.source().begin.line};
    if (const toml::table* inner = node.as_table()) {
      entry.kind = FileValue::table;
      entries.push_back(entry);
      collect(*inner, section.empty() ? entry.key : section + "." + entry.key, entries);
    } else {
      read_value(node, entry);
      entries.push_back(std::move(entry));
    }
  }
}

}  // namespace

Result<std::vector<FileEntry>> parse_settings(std::string_view text, const std::string& name) {
  std::vector<FileEntry> entries;
  try {
    collect(toml::parse(text), "", entries);
  } catch (const toml::parse_error& error) {
    const auto& place = error.source().begin;
    return Error{Errc::invalid_argument,
                 name + " line " + std::to_string(place.line) + " column " + std::to_string(place.column),
                 "not TOML: " + std::string(error.description()), kRemedy};
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const FileEntry& a, const FileEntry& b) { return a.line < b.line; });
  return entries;
}

Result<std::vector<FileEntry>> read_settings_file(const std::filesystem::path& path) {
  const std::string name = ingest::display_name(path);
  std::error_code status;
  if (std::filesystem::is_directory(path, status)) {
    return Error{Errc::invalid_argument, name, "is a folder, not a configuration file",
                 "name a TOML file with --config"};
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return system_error(errno, name, "read the configuration");
  std::string text(kMaxSettingsBytes + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return system_error(EIO, name, "read the configuration");
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxSettingsBytes) {
    return Error{Errc::too_large, name, "larger than a configuration file can be (1 MiB)",
                 "name a TOML file with --config"};
  }
  return parse_settings(text, name);
}

std::string toml_string(std::string_view text) {
  std::ostringstream out;
  out << toml::toml_formatter{toml::value<std::string>{std::string(text)},
                              toml::format_flags::allow_unicode_strings};
  return out.str();
}

}  // namespace akin::cli
