#include "cli/frame/help.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "cli/frame/command_walk.h"
#include "cli/frame/settings_text.h"
#include "cli/frame/spelling.h"
#include "morph/schemes/scheme.h"

namespace akin::cli {

namespace {

constexpr std::size_t kHelpColumns = 100;
/// The explanation of a longer name starts on the next line.
constexpr std::size_t kLongestName = 26;

/// A name and what it means.
struct HelpRow {
  std::string name;
  std::string meaning;
};

/// Wraps `text` into lines. The first one starts at column `indent`; the others are indented to it.
std::string wrapped(const std::string& text, std::size_t indent) {
  std::string lines;
  std::size_t column = indent;
  for (const std::string& word : CLI::detail::split(text, ' ')) {
    const std::size_t length = count_code_points(word);
    if (column > indent && column + 1 + length > kHelpColumns) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += " ";
      ++column;
    }
    lines += word;
    column += length;
  }
  return lines;
}

std::string section(const std::string& heading, const std::vector<HelpRow>& rows) {
  if (rows.empty()) return "";
  std::size_t width = 0;
  for (const HelpRow& row : rows) {
    if (row.name.size() <= kLongestName) width = std::max(width, row.name.size());
  }
  const std::size_t indent = width + 4;
  std::string text = "\n" + heading + ":\n";
  for (const HelpRow& row : rows) {
    const bool fits = row.name.size() <= width;
    text += "  " + row.name +
            (fits ? std::string(indent - 2 - row.name.size(), ' ') : "\n" + std::string(indent, ' '));
    text += wrapped(row.meaning, indent) + "\n";
  }
  return text;
}

/// "N, 1 to 64, or a list" as {"N", "1 to 64"}.
std::pair<std::string, std::string> word_and_limits(const CLI::Option& option) {
  std::string form = value_form(option);
  constexpr std::string_view kList = ", or a list";
  if (form.ends_with(kList)) form.erase(form.size() - kList.size());
  const auto comma = form.find(", ");
  if (comma == std::string::npos) return {form, ""};
  return {form.substr(0, comma), form.substr(comma + 2)};
}

std::string meaning(const CLI::Option& option) {
  std::vector<std::string> notes;
  if (takes_value(option)) {
    const std::string limits = word_and_limits(option).second;
    const auto words = choices(option);
    if (!limits.empty()) notes.push_back(words.empty() ? limits : "one of " + CLI::detail::join(words, ", "));
    if (const std::string fallback = option.get_default_str(); !fallback.empty()) {
      notes.push_back("default: " + fallback);
    }
  }
  if (option.get_required() && option.nonpositional()) notes.emplace_back("required");
  const std::string text = in_one_line(option.get_description());
  return notes.empty() ? text : text + " (" + CLI::detail::join(notes, "; ") + ")";
}

HelpRow flag_row(const CLI::Option& option) {
  std::string name = flag_names(option);
  if (takes_value(option)) name += " " + word_and_limits(option).first;
  return {std::move(name), meaning(option)};
}

/// Flags by their headings, in the order of the first flag of each.
std::vector<std::pair<std::string, std::vector<HelpRow>>> flag_sections(const CLI::App& command) {
  std::vector<std::pair<std::string, std::vector<HelpRow>>> sections;
  for (const CLI::Option* option : visible_flags(command)) {
    const std::string heading = option->get_group() == "Options" ? "Flags" : option->get_group();
    const auto known =
        std::find_if(sections.begin(), sections.end(), [&](const auto& one) { return one.first == heading; });
    auto& rows = known != sections.end() ? known->second
                                         : sections.emplace_back(heading, std::vector<HelpRow>()).second;
    rows.push_back(flag_row(*option));
  }
  return sections;
}

std::string operand_word(const CLI::Option& operand) {
  const std::string word = operand.get_name(true) + (operand.get_items_expected_max() > 1 ? "..." : "");
  return operand.get_required() ? word : "[" + word + "]";
}

std::string usage(const CLI::App& command) {
  std::string line = "\nUsage: " + full_command(command);
  if (!visible_below(command).empty()) line += " COMMAND";
  if (command.get_parent() == nullptr) line += " [ARGUMENTS]";
  for (const CLI::Option* operand : operands(command)) line += " " + operand_word(*operand);
  return line + " [FLAGS]\n";
}

std::string operand_section(const CLI::App& command) {
  std::vector<HelpRow> rows;
  for (const CLI::Option* operand : operands(command)) {
    rows.push_back({operand->get_name(true), meaning(*operand)});
  }
  return section("Arguments", rows);
}

/// The commands below one, by their headings, without `help`, which the page's text explains.
std::string command_sections(const CLI::App& command) {
  std::string text;
  std::string heading;
  std::vector<HelpRow> rows;
  for (const CLI::App* inner : visible_below(command)) {
    if (inner->get_name() == "help") continue;
    if (inner->get_group() != heading) {
      text += section(heading, rows);
      rows.clear();
      heading = inner->get_group();
    }
    rows.push_back({inner->get_name(), in_one_line(inner->get_description())});
  }
  return text + section(heading, rows);
}

}  // namespace

std::string help_page(const CLI::App& command) {
  std::string own;
  std::string common;
  for (const auto& [heading, rows] : flag_sections(command)) {
    const bool shared = heading == kCommonFlags || heading == kStoreFlags;
    (shared ? common : own) += section(heading, rows);
  }
  const std::string footer = command.get_footer();
  return command.get_description() + "\n" + usage(command) +
         (command.get_parent() == nullptr ? "\n" + footer + "\n" + command_sections(command) + own + common
                                          : operand_section(command) + command_sections(command) + own +
                                                (footer.empty() ? "" : "\n" + footer + "\n") + common);
}

Result<std::string> help_page_of(const CLI::App& program, const std::vector<std::string>& path) {
  const CLI::App* command = &program;
  for (const std::string& word : path) {
    const auto below = visible_below(*command);
    const auto named = std::find_if(below.begin(), below.end(),
                                    [&](const CLI::App* one) { return one->get_name() == word; });
    if (named == below.end()) return unknown_command(*command, word);
    command = *named;
  }
  return help_page(*command);
}

std::string schemes_page() {
  std::string page =
      "A scheme turns a text into the features that are compared. --scheme chooses it when a collection is\n"
      "created; akin reindex --scheme changes it. Omitted parameters have the values shown:\n"
      "shingles(w=4) is a scheme. In a shell, put parentheses in quotes.\n";
  for (const SchemeKind& kind : scheme_kinds()) {
    page += "\n  " + std::string(kind.spelling) + "\n      " + wrapped(std::string(kind.meaning), 6) + "\n";
  }
  page += "\nPresets, for --preset, are schemes by purpose:\n";
  for (const Preset& preset : presets()) {
    page += "\n  " + std::string(preset.name) + "  " + std::string(preset.scheme) + "\n      " +
            wrapped(std::string(preset.meaning), 6) + "\n";
  }
  return page;
}

Error unknown_command(const CLI::App& parent, const std::string& word) {
  for (const CLI::App* inner : parent.get_subcommands(nullptr)) {
    if (inner->get_prefix_command() && inner->get_name() == word) return command_elsewhere(*inner);
  }
  std::vector<std::string> names;
  for (const CLI::App* inner : visible_below(parent)) names.push_back(inner->get_name());
  const std::string path = command_path(parent);
  std::string program = full_command(parent);
  if (!path.empty()) program.erase(program.size() - path.size() - 1);
  return {Errc::invalid_argument, "'" + (path.empty() ? "" : path + " ") + word + "'", "is not a command",
          did_you_mean(word, names) +
              (path.empty() ? program + " help lists all" : "see " + program + " help " + path)};
}

Error command_elsewhere(const CLI::App& command) {
  const std::string call = command.get_description() + " " + command.get_name();
  return {Errc::invalid_argument, "'" + command.get_name() + "'",
          "is a command of " + command.get_description(), "call " + call};
}

std::string full_command(const CLI::App& command) {
  const CLI::App* outer = command.get_parent();
  return outer == nullptr ? command.get_name() : full_command(*outer) + " " + command.get_name();
}

std::string help_hint(const CLI::App& command) { return "see " + full_command(command) + " --help"; }

std::string command_path(const CLI::App& command) {
  const CLI::App* outer = command.get_parent();
  if (outer == nullptr) return "";
  const std::string path = command_path(*outer);
  return path.empty() ? command.get_name() : path + " " + command.get_name();
}

}  // namespace akin::cli
