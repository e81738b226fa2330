#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "base/utf8.h"
#include "extract/child/page/pdf_page.h"

namespace akin::extract {

namespace {

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
    page_ = &page;
    usual_gap_ = usual_gap();
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
  struct Column {
    double left, right;
  };

  /// The edges of the lines that begin near the line on its page.
  [[nodiscard]] Column column_of(const PdfLine& line) const {
    constexpr double kNear = 4;
    Column column{line.left, line.right};
    for (const PdfLine& other : page_->lines) {
      if (std::abs(other.left - line.left) > kNear * line.size) continue;
      column.left = std::min(column.left, other.left);
      column.right = std::max(column.right, other.right);
    }
    return column;
  }

  /// Whether the line ends before the others of its column do.
  [[nodiscard]] bool is_ragged(const PdfLine& line) const {
    constexpr double kRagged = 0.12;
    const auto [left, right] = column_of(line);
    return line.right < right - kRagged * (right - left);
  }

  /// The median of the gaps between the lines of the page, if most of these run over their column: text that
  /// is spaced for corrections has wide ones, and no paragraph begins at them. Else 0.
  [[nodiscard]] double usual_gap() const {
    constexpr std::size_t kFewest = 5;
    std::vector<double> gaps;
    std::size_t ragged = 0;
    for (std::size_t i = 1; i < page_->lines.size(); ++i) {
      const PdfLine &last = page_->lines[i - 1], &line = page_->lines[i];
      const double gap = line.top - last.bottom;
      if (gap < 0 || gap > 2 * line.size || std::abs(line.size - last.size) > last.size * 0.1) continue;
      is_ragged(last) ? void(++ragged) : gaps.push_back(gap);
    }
    if (gaps.size() < kFewest || gaps.size() < ragged) return 0;
    const auto middle = gaps.begin() + static_cast<std::ptrdiff_t>(gaps.size() / 2);
    std::ranges::nth_element(gaps, middle);
    return *middle;
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
  }

  /// Whether a line of the same kind as the last one is not its continuation.
  [[nodiscard]] bool begins_paragraph(const PdfLine& line, std::uint32_t page) const {
    const PdfLine& last = *last_;
    if (page_->blocks_are_paragraphs && page == last_page_) return line.block != last.block;
    if (std::abs(line.size - last.size) > last.size * 0.1) return true;
    constexpr double kGap = 0.75, kWider = 1.25, kIndent = 0.8, kRagged = 0.12;
    const auto [left, right] = column_of(line);
    const bool ragged = last.right < right - kRagged * (right - left);
    const double gap = line.top - last.bottom;
    const bool below =
        page == last_page_ && gap > -line.size && line.left < last.right && line.right > last.left;
    if (!below || gap > 2 * line.size) return !continues(last.text, line.text);
    if (gap > std::max(kGap * line.size, kWider * usual_gap_))
      return ragged || !continues(last.text, line.text);
    if (ends_with_hyphen(last.text)) return false;
    const bool indented =
        line.left > left + kIndent * line.size && line.left > last.left + kIndent * line.size;
    if (indented && (ends_sentence(last.text) || last.right < right - 2 * line.size)) return true;
    return ends_sentence(last.text) && ragged;
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
    return !text.empty() &&
           ((text.front() >= '0' && text.front() <= '9') || text.front() == '*' || text.front() == '[');
  }

  const double body_;
  DocumentBuilder& builder_;
  const PdfPage* page_ = nullptr;  ///< that is being added
  double usual_gap_ = 0;           ///< of that page
  std::optional<PdfLine> last_;
  std::uint32_t last_page_ = 0;
  PieceKind last_kind_ = PieceKind::body;
  std::vector<Note> notes_;
};

}  // namespace

void add_pages(const std::vector<PdfPage>& pages, DocumentBuilder& builder) {
  Paragraphs paragraphs(body_size(pages), builder);
  std::uint32_t number = 0;
  for (const PdfPage& page : pages) {
    paragraphs.add(page, ++number);
    if (builder.full()) return;
  }
  paragraphs.end();
}

void add_page(const PdfPage& page, DocumentBuilder& builder) {
  Paragraphs paragraphs(body_size({page}), builder);
  paragraphs.add(page, 0);
  paragraphs.end();
}

}  // namespace akin::extract
