#include "cli/frame/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <set>

#include "cli/frame/command_walk.h"

namespace akin::cli {

namespace {

std::string with_blanks(const std::vector<std::string>& words) { return CLI::detail::join(words, " "); }

/// "--help" and "-h"
std::vector<std::string> spellings(const CLI::Option& option) {
  std::vector<std::string> words;
  for (const std::string& name : option.get_snames()) words.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) words.push_back("--" + name);
  return words;
}

std::string names_below(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* inner : visible_below(command)) names.push_back(inner->get_name());
  return with_blanks(names);
}

/// The bash command that offers the values of an option.
std::string bash_values(const CLI::Option& option, const CLI::App& program) {
  switch (completion_of(option)) {
    case Completion::file:
      return "_akin_offer -f";
    case Completion::folder:
      return "_akin_offer -d";
    case Completion::word:
      return "_akin_offer -W '" + with_blanks(choices(option)) + "'";
    case Completion::command:
      return "_akin_offer -W '" + names_below(program) + "'";
    case Completion::nothing:
      return ":";
  }
  return ":";
}

/// Cases that step from a command to one below it; the value of a flag is not a command.
std::string bash_steps(const std::vector<CommandNode>& nodes) {
  std::string steps;
  for (const CommandNode& node : nodes) {
    for (const CLI::App* inner : visible_below(*node.app)) {
      const std::string path = node.path.empty() ? inner->get_name() : node.path + " " + inner->get_name();
      steps += "      '" + node.path + "/" + inner->get_name() + "') path='" + path + "' ;;\n";
    }
  }
  return steps;
}

std::string bash_value_cases(const std::vector<CommandNode>& nodes) {
  std::string cases;
  for (const CommandNode& node : nodes) {
    for (const CLI::Option* option : visible_flags(*node.app)) {
      if (!takes_value(*option)) continue;
      for (const std::string& word : spellings(*option)) {
        cases += "    '" + node.path + "/" + word + "') " + bash_values(*option, *nodes.front().app) +
                 "; return ;;\n";
      }
    }
  }
  return cases;
}

std::string bash_word_cases(const std::vector<CommandNode>& nodes) {
  std::string cases;
  for (const CommandNode& node : nodes) {
    std::vector<std::string> flags;
    for (const CLI::Option* option : visible_flags(*node.app)) {
      for (const std::string& word : spellings(*option)) flags.push_back(word);
    }
    std::string otherwise = ":";
    if (!visible_below(*node.app).empty()) {
      otherwise = "_akin_offer -W '" + names_below(*node.app) + "'";
    } else if (!operands(*node.app).empty()) {
      otherwise = bash_values(*operands(*node.app).front(), *nodes.front().app);
    }
    cases += "    '" + node.path + "')\n      if [[ $cur == -* ]]; then _akin_offer -W '" +
             with_blanks(flags) + "'; else " + otherwise + "; fi ;;\n";
  }
  return cases;
}

/// All spellings of flags with a value, for a case.
std::string value_flags(const std::vector<CommandNode>& nodes) {
  std::set<std::string> words;
  for (const CommandNode& node : nodes) {
    for (const CLI::Option* option : visible_flags(*node.app)) {
      if (!takes_value(*option)) continue;
      for (const std::string& word : spellings(*option)) words.insert(word);
    }
  }
  return CLI::detail::join(words, "|");
}

/// Text inside zsh's "[…]", itself inside single quotes.
std::string zsh_text(const std::string& text) {
  std::string safe;
  for (const char letter : in_one_line(text)) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') safe += '\\';
    if (letter == '\'') {
      safe += "'\\''";
    } else {
      safe += letter;
    }
  }
  return safe;
}

std::string zsh_values(const CLI::Option& option, const CLI::App& program) {
  switch (completion_of(option)) {
    case Completion::file:
      return "_files";
    case Completion::folder:
      return "_files -/";
    case Completion::word:
      return "(" + with_blanks(choices(option)) + ")";
    case Completion::command:
      return "(" + names_below(program) + ")";
    case Completion::nothing:
      return " ";
  }
  return " ";
}

std::string zsh_function(const CommandNode& node, const CLI::App& program) {
  std::string name = "_" + program.get_name();
  for (const char letter : node.path.empty() ? "" : " " + node.path) name += letter == ' ' ? '_' : letter;
  std::string body = name + "() {\n  local curcontext=$curcontext state line\n  _arguments -s -C";
  for (const CLI::Option* option : visible_flags(*node.app)) {
    for (const std::string& word : spellings(*option)) {
      const bool repeats = option->get_items_expected_max() > 1;
      body += " \\\n    '" + std::string(repeats ? "*" : "") + word + "[" +
              zsh_text(option->get_description()) + "]";
      if (takes_value(*option))
        body += ":" + zsh_text(option->get_lnames().front()) + ":" + zsh_values(*option, program);
      body += "'";
    }
  }
  const auto below = visible_below(*node.app);
  if (below.empty()) {
    for (const CLI::Option* operand : operands(*node.app)) {
      const bool repeats = operand->get_items_expected_max() > 1;
      body += std::string(" \\\n    '") + (repeats ? "*" : "") + ":" + zsh_text(operand->get_name(true)) +
              ":" + zsh_values(*operand, program) + "'";
    }
    return body + "\n}\n\n";
  }
  body +=
      " \\\n    '1: :->command' '*:: :->rest' && return\n  case $state in\n    command)\n      local -a "
      "commands=(\n";
  for (const CLI::App* inner : below) {
    body += "        '" + inner->get_name() + ":" + zsh_text(inner->get_description()) + "'\n";
  }
  body += "      )\n      _describe command commands ;;\n    rest)\n      case $line[1] in\n";
  for (const CLI::App* inner : below) {
    body += "        " + inner->get_name() + ") " + name + "_" + inner->get_name() + " ;;\n";
  }
  return body + "      esac ;;\n  esac\n}\n\n";
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  const auto nodes = visible_commands(program);
  const std::string name = program.get_name();
  std::string function = "_" + name;
  std::replace(function.begin(), function.end(), '-', '_');
  return "# Completion of " + name + " for bash, printed by: " + name +
         " completion bash\n"
         "_akin_offer() {\n"
         "  [[ $1 == -W ]] || compopt -o filenames 2>/dev/null\n"
         "  local IFS=$'\\n'\n"
         "  [[ $1 == -W ]] && set -- -W \"${2// /$IFS}\"\n"
         "  COMPREPLY=($(compgen \"$@\" -- \"$cur\"))\n"
         "}\n\n" +
         function +
         "() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} path='' i\n"
         "  COMPREPLY=()\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case ${COMP_WORDS[i-1]} in " +
         value_flags(nodes) +
         ") continue ;; esac\n"
         "    case $path/${COMP_WORDS[i]} in\n" +
         bash_steps(nodes) +
         "    esac\n"
         "  done\n"
         "  case $path/$prev in\n" +
         bash_value_cases(nodes) +
         "  esac\n"
         "  case $path in\n" +
         bash_word_cases(nodes) +
         "  esac\n"
         "}\n\n"
         "complete -F " +
         function + " " + name + "\n";
}

std::string zsh_completion(const CLI::App& program) {
  const std::string name = program.get_name();
  std::string script = "#compdef " + name + "\n# Completion of " + name + " for zsh, printed by: " + name +
                       " completion zsh\n\n";
  for (const CommandNode& node : visible_commands(program)) script += zsh_function(node, program);
  return script + "_" + name + " \"$@\"\n";
}

}  // namespace akin::cli
