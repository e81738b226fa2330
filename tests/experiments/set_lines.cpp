#include "tests/experiments/set_lines.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace akin::experiments {

using Text = std::u32string;

Lines wrapped(const Text& paragraph, std::size_t width, std::u32string_view indent) {
  Lines lines = {Text(indent)};
  std::size_t at = 0;
  while (at < paragraph.size()) {
    const std::size_t end = std::min(paragraph.find(U' ', at), paragraph.size());
    Text& line = lines.back();
    const bool begins = line.empty() || (lines.size() == 1 && line == indent);
    if (!begins && line.size() + 1 + end - at > width) {
      lines.push_back(paragraph.substr(at, end - at));
    } else {
      if (!begins) line += U' ';
      line += paragraph.substr(at, end - at);
    }
    at = end + 1;
  }
  return lines;
}

Lines page_lines(const Paragraphs& text, std::size_t width) {
  Lines all;
  for (const Text& paragraph : text) {
    for (Text& line : wrapped(paragraph, width)) all.push_back(std::move(line));
    all.emplace_back();
  }
  return all;
}

std::string joined(const Lines& lines, std::u32string_view end) {
  Text out;
  for (const Text& line : lines) (out += line) += end;
  return to_utf8(out);
}

}  // namespace akin::experiments
