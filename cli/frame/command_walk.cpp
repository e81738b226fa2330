#include "cli/frame/command_walk.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "cli/frame/help.h"

namespace akin::cli {

namespace {

void collect(const CLI::App& command, const std::string& path, std::vector<CommandNode>& nodes) {
  nodes.push_back({&command, path});
  for (const CLI::App* inner : visible_below(command)) {
    collect(*inner, path.empty() ? inner->get_name() : path + " " + inner->get_name(), nodes);
  }
}

}  // namespace

std::vector<CommandNode> visible_commands(const CLI::App& program) {
  std::vector<CommandNode> nodes;
  collect(program, "", nodes);
  return nodes;
}

std::vector<const CLI::App*> visible_below(const CLI::App& command) {
  return command.get_subcommands([](const CLI::App* one) { return !one->get_group().empty(); });
}

std::vector<const CLI::Option*> visible_flags(const CLI::App& command) {
  std::vector<const CLI::Option*> flags = command.get_options(
      [](const CLI::Option* one) { return one->nonpositional() && one->get_group() != kSettingFlags; });
  std::stable_partition(flags.begin(), flags.end(), [](const CLI::Option* one) {
    return one->get_group() != kCommonFlags && one->get_group() != kStoreFlags;
  });
  return flags;
}

std::vector<const CLI::Option*> operands(const CLI::App& command) {
  return command.get_options([](const CLI::Option* one) { return one->get_positional(); });
}

Completion completion_of(const CLI::Option& option) {
  if (!choices(option).empty()) return Completion::word;
  const std::string type = option.get_type_name();
  std::string word = type.substr(0, type.find(':'));
  if (word.empty()) word = option.get_name(true);
  if (word == "COMMAND") return Completion::command;
  constexpr std::array kFolders = {"DIR", "FOLDER"};
  constexpr std::array kFiles = {"FILE", "PATH"};
  if (std::find(kFolders.begin(), kFolders.end(), word) != kFolders.end()) return Completion::folder;
  return std::find(kFiles.begin(), kFiles.end(), word) != kFiles.end() ? Completion::file
                                                                       : Completion::nothing;
}

std::string flag_names(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return CLI::detail::join(names, ", ");
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{');
  const auto close = type.find('}');
  if (open == std::string::npos || close == std::string::npos) return {};
  return CLI::detail::split(type.substr(open + 1, close - open - 1), ',');
}

std::string in_one_line(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace akin::cli
