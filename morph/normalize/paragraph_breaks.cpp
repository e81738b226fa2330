#include "morph/normalize/paragraph_breaks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin {
namespace {

constexpr std::size_t kLeastSpacedLines = 10;
constexpr std::uint32_t kLeastParagraphColumns = 80;  // of the widest of some paragraphs
constexpr std::size_t kLeastVerses = 4, kLeastOpenVerses = 2;
constexpr std::size_t kLeastIndents = 2, kLeastLineBreaks = 4, kLeastSureBreaks = 2;

/// Breaks between lines, and how many of them come after the end of a sentence.
struct Breaks {
  std::size_t all = 0, after_ends = 0;
  [[nodiscard]] bool are_ends(std::size_t tenths) const { return after_ends * 10 >= all * tenths; }
};

class ParagraphBreaks {
 public:
  ParagraphBreaks(std::string_view utf8, const std::vector<TextLine>& lines, std::vector<ArrivalEdit>& edits)
      : text_(utf8), lines_(lines), edits_(edits), columns_(lines.size()) {}

  void run() {
    for (std::size_t i = 1; i < std::min(kNearLines, lines_.size()); ++i) count(i, 1);
    for (std::size_t i = 1; i < lines_.size(); ++i) {
      if (i + kNearLines - 1 < lines_.size()) count(i + kNearLines - 1, 1);
      if (i > kNearLines + 1) count(i - kNearLines - 1, -1);
      if (lines_[i - 1].goes_on || ends_sentence_before(i)) continue;
      if (lines_[i].breaks > 1) {
        if (are_verses_apart(i) || is_inside_paragraph(i))
          edits_.push_back({lines_[i - 1].end, lines_[i].begin, "\n"});
      } else if (is_between_paragraphs(i)) {
        edits_.push_back({lines_[i - 1].end, lines_[i - 1].end, "\n"});
      }
    }
  }

 private:
  [[nodiscard]] std::string_view letters(std::size_t i) const {
    return text_.substr(lines_[i].begin, lines_[i].end - lines_[i].begin);
  }

  /// Whether the sentence ends before line i, be it a paragraph or not: after a full stop at the end of a
  /// word too long for an abbreviation, if the line can begin a sentence.
  [[nodiscard]] bool ends_sentence_before(std::size_t i) const {
    return lines_[i - 1].ends_long_word &&
           std::string_view(")]},;:%/").find(text_[lines_[i].begin]) == text_.npos;
  }

  /// Columns of a line, or kMostColumns + 1 if it has more. Counted when they are first asked for.
  [[nodiscard]] std::uint32_t columns(std::size_t i) {
    if (columns_[i] == 0)
      columns_[i] = static_cast<std::uint16_t>(
          akin::is_narrow(text_, lines_[i]) ? columns_of(text_, lines_[i]) : kMostColumns + 1);
    return columns_[i];
  }

  [[nodiscard]] bool is_narrow(std::size_t i) {
    return lines_[i].end - lines_[i].begin <= kMostColumns || columns(i) <= kMostColumns;
  }

  // Short lines, such as those of verse: they are read alike with blank lines between them and without.

  /// Unlike the stars between sections.
  [[nodiscard]] bool has_letter(std::size_t i) const {
    const CharTable& table = CharTable::instance();
    for (std::size_t at = lines_[i].begin; at < lines_[i].end;) {
      if (table[next_code_point(text_, at)].kind() == CharKind::letter) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_short(std::size_t i) {
    const char first = text_[lines_[i].begin];
    const bool is_number = first >= '0' && first <= '9';  // of a list or a chapter
    return !is_number && is_narrow(i) && columns(i) < kLeastColumns;
  }

  /// Whether kLeastVerses lines from `begin` are short, and kLeastOpenVerses of them do not end a sentence,
  /// as those of a dialogue do.
  [[nodiscard]] bool are_verses_from(std::size_t begin) {
    std::size_t open = 0;
    for (std::size_t k = begin; k < begin + kLeastVerses; ++k) {
      if (k >= lines_.size() || !is_short(k)) return false;
      open += !lines_[k].ends_sentence && has_letter(k) ? 1 : 0;
    }
    return open >= kLeastOpenVerses;
  }

  /// Whether line i and the one before it are verses: two of kLeastVerses in a row, the first of which does
  /// not end a sentence and is not the last line of a paragraph of longer ones.
  [[nodiscard]] bool are_verses(std::size_t i) {
    const TextLine& before = lines_[i - 1];
    if (before.ends_sentence || before.ends_in_hyphen || !is_short(i - 1) || !is_short(i)) return false;
    if (i > 1 && !lines_[i - 2].ends_sentence && !is_short(i - 2)) return false;
    for (std::size_t begin = i + 1 - std::min(i + 1, kLeastVerses); begin < i; ++begin) {
      if (are_verses_from(begin)) return true;
    }
    return false;
  }

  /// The same of lines between blank lines.
  [[nodiscard]] bool are_verses_apart(std::size_t i) {
    return (i == 1 || lines_[i - 1].breaks > 1) && (i + 1 == lines_.size() || lines_[i + 1].breaks > 1) &&
           are_verses(i);
  }

  // Line breaks between paragraphs. near_ has the breaks around the current one, with it.

  void count(std::size_t i, int sign) {
    if (lines_[i].breaks != 1) return;
    near_.all += static_cast<std::size_t>(sign);
    if (lines_[i - 1].ends_sentence) near_.after_ends += static_cast<std::size_t>(sign);
  }

  /// `breaks` without the one before line i, which is one of them.
  [[nodiscard]] Breaks others(Breaks breaks, std::size_t i) const {
    return {breaks.all - 1, breaks.after_ends - (lines_[i - 1].ends_sentence ? 1 : 0)};
  }

  [[nodiscard]] bool is_between_paragraphs(std::size_t i) {
    if (lines_[i - 1].ends_in_hyphen) return false;
    if (!is_narrow(i - 1) || !is_narrow(i)) return true;
    if (are_verses(i)) return false;
    if (is_paragraph_a_line_near(i)) return true;
    const Breaks near = others(near_, i);
    return lines_[i].indent >= 2 && near.after_ends > 0 && begins_at_indent(i);
  }

  /// Whether the line before line i ends early, and at most half of the breaks near it are those of a
  /// printer: after a full line that does not end a sentence. Where a printer broke lines, a quarter of them
  /// is as wide as its lines, be a few wider.
  [[nodiscard]] bool is_paragraph_a_line_near(std::size_t i) {
    if (near_.all <= kLeastSureBreaks || widest_near(i) < kLeastParagraphColumns) return false;
    const std::size_t begin = i - std::min(i, kNearLines), end = std::min(i + kNearLines, lines_.size());
    std::array<std::uint32_t, 2 * kNearLines> widths{};
    for (std::size_t k = begin; k < end; ++k) widths[k - begin] = std::min(columns(k), kMostColumns);
    const auto third = widths.begin() + 2;  // two longer lines prove nothing
    std::nth_element(widths.begin(), third, widths.end(), std::greater());
    const std::uint32_t width = *third;
    if (is_full_before(i, width)) return false;
    std::size_t sure = 0, inside = 0;  // surely between paragraphs, inside one
    for (std::size_t k = std::max<std::size_t>(begin, 1); k < end; ++k) {
      if (lines_[k].breaks != 1) continue;
      if (!is_narrow(k - 1) || !is_narrow(k)) {
        ++sure;
      } else if (!lines_[k - 1].ends_sentence && is_full_before(k, width)) {
        ++inside;
      }
    }
    return (near_.all > kLeastLineBreaks || sure >= kLeastSureBreaks) && inside * 2 <= near_.all;
  }

  /// The most columns of a line near line i, up to kMostColumns.
  [[nodiscard]] std::uint32_t widest_near(std::size_t i) {
    std::uint32_t widest = 0;
    for (std::size_t k = i - std::min(i, kNearLines); k < std::min(i + kNearLines, lines_.size()); ++k)
      widest = std::max(widest, columns(k));
    return std::min(widest, kMostColumns);
  }

  /// Whether a printer that set lines of this width would have broken the line before line i.
  [[nodiscard]] bool is_full_before(std::size_t i, std::uint32_t width) {
    return is_full(columns(i - 1), letters(i), width);
  }

  [[nodiscard]] bool begins_at_indent(std::size_t i) {
    // The indent of the first line is not counted: a part of a text may begin inside a line.
    const std::size_t begin = std::max<std::size_t>(i - std::min(i, kNearLines), 1);
    const std::size_t end = std::min(i + kNearLines, lines_.size());
    const std::uint32_t here = lines_[i].indent;
    std::uint32_t least = here;
    for (std::size_t k = begin; k < end; ++k) least = std::min(least, lines_[k].indent);
    if (here < least + 2) return false;
    Breaks at_indents;
    for (std::size_t k = begin; k < end; ++k) {
      if (lines_[k].breaks != 1 || lines_[k].indent < least + 2) continue;
      ++at_indents.all;
      at_indents.after_ends += lines_[k - 1].ends_sentence ? 1 : 0;
    }
    at_indents = others(at_indents, i);
    if (at_indents.all < kLeastIndents || !at_indents.are_ends(3)) return false;
    const std::uint32_t width = widest_near(i);
    if (width < kLeastColumns) return false;
    return !is_full_before(i, width) || at_indents.are_ends(9) ||
           (at_indents.are_ends(7) &&
            (lines_[i - 1].ends_sentence || lines_[i - 1].indent + 2 <= lines_[i].indent));
  }

  // Blank lines inside paragraphs: between all lines.

  [[nodiscard]] bool is_set_apart(std::size_t i) { return lines_[i].breaks > 1 && is_narrow(i); }

  /// Whether it is a blank line after every line that is before line i.
  [[nodiscard]] bool is_inside_paragraph(std::size_t i) {
    if (!is_set_apart(i) || !is_narrow(i - 1)) return false;
    std::size_t begin = i - 1, end = i + 1;
    while (i - begin < kNearLines && is_set_apart(begin) && begin > 0) --begin;
    while (end - i < kNearLines && end < lines_.size() && is_set_apart(end)) ++end;
    if (end - begin < kLeastSpacedLines) return false;
    std::vector<std::uint32_t> widths;
    std::uint32_t least = lines_[i].breaks;
    for (std::size_t k = begin; k < end; ++k) {
      widths.push_back(columns(k));
      if (k > begin) least = std::min(least, lines_[k].breaks);
    }
    if (lines_[i].breaks > least) return false;
    std::vector<std::uint32_t> widest(2);
    std::ranges::partial_sort_copy(widths, widest, std::greater());
    const std::uint32_t width = widest.back();  // a single longer line proves nothing
    if (width < kLeastColumns) return false;
    const auto full_before = [&](std::size_t k) { return is_full(widths[k - 1 - begin], letters(k), width); };
    const std::size_t gaps = end - begin - 1;
    std::size_t wider = 0;
    for (std::size_t k = begin + 1; k < end; ++k) wider += lines_[k].breaks > least ? 1 : 0;
    if (wider == 0 && !full_before(i)) return false;
    std::size_t full = 0, inside = 0, rows = 0;
    for (std::size_t k = begin + 1; k < end; ++k) {
      if (lines_[k].breaks > least || !full_before(k)) continue;
      ++full;
      inside += lines_[k - 1].ends_sentence ? 0 : 1;
    }
    if (full * 7 < gaps - wider || inside * 2 < full) return false;
    for (std::size_t k = begin; k + 1 < end; ++k) rows += is_row(k) ? 1 : 0;
    return rows * 4 < gaps;
  }

  /// Whether a line has three blanks in a row, or a tab, inside, as those of tables have.
  [[nodiscard]] bool is_row(std::size_t i) const {
    const std::string_view line = letters(i);
    return line.find("   ") != line.npos || line.find('\t') != line.npos;
  }

  std::string_view text_;
  const std::vector<TextLine>& lines_;
  std::vector<ArrivalEdit>& edits_;
  std::vector<std::uint16_t> columns_;  // 0: not counted
  Breaks near_;
};

}  // namespace

void find_paragraph_breaks(std::string_view utf8, const std::vector<TextLine>& lines,
                           std::vector<ArrivalEdit>& edits) {
  ParagraphBreaks(utf8, lines, edits).run();
}

}  // namespace akin
