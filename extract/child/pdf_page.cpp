#include "extract/child/pdf_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>

#include "base/ascii.h"
#include "base/utf8.h"

namespace akin::extract {

namespace {

/// Lines at each end of a page that may be running heads.
constexpr std::size_t kHeadLines = 2;
/// The share of a page's height, at each end, that they are in.
constexpr double kMargin = 0.12;
/// Pages that must repeat a line at least; of a short document, all.
constexpr std::size_t kRepeats = 3;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The line without its numbers, so that the lines of all pages are the same; Roman numbers are numbers.
std::string without_numbers(std::string_view text) {
  std::string made;
  for (const std::string_view word : split(text, ' ')) {
    const bool roman = !word.empty() && word.find_first_not_of("ivxlcIVXLC") == std::string_view::npos;
    const bool number = !word.empty() && (roman || std::ranges::any_of(word, is_digit));
    made += number ? "#" : ascii_lower(word);
    made += ' ';
  }
  return made;
}

/// "12", "- xii -", "3/20"; "page 12" is what other pages repeat.
bool is_page_number(std::string_view text) {
  bool number = false;
  for (const std::string_view word : split(without_numbers(text), ' ')) {
    if (word.find_first_not_of("-\u2013\u2014|./[]()#") != std::string_view::npos) return false;
    number = number || word == "#";
  }
  return number;
}

/// Indices of the lines nearest to one end of the page.
std::vector<std::size_t> lines_at_end(const PdfPage& page, bool top) {
  std::vector<std::size_t> order(page.lines.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return top ? page.lines[a].top < page.lines[b].top : page.lines[a].bottom > page.lines[b].bottom;
  });
  // Parts of one line, such as a title and a number at the other margin, count as one.
  std::vector<std::size_t> near;
  std::size_t rows = 0;
  double row = 0;
  for (const std::size_t i : order) {
    const PdfLine& line = page.lines[i];
    const double y = (line.top + line.bottom) / 2;
    if (top ? y > kMargin * page.height : y < (1 - kMargin) * page.height) break;
    if (rows == 0 || std::abs(y - row) > std::max(line.size, 1.0) / 2) {
      if (++rows > kHeadLines) break;
      row = y;
    }
    near.push_back(i);
  }
  return near;
}

using Counts = std::map<std::string, std::size_t>;

Counts count_heads(const std::vector<PdfPage>& pages, bool top) {
  Counts counts;
  for (const PdfPage& page : pages) {
    std::set<std::string> seen;
    for (const std::size_t i : lines_at_end(page, top)) seen.insert(without_numbers(page.lines[i].text));
    for (const std::string& head : seen) ++counts[head];
  }
  return counts;
}

/// Whether the text ends a sentence, closing quotes and brackets aside.
bool ends_sentence(std::string_view text) {
  for (;;) {
    bool closed = false;
    for (const std::string_view mark : {"\"", "'", ")", "]", "\u00BB", "\u201D", "\u2019"}) {
      if (!text.ends_with(mark)) continue;
      text.remove_suffix(mark.size());
      closed = true;
    }
    if (!closed) break;
  }
  return text.ends_with('.') || text.ends_with('!') || text.ends_with('?') || text.ends_with(':') ||
         text.ends_with("\u2026");
}

bool ends_with_hyphen(std::string_view text) {
  return text.ends_with('-') || text.ends_with("\u00AD") || text.ends_with("\u2010");
}

/// Turns lines into paragraphs.
class Paragraphs {
 public:
  Paragraphs(double body, DocumentBuilder& builder) : body_(body), builder_(builder) {}

  void add(const PdfPage& page, std::uint32_t number) {
    std::vector<const PdfLine*> notes;
    find_block_ends(page);
    for (const PdfLine& line : page.lines) {
      if (is_note(line, page)) {
        notes.push_back(&line);
      } else {
        add(line, number);
      }
    }
    for (const PdfLine* note : notes) notes_.push_back({*note, number});
  }

  void end() {
    builder_.border();
    add_notes();
  }

 private:
  struct Note {
    PdfLine line;
    std::uint32_t page;
  };
  struct BlockEnds {
    double left = 1e9, right = 0;
  };

  void find_block_ends(const PdfPage& page) {
    blocks_.clear();
    for (const PdfLine& line : page.lines) {
      BlockEnds& ends = blocks_[line.block];
      ends.left = std::min(ends.left, line.left);
      ends.right = std::max(ends.right, line.right);
    }
  }

  /// Smaller than the body, in the lower half of the page, and with no line of the body's size below it.
  bool is_note(const PdfLine& line, const PdfPage& page) const {
    constexpr double kSmaller = 0.93;
    if (line.size > body_ * kSmaller || line.top < page.height / 2) return false;
    return std::ranges::none_of(page.lines, [&](const PdfLine& other) {
      const bool above = other.top < line.top;
      const bool aside = other.right < line.left || other.left > line.right;
      return !above && !aside && other.size > body_ * kSmaller;
    });
  }

  [[nodiscard]] bool is_heading(const PdfLine& line) const {
    constexpr double kLarger = 1.12;
    constexpr std::size_t kLongest = 200;
    return line.size > body_ * kLarger && count_code_points(line.text) < kLongest;
  }

  void add(const PdfLine& line, std::uint32_t page) {
    const PieceKind kind = is_heading(line) ? PieceKind::heading : PieceKind::body;
    const bool begins = !last_ || kind != last_kind_ || begins_paragraph(line, page);
    if (begins) {
      builder_.border();
      add_notes();
      builder_.kind(kind);
    } else {
      builder_.line_break();
    }
    builder_.page(page);
    builder_.flow(line.text);
    last_ = line;
    last_page_ = page;
    last_kind_ = kind;
    if (begins) last_begins_at_ = line.left;
    second_ = !begins;
  }

  /// Whether a line of the same kind as the last one is not its continuation.
  [[nodiscard]] bool begins_paragraph(const PdfLine& line, std::uint32_t page) const {
    const PdfLine& last = *last_;
    if (std::abs(line.size - last.size) > last.size * 0.1) return true;
    const bool next_block = page != last_page_ || line.block != last.block;
    if (next_block) return !continues(last.text, line.text);
    if (ends_with_hyphen(last.text)) return false;
    constexpr double kGap = 0.75, kIndent = 0.8;
    if (line.top - last.bottom > kGap * line.size) return true;
    const auto block = blocks_.find(line.block);
    const double right = block == blocks_.end() ? last.right : block->second.right;
    const double left = block == blocks_.end() ? last.left : block->second.left;
    const bool indented =
        line.left > left + kIndent * line.size && line.left > last.left + kIndent * line.size;
    if (indented && (ends_sentence(last.text) || last.right < right - 2 * line.size)) return true;
    return ends_sentence(last.text) && last.right < right - 0.12 * (right - left);
  }

  /// A paragraph runs on in the next column or page unless it is complete, or the next one begins with a
  /// capital.
  static bool continues(std::string_view last, std::string_view next) {
    if (ends_with_hyphen(last)) return true;
    if (ends_sentence(last)) return false;
    return begins_small(next);
  }

  /// Latin, Greek and Cyrillic, which have capitals; of other scripts the end of the last line decides.
  static bool begins_small(std::string_view text) {
    std::size_t at = 0;
    while (at < text.size()) {
      const char32_t c = next_code_point(text, at);
      if ((c >= U'a' && c <= U'z') || (c >= 0xDF && c <= 0xFF) || (c >= 0x3AC && c <= 0x3CE) ||
          (c >= 0x430 && c <= 0x45F))
        return true;
      if ((c >= U'A' && c <= U'Z') || (c >= 0xC0 && c <= 0xDE) || (c >= 0x386 && c <= 0x3AB) ||
          (c >= 0x400 && c <= 0x42F))
        return false;
      if (c > 0x2FFF) return true;
      if (c >= U'0' && c <= U'9') return false;
    }
    return false;
  }

  void add_notes() {
    if (notes_.empty()) return;
    builder_.kind(PieceKind::footnote);
    const PdfLine* last = nullptr;
    for (const Note& note : notes_) {
      const bool begins = last == nullptr || begins_note(note.line.text) || note.line.block != last->block;
      if (begins) builder_.border();
      if (!begins) builder_.line_break();
      builder_.page(note.page);
      builder_.flow(note.line.text);
      last = &note.line;
    }
    builder_.border();
    notes_.clear();
  }

  static bool begins_note(std::string_view text) {
    return !text.empty() && (is_digit(text.front()) || text.front() == '*' || text.front() == '[');
  }

  const double body_;
  DocumentBuilder& builder_;
  std::map<std::uint32_t, BlockEnds> blocks_;  ///< of the page
  std::optional<PdfLine> last_;
  std::uint32_t last_page_ = 0;
  PieceKind last_kind_ = PieceKind::body;
  double last_begins_at_ = 0;
  bool second_ = false;
  std::vector<Note> notes_;
};

}  // namespace

void remove_running_heads(std::vector<PdfPage>& pages) {
  if (pages.size() < 2) return;
  const std::size_t needed = std::min(kRepeats, pages.size());
  for (const bool top : {true, false}) {
    const Counts counts = count_heads(pages, top);
    for (PdfPage& page : pages) {
      std::vector<bool> head(page.lines.size());
      for (const std::size_t i : lines_at_end(page, top)) {
        const std::string& text = page.lines[i].text;
        head[i] = counts.at(without_numbers(text)) >= needed || is_page_number(text);
      }
      std::size_t at = 0;
      std::erase_if(page.lines, [&](const PdfLine&) { return head[at++]; });
    }
  }
}

double body_size(const std::vector<PdfPage>& pages) {
  std::map<double, std::size_t> letters;  // by size, in tenths of a point
  for (const PdfPage& page : pages) {
    for (const PdfLine& line : page.lines) letters[std::round(line.size * 10) / 10] += line.text.size();
  }
  const auto most = std::ranges::max_element(letters, {}, [](const auto& one) { return one.second; });
  return most == letters.end() ? 0 : most->first;
}

void add_pages(const std::vector<PdfPage>& pages, DocumentBuilder& builder) {
  Paragraphs paragraphs(body_size(pages), builder);
  std::uint32_t number = 0;
  for (const PdfPage& page : pages) {
    paragraphs.add(page, ++number);
    if (builder.full()) return;
  }
  paragraphs.end();
}

}  // namespace akin::extract
