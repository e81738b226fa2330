#include "tests/experiments/settings.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/utf8.h"
#include "extract/html/html.h"
#include "tests/experiments/arrivals.h"
#include "tests/experiments/set_lines.h"

namespace akin::experiments {
namespace {

using Set = std::function<std::string(const Paragraphs&)>;

constexpr std::size_t kWhole = std::size_t{1} << 30U;  // columns of a line that holds any paragraph

/// Lines of `width`, each paragraph with an indent and a blank line after it, or without.
Set lines(std::size_t width, bool blank_lines, std::u32string_view indent = {}) {
  return [=](const Paragraphs& text) {
    Lines all;
    for (const std::u32string& paragraph : text) {
      for (std::u32string& line : wrapped(paragraph, width, indent)) all.push_back(std::move(line));
      if (blank_lines) all.emplace_back();
    }
    return joined(all);
  };
}

Set replaced(Set set, char from, std::string_view by) {
  return [=](const Paragraphs& text) {
    std::string out;
    for (const char c : set(text)) c == from ? void(out += by) : out.push_back(c);
    return out;
  };
}

/// E-mail: each line of the answered text after "> ".
std::string quoted(const Paragraphs& text) {
  std::string out;
  for (const std::u32string& line : page_lines(text, 72))
    (out += line.empty() ? ">" : "> " + to_utf8(line)) += '\n';
  return out;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text)
    c == '<' ? void(out += "&lt;") : c == '&' ? void(out += "&amp;") : out.push_back(c);
  return out;
}

std::string html(const Paragraphs& text) {
  std::string page = "<!DOCTYPE html><html><head><meta charset=utf-8></head><body>\n";
  for (const std::u32string& paragraph : text)
    page += "<p>" + escaped(joined(wrapped(paragraph, 72))) + "</p>\n";
  const auto read = extract::read_html(page + "</body></html>\n", "page");
  if (read.has_error()) throw std::runtime_error(read.error().message());
  return read->text;
}

Set arrival(std::string_view name) {
  const std::vector<Arrival> all = arrivals();
  const auto found = std::ranges::find(all, name, &Arrival::name);
  if (found == all.end()) throw std::logic_error("no such arrival");
  return [apply = found->apply](const Paragraphs& text) { return apply(text, 17); };
}

}  // namespace

std::vector<Setting> settings() {
  return {
      {"a paragraph a line, blank lines between", lines(kWhole, true)},
      {"lines of 60, blank lines between paragraphs", lines(60, true)},
      {"lines of 72, blank lines between paragraphs", lines(72, true)},
      {"lines of 80, blank lines between paragraphs", lines(80, true)},
      {"a paragraph a line", lines(kWhole, false)},
      {"a paragraph a line, indented", lines(kWhole, false, U"    ")},
      {"a paragraph a line, indented, blank lines between", lines(kWhole, true, U"    ")},
      {"lines of 72, first lines indented", lines(72, false, U"    ")},
      {"lines of 72, first lines indented, blank lines between", lines(72, true, U"    ")},
      {"lines of 72, CRLF", replaced(lines(72, true), '\n', "\r\n")},
      {"a paragraph a line, CRLF", replaced(lines(kWhole, false), '\n', "\r\n")},
      {"lines of 72, blanks at their ends", replaced(lines(72, true), '\n', "  \n")},
      {"HTML, `<p>`", html},
      {"e-mail, quoted with `> `", quoted},
      {"lines of 72, double-spaced", arrival("blank line after every line")},
      {"the same, paragraphs not set off", arrival("the same, paragraphs not set off"), 0.98},
      {"lines of 72, numbered", arrival("line numbers")},
      {"lines of 72, a number every fifth line", arrival("a number every fifth line")},
      {"lines of 72, paragraphs not set off", lines(72, false), 0.95},
  };
}

Paragraphs paragraphs_of_work(std::string_view utf8) {
  std::size_t in_long_lines = 0;
  Paragraphs own_lines;
  for (std::size_t begin = 0; begin < utf8.size();) {
    const std::size_t end = std::min(utf8.find('\n', begin), utf8.size());
    for (std::u32string& line : paragraphs_of(utf8.substr(begin, end - begin))) {
      if (line.size() > 200) in_long_lines += line.size();
      own_lines.push_back(std::move(line));
    }
    begin = end + 1;
  }
  return in_long_lines * 2 > count_code_points(utf8) ? own_lines : paragraphs_of(utf8);
}

}  // namespace akin::experiments
