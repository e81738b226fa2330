#include "server/check/block_quotations.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "base/ascii.h"

namespace akin::check {

namespace {

bool begins_with_angle(std::string_view line) {
  constexpr std::size_t kIndent = 3;
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  return indent <= kIndent && line.substr(indent).starts_with('>');
}

/// The column at which a line begins; a tab counts four.
std::size_t indent_of(std::string_view line) {
  constexpr std::size_t kTab = 4;
  std::size_t column = 0;
  for (const char c : line) {
    if (c != ' ' && c != '\t') break;
    column += c == '\t' ? kTab : 1;
  }
  return column;
}

/// Where most lines begin, or most first lines of paragraphs, if that is further to the right; nothing if
/// fewer than half of the lines begin at one place.
std::optional<std::size_t> usual_indent(const std::vector<Line>& lines) {
  std::map<std::size_t, std::size_t> counts, of_first;
  std::size_t all = 0;
  bool after_blank = true;
  for (const Line& line : lines) {
    if (!line.blank) {
      ++all;
      ++counts[indent_of(line.text)];
      if (after_blank) ++of_first[indent_of(line.text)];
    }
    after_blank = line.blank;
  }
  const auto most = [](const auto& of) {
    return std::ranges::max_element(of, {}, [](const auto& entry) { return entry.second; });
  };
  if (all == 0 || 2 * most(counts)->second < all) return std::nullopt;
  return std::max(most(counts)->first, most(of_first)->first);
}

std::size_t words_in(std::string_view line) {
  std::size_t words = 0;
  bool in_word = false;
  for (const char c : line) {
    const bool space = c == ' ' || c == '\t';
    words += !space && !in_word ? 1 : 0;
    in_word = !space;
  }
  return words;
}

/// Whether a line is an entry of a list or a row of a table.
bool is_listed(std::string_view line) {
  const std::string_view text = trimmed(line);
  const auto digits = text.find_first_not_of("0123456789");
  const bool numbered =
      digits != std::string_view::npos && digits > 0 && (text[digits] == '.' || text[digits] == ')');
  const bool marked =
      text.starts_with("- ") || text.starts_with("* ") || text.starts_with("• ") || text.starts_with("+ ");
  return numbered || marked || text.find("   ") != std::string_view::npos ||
         text.find('\t') != std::string_view::npos;
}

/// Whether the lines of one block are set off by their indent.
bool is_set_off(std::span<const Line> block, std::size_t usual) {
  constexpr std::size_t kColumns = 2, kFewestWords = 12;
  std::size_t words = 0;
  for (const Line& line : block) {
    if (indent_of(line.text) < usual + kColumns || is_listed(line.text)) return false;
    words += words_in(line.text);
  }
  return words >= kFewestWords;
}

}  // namespace

std::vector<TextRange> find_block_quotations(const std::vector<Line>& lines) {
  constexpr std::size_t kMostOfText = 5;  // more than one part of so many
  const std::optional<std::size_t> usual = usual_indent(lines);
  std::vector<TextRange> found, quoted;  // `quoted`: those with ">" alone
  std::size_t set_off = 0, all = 0;      // code points
  for (std::size_t at = 0; at < lines.size();) {
    const bool angle = begins_with_angle(lines[at].text);
    std::size_t end = at;
    while (end < lines.size() && !lines[end].blank && begins_with_angle(lines[end].text) == angle) ++end;
    if (end == at) {
      ++at;
      continue;
    }
    const TextRange range{lines[at].range.begin, lines[end - 1].range.end};
    all += range.end - range.begin;
    const bool alone = (at == 0 || lines[at - 1].blank) && (end == lines.size() || lines[end].blank);
    const std::span block(lines.begin() + static_cast<std::ptrdiff_t>(at), end - at);
    if (angle) quoted.push_back(range);
    const bool indented = !angle && alone && usual && is_set_off(block, *usual);
    if (indented) set_off += range.end - range.begin;
    if (angle || indented) found.push_back(range);
    at = end;
  }
  return kMostOfText * set_off > all ? quoted : found;
}

}  // namespace akin::check
