#include "cli/frame/manual.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>

#include "base/ascii.h"
#include "cli/frame/command_walk.h"
#include "cli/frame/help.h"
#include "cli/frame/settings.h"
#include "cli/frame/settings_text.h"

namespace akin::cli {

namespace {

constexpr const char* kExitStatus =
    ".SH EXIT STATUS\n"
    ".TP\n.B 0\nSuccess.\n"
    ".TP\n.B 1\nOnly with\n.BR \\-\\-exit\\-code :\nsomething was found.\n"
    ".TP\n.B 2\nError: one line on standard error says what failed, the reason and the remedy; with\n.B "
    "\\-\\-json\nit is an object.\n";

constexpr const char* kEnvironment =
    ".TP\n.B AKIN_CONFIG\nThe configuration file, if\n.B \\-\\-config\ndoes not name one.\n"
    ".TP\n.B AKIN_CACHE\nFolder of compiled dictionaries; else\n.I $XDG_CACHE_HOME/akin\nor\n.IR "
    "~/.cache/akin .\n"
    ".TP\n.B DICPATH\nFolders of Hunspell dictionaries, separated by colons, that are searched first.\n";

constexpr const char* kFiles =
    ".SH FILES\n"
    ".TP\n.I /etc/akin/akin.toml\nConfiguration of the service; commands read it only if\n.B \\-\\-config\n"
    "names it.\n"
    ".TP\n.I /var/lib/akin\nCollections of the service.\n"
    ".TP\n.I /var/cache/akin\nCompiled dictionaries of the service.\n"
    ".TP\n.I /usr/share/hunspell\nThe installed dictionaries.\n";

/// Escapes text, so that roff prints it unchanged.
std::string roff(const std::string& text) {
  std::string safe;
  bool line_start = true;
  for (const char letter : text) {
    if (line_start && (letter == '.' || letter == '\'')) safe += "\\&";
    if (letter == '\\') {
      safe += "\\e";
    } else if (letter == '-') {
      safe += "\\-";
    } else {
      safe += letter;
    }
    line_start = letter == '\n';
  }
  return safe;
}

std::string paragraph(const std::string& text) { return roff(in_one_line(text)) + "\n"; }

class Writer {
 public:
  Writer(CLI::App& program, const ManualText& text)
      : program_(program), text_(text), settings_(all_settings(program)) {}

  [[nodiscard]] ManualPage page(const CLI::App& command) const {
    const bool whole = &command == &program_;
    const std::string program = program_.get_name();
    const std::string name = whole ? program : program + "-" + command.get_name();
    std::string title = name;
    std::transform(title.begin(), title.end(), title.begin(),
                   [](unsigned char c) { return std::toupper(c); });
    std::string text = ".TH " + roff(title) + " 1 " + text_.date + " \"akin " + text_.version +
                       "\" \"User Commands\"\n" + ".SH NAME\n" + roff(name) + " \\- " +
                       (whole ? text_.summary + "\n" : paragraph(lower_first(command.get_description())));
    text += ".SH SYNOPSIS\n" + synopsis(command, full_command(command));
    text += ".SH DESCRIPTION\n" + paragraph(command.get_description()) + prose(command);
    text += commands(command) + options(command);
    text += ".SH ENVIRONMENT\n" + variables(command) + kEnvironment;
    text += kExitStatus;
    text += kFiles;
    text += examples(command) + see_also(command);
    return {name + ".1", text};
  }

 private:
  CLI::App& program_;
  const ManualText& text_;
  std::vector<Setting> settings_;

  static std::string lower_first(std::string text) {
    if (!text.empty()) text[0] = ascii_lower(text[0]);
    return text;
  }

  static std::string synopsis(const CLI::App& command, const std::string& path) {
    std::string text = ".B " + roff(path) + "\n.RI [ options ]\n";
    if (!visible_below(command).empty()) return text + ".I command\n.RI [ arguments ]\n";
    for (const CLI::Option* operand : operands(command)) {
      const std::string dots = operand->get_items_expected_max() > 1 ? "..." : "";
      const std::string word = roff(operand->get_name(true));
      if (operand->get_required()) {
        text.append(".IR ").append(word).append(" \"").append(dots).append("\"\n");
      } else {
        text.append(".RI [ ").append(word).append(" ]").append(dots).append("\n");
      }
    }
    return text;
  }

  /// The footer of help without its first paragraph, which holds the examples.
  static std::string prose(const CLI::App& command) {
    const std::string footer = command.get_footer();
    const auto end = footer.find("\n\n");
    if (end == std::string::npos) return "";
    return ".PP\n" + paragraph(footer.substr(end + 2));
  }

  static std::string examples(const CLI::App& command) {
    const std::string footer = command.get_footer();
    const auto begin = footer.find('\n');
    if (begin == std::string::npos) return "";
    const auto end = footer.find("\n\n");
    return ".SH EXAMPLES\n.nf\n" +
           roff(footer.substr(begin + 1, end == std::string::npos ? end : end - begin - 1)) + "\n.fi\n";
  }

  std::string commands(const CLI::App& command) const {
    const auto below = visible_below(command);
    if (below.empty()) return "";
    std::string text = ".SH COMMANDS\n";
    std::string heading = below.front()->get_group();
    const bool grouped = below.back()->get_group() != heading;
    if (grouped) text += ".SS " + heading + "\n";
    for (const CLI::App* inner : below) {
      if (inner->get_group() != heading) text += ".SS " + inner->get_group() + "\n";
      heading = inner->get_group();
      text += ".TP\n.B " + roff(inner->get_name()) + "\n" + paragraph(inner->get_description());
      if (&command == &program_) continue;
      text += own_flags(*inner);
      const std::string more = prose(*inner);
      if (!more.empty() && more != prose(command)) text += ".IP\n" + more.substr(4);
    }
    return text;
  }

  /// A command's own operands and flags, indented below its name.
  std::string own_flags(const CLI::App& command) const {
    std::string text;
    for (const CLI::Option* one : operands(command)) text += entry(*one, one->get_name(true));
    for (const CLI::Option* one : visible_flags(command)) {
      const bool shared = program_.get_option_no_throw("--" + one->get_lnames().front()) != nullptr;
      if (!shared) text += entry(*one, flag_names(*one));
    }
    return text.empty() ? "" : ".RS\n" + text + ".RE\n";
  }

  std::string entry(const CLI::Option& option, const std::string& name) const {
    std::string text = ".TP\n.B " + roff(name) + "\n";
    if (option.nonpositional() && takes_value(option)) {
      text = ".TP\n.BI \"" + roff(name) + " \" \"" + roff(value_form(option)) + "\"\n";
    }
    text += paragraph(option.get_description());
    if (const std::string fallback = option.get_default_str(); !fallback.empty()) {
      text += ".br\nDefault:\n.BR \"" + roff(fallback) + "\" .\n";
    }
    return text;
  }

  std::string options(const CLI::App& command) const {
    std::string text = ".SH OPTIONS\n";
    for (const CLI::Option* one : operands(command)) text += entry(*one, one->get_name(true));
    for (const CLI::Option* one : visible_flags(command)) text += entry(*one, flag_names(*one));
    return text;
  }

  /// The environment variables of the options of a command and of the commands below it.
  std::string variables(const CLI::App& command) const {
    std::string text = "Each option has a variable; a flag takes precedence over it:\n";
    bool any = false;
    const std::string section = &command == &program_ ? "" : command.get_name();
    for (const Setting& setting : settings_) {
      if (setting.section != section && (section.empty() || !setting.section.starts_with(section + ".")))
        continue;
      text += ".TP\n.B " + setting.variable + "\n.B " + roff("--" + setting.key) + "\n";
      any = true;
    }
    return any ? text : "";
  }

  std::string see_also(const CLI::App& command) const {
    std::vector<std::string> pages;
    if (&command == &program_) {
      for (const CLI::App* inner : visible_below(command)) {
        pages.push_back(program_.get_name() + "-" + inner->get_name());
      }
    } else {
      pages = {program_.get_name()};
      if (command.get_name() != "config") pages.emplace_back("akin-config");
    }
    std::string text = ".SH SEE ALSO\n";
    for (const std::string& page : pages) {
      text += ".BR " + roff(page) + " (1)" + (page == pages.back() ? "\n" : ",\n");
    }
    return text;
  }
};

}  // namespace

std::vector<ManualPage> manual_pages(CLI::App& program, const ManualText& text) {
  const Writer writer(program, text);
  std::vector<ManualPage> pages = {writer.page(program)};
  for (const CLI::App* command : visible_below(program)) pages.push_back(writer.page(*command));
  return pages;
}

}  // namespace akin::cli
