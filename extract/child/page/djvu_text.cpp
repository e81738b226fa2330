#include "extract/child/page/djvu_text.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "extract/child/errors.h"
#include "extract/formats/text_encoding.h"

namespace akin::extract {

namespace {

/// The kinds of zones nest in seven levels.
constexpr int kMostLevels = 64;

struct Box {
  double left = 0, top = 0, right = 0, bottom = 0;
};

/// Collects the lines of one page.
class ZoneReader {
 public:
  explicit ZoneReader(const DjvuSize& size)
      : scale_(kPointsPerInch / std::max(size.dpi, kLeastDpi)), height_(size.height * scale_) {
    page_.width = size.width * scale_;
    page_.height = height_;
  }

  Result<PdfPage> read(miniexp_t zones) {
    AKIN_CHECK(zone(zones, 0));
    std::vector<std::string> texts;
    for (PdfLine& line : page_.lines) texts.push_back(std::move(line.text));
    texts = djvu_utf8(std::move(texts));
    for (std::size_t i = 0; i < texts.size(); ++i) page_.lines[i].text = std::move(texts[i]);
    return std::move(page_);
  }

 private:
  static constexpr double kPointsPerInch = 72;
  static constexpr int kLeastDpi = 25;  ///< of the format; 0 is unknown

  /// (KIND LEFT BOTTOM RIGHT TOP "text" or zones…), y upwards from the bottom of the page.
  Result<void> zone(miniexp_t expression, int level) {
    if (level == kMostLevels) return damaged("nests the zones of its text too deep");
    if (miniexp_consp(expression) == 0 || miniexp_symbolp(miniexp_car(expression)) == 0) return {};
    const std::string_view kind = miniexp_to_name(miniexp_car(expression));
    double sides[4] = {};
    miniexp_t rest = miniexp_cdr(expression);
    for (double& side : sides) {
      side = miniexp_to_int(miniexp_car(rest)) * scale_;
      rest = miniexp_cdr(rest);
    }
    const Box box{sides[0], height_ - sides[3], sides[2], height_ - sides[1]};
    const bool is_paragraph = kind == "para" || kind == "region" || kind == "column";
    const bool is_line = kind == "line";
    if (is_paragraph) end_paragraph();
    if (kind == "para") page_.blocks_are_paragraphs = true;
    if (is_line) line_ended_ = true;
    in_line_ = in_line_ || is_line;
    for (; miniexp_consp(rest) != 0; rest = miniexp_cdr(rest)) {
      const miniexp_t part = miniexp_car(rest);
      if (miniexp_stringp(part) == 0) {
        AKIN_CHECK(zone(part, level + 1));
      } else if (kind == "word" || kind == "char") {
        word(miniexp_to_str(part), box);
      } else {
        lines(miniexp_to_str(part), box);
      }
    }
    if (is_line) in_line_ = false;
    if (is_line) line_ended_ = true;
    if (is_paragraph) end_paragraph();
    return {};
  }

  void end_paragraph() {
    line_ended_ = true;
    ++block_;
  }

  /// Words that are in no line zone make lines by their places.
  void word(std::string_view text, const Box& box) {
    text = trimmed(text, kBlanks);
    if (text.empty()) return;
    if (!line_ended_ && !in_line_) {
      const PdfLine& last = page_.lines.back();
      const double middle = (box.top + box.bottom) / 2;
      line_ended_ = middle < last.top || middle > last.bottom || box.left < last.left;
    }
    if (line_ended_) return add(text, box);
    PdfLine& line = page_.lines.back();
    line.text += ' ';
    line.text += text;
    line.left = std::min(line.left, box.left);
    line.top = std::min(line.top, box.top);
    line.right = std::max(line.right, box.right);
    line.bottom = std::max(line.bottom, box.bottom);
    line.size = line.bottom - line.top;
  }

  /// A zone whose words have no places: its lines share its box.
  void lines(std::string_view text, const Box& box) {
    std::vector<std::string_view> all;
    std::size_t longest = 1;
    for (const std::string_view line : split(trimmed(text, kBlanks), '\n')) {
      all.push_back(line);
      longest = std::max(longest, line.size());
    }
    const double height = (box.bottom - box.top) / static_cast<double>(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      line_ended_ = true;
      const double share = static_cast<double>(all[i].size()) / static_cast<double>(longest);
      const double top = box.top + height * static_cast<double>(i);
      const std::string_view line = trimmed(all[i], kBlanks);
      if (line.size() != all[i].size() && all[i].find_first_of(kParagraphEnds) != std::string_view::npos) {
        page_.blocks_are_paragraphs = true;
        if (line.empty() || all[i].front() != line.front()) ++block_;
      }
      if (!line.empty()) add(line, {box.left, top, box.left + (box.right - box.left) * share, top + height});
    }
  }

  void add(std::string_view text, const Box& box) {
    page_.lines.push_back(
        {std::string(text), box.left, box.top, box.right, box.bottom, box.bottom - box.top, block_});
    line_ended_ = false;
  }

  /// What separates zones in the text itself: columns, regions, paragraphs and lines.
  static constexpr std::string_view kParagraphEnds = "\x0B\x1D\x1F", kBlanks = " \t\r\n\x0B\x1D\x1F";

  const double scale_, height_;
  PdfPage page_;
  std::uint32_t block_ = 0;
  bool line_ended_ = true;  ///< the next word begins a line
  bool in_line_ = false;
};

/// Collects the words of one page with their places.
class WordPlacer {
 public:
  WordPlacer(const DjvuSize& size, PageWords& page) : size_(size), page_(page) {}

  void zone(miniexp_t expression, int level) {
    if (level == kMostLevels || miniexp_consp(expression) == 0 ||
        miniexp_symbolp(miniexp_car(expression)) == 0)
      return;
    const std::string_view kind = miniexp_to_name(miniexp_car(expression));
    int sides[4] = {};
    miniexp_t rest = miniexp_cdr(expression);
    for (int& side : sides) {
      side = miniexp_to_int(miniexp_car(rest));
      rest = miniexp_cdr(rest);
    }
    for (; miniexp_consp(rest) != 0; rest = miniexp_cdr(rest)) {
      const miniexp_t part = miniexp_car(rest);
      if (miniexp_stringp(part) == 0) {
        zone(part, level + 1);
      } else if (kind == "word" || kind == "line") {
        add(miniexp_to_str(part), sides);
      }
    }
  }

 private:
  /// Sides: left, bottom, right, top; y upwards.
  void add(std::string_view text, const int (&sides)[4]) {
    PlacedWord word{.text = std::string(trimmed(text)),
                    .left = scaled(sides[0], size_.width, page_.width),
                    .top = scaled(size_.height - sides[3], size_.height, page_.height),
                    .right = scaled(sides[2], size_.width, page_.width),
                    .bottom = scaled(size_.height - sides[1], size_.height, page_.height)};
    const bool is_placed = word.left <= word.right && word.top <= word.bottom && !word.text.empty();
    if (is_placed && page_.words.size() < kMostPlacedWords) page_.words.push_back(std::move(word));
  }

  static std::uint32_t scaled(int length, int of, std::uint32_t to) {
    const double share = std::clamp(length / static_cast<double>(std::max(of, 1)), 0.0, 1.0);
    return static_cast<std::uint32_t>(std::lround(share * to));
  }

  const DjvuSize size_;
  PageWords& page_;
};

}  // namespace

void place_djvu_words(miniexp_t zones, const DjvuSize& size, PageWords& page) {
  WordPlacer(size, page).zone(zones, 0);
  std::vector<std::string> texts;
  for (PlacedWord& word : page.words) texts.push_back(std::move(word.text));
  texts = djvu_utf8(std::move(texts));
  for (std::size_t i = 0; i < texts.size(); ++i) page.words[i].text = std::move(texts[i]);
}

Result<PdfPage> make_djvu_page(miniexp_t zones, const DjvuSize& size) { return ZoneReader(size).read(zones); }

void give_one_size(std::vector<PdfPage>& pages) {
  std::vector<double> sizes;
  for (const PdfPage& page : pages) {
    for (const PdfLine& line : page.lines) sizes.push_back(line.size);
  }
  if (sizes.empty()) return;
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  for (PdfPage& page : pages) {
    for (PdfLine& line : page.lines) line.size = *middle;
  }
}

std::vector<std::string> djvu_utf8(std::vector<std::string> texts) {
  const auto is_wrong = [](const std::string& text) { return validate_utf8(text, "").has_error(); };
  if (std::ranges::none_of(texts, is_wrong)) return texts;
  std::string all;
  for (const std::string& text : texts) all += text + '\n';
  const std::string encoding = guess_encoding(all).value_or("windows-1252");
  for (std::string& text : texts) {
    if (!is_wrong(text)) continue;
    Result<std::string> decoded = decode_text(text, encoding, "");
    text = decoded.has_value() ? *std::move(decoded) : std::string("\uFFFD");
  }
  return texts;
}

}  // namespace akin::extract
