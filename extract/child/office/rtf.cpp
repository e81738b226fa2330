#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "extract/child/code_pages.h"
#include "extract/child/errors.h"
#include "extract/child/office/docx_values.h"
#include "extract/child/office/list_labels.h"
#include "extract/child/office/row_grounds.h"
#include "extract/child/office/rtf_state.h"
#include "extract/child/office/rtf_styles.h"
#include "extract/child/office/rtf_words.h"
#include "extract/child/readers.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t kMostGroups = 4096;
/// Bytes of one code page that are converted at once.
constexpr std::size_t kMostPending = 1U << 20U;

using Place = RtfPlace;

class RtfReader {
 public:
  RtfReader(std::string_view bytes, DocumentBuilder& builder) : rest_(bytes), builder_(builder) {}

  Result<void> read() {
    while (!rest_.empty() && !builder_.full()) {
      const char c = take();
      if (c == '{') {
        if (groups_.size() == kMostGroups) return damaged("nests its groups deeper than 4096");
        flush();
        groups_.push_back(state_);
        group_begins_ = true;
      } else if (c == '}') {
        if (groups_.empty()) return damaged("closes a group that it did not open");
        end_group();
        if (groups_.empty()) break;
      } else if (c == '\\') {
        control();
      } else if (c != '\r' && c != '\n') {
        byte(c);
      }
    }
    if (!groups_.empty() && !builder_.full())
      builder_.report(FileAlertKind::part_missing, 1, "the end: groups are open");
    while (!groups_.empty()) end_group();
    end_paragraph();
    for (const std::string& note : notes_) builder_.paragraph(PieceKind::footnote, note);
    return {};
  }

 private:
  char take() {
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  void end_group() {
    flush();
    const Place ended = state_.place;
    state_ = groups_.back();
    groups_.pop_back();
    group_begins_ = optional_ = false;
    pending_skip_ = 0;
    if (ended == state_.place) return;
    if (ended == Place::label) end_label();
    if (ended == Place::code) end_code();
    if (ended == Place::footnote) notes_.push_back(std::exchange(note_, {}));
    if (ended == Place::box || ended == Place::aside) end_aside(ended);
    if (ended == Place::author) builder_.metadata().authors.push_back(std::exchange(author_, {}));
  }

  /// After a backslash.
  void control() {
    if (rest_.empty()) return;
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (!is_letter(rest_.front())) return symbol(take());
    std::size_t size = 0;
    while (size < rest_.size() && is_letter(rest_[size])) ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    std::optional<std::int32_t> number;
    std::int32_t value = 0;
    const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failure == std::errc()) {
      number = value;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    }
    if (rest_.starts_with(' ')) rest_.remove_prefix(1);
    if (pending_skip_ > 0 && word != "u") {
      --pending_skip_;  // the substitute of a \u may be a control word
      return;
    }
    apply(word, number);
    group_begins_ = optional_ = false;
  }

  void symbol(char c) {
    if (c == '*') {
      optional_ = group_begins_;
      return;
    }
    group_begins_ = false;
    if (c == '\'') {
      if (rest_.size() < 2) return;
      unsigned value = 0;
      const auto [end, failure] = std::from_chars(rest_.data(), rest_.data() + 2, value, 16);
      const bool right = failure == std::errc() && end == rest_.data() + 2;
      rest_.remove_prefix(2);
      if (right) byte(static_cast<char>(value));
    } else if (c == '~') {
      text(" ");
    } else if (c == '_') {
      text("\u2011");
    } else if (c == '-') {
      text("\u00AD");
    } else if (c == '\r' || c == '\n') {
      end_paragraph();
    } else if (c == '\\' || c == '{' || c == '}') {
      byte(c);
    }
  }

  void apply(std::string_view word, std::optional<std::int32_t> number) {
    if (word == "bin") return rest_.remove_prefix(std::min<std::size_t>(rest_.size(), positive(number)));
    if (group_begins_ && begin_destination(word)) return;
    if (state_.place == Place::nowhere) return;
    if (state_.place == Place::fonts) return font(word, number);
    if (state_.place == Place::colours) return colours_.read(word, number);
    if (state_.place == Place::styles && word != "u") return styles_.read(word, number);
    if (word == "u" && number) return unicode(*number);
    if (const auto found = characters().find(word); found != characters().end()) return text(found->second);
    if (is_end_of_paragraph(word)) {
      end_paragraph();
      return row_.read(word, number);
    }
    flush();
    row_.read(word, number);
    format(word, number);
  }

  static std::size_t positive(std::optional<std::int32_t> number) {
    return number && *number > 0 ? static_cast<std::size_t>(*number) : 0;
  }

  static bool is_end_of_paragraph(std::string_view word) {
    return word == "par" || word == "sect" || word == "page" || word == "cell" || word == "nestcell" ||
           word == "row" || word == "nestrow" || word == "column";
  }

  /// The first word of a group may say that the group is something else than text.
  bool begin_destination(std::string_view word) {
    if (state_.place == Place::nowhere && info_ && (word == "title" || word == "author")) {
      state_.place = word == "title" ? Place::title : Place::author;
      return true;
    }
    // A group of \upr has the text for readers that know no Unicode, and after \*\ud in Unicode.
    if (word == "ud" && optional_) {
      state_.place = std::exchange(upr_place_, Place::nowhere);
      return true;
    }
    // Of a shape or an object, its text is read.
    const bool box = word == "shptxt" || word == "dptxbxtext";
    if (state_.place == Place::nowhere && (box || word == "result")) {
      state_.place = box && state_.around == Place::body ? Place::box : state_.around;
      return true;
    }
    if (state_.place == Place::nowhere) return false;
    if (word == "shpinst" || word == "do" || word == "object") {
      state_.around = std::exchange(state_.place, Place::nowhere);
      return true;
    }
    if (word == "upr") {
      upr_place_ = std::exchange(state_.place, Place::nowhere);
      return true;
    }
    if (const auto found = places().find(word); found != places().end()) {
      state_.place = found->second;
      info_ = word == "info";
      return true;
    }
    if (!optional_ && !unseen_groups().contains(word)) return false;
    state_.place = Place::nowhere;
    info_ = false;
    return true;
  }

  void font(std::string_view word, std::optional<std::int32_t> number) {
    if (word == "f") state_.font = number.value_or(0);
    if (word == "fcharset") fonts_[state_.font] = page_of_charset(number.value_or(0));
  }

  void format(std::string_view word, std::optional<std::int32_t> number) {
    if (state_.place == Place::body) indent_.read(word, number);
    state_.read_width(word, number);
    state_.read_look(word, number);
    const bool on = number.value_or(1) != 0;
    if (word == "plain") {
      state_.hidden = state_.deleted = state_.tiny = state_.relief = state_.raised = false;
      state_.font = default_font_;
      state_.colour = -1;
      state_.ground = 0;
    }
    if (word == "v") state_.hidden = on;
    if (word == "deleted") state_.deleted = on;
    if (word == "super" || word == "up") state_.raised = number.value_or(1) > 0;
    if (word == "nosupersub" || word == "sub") state_.raised = false;
    if (word == "fs") state_.tiny = number && *number <= 4;
    if (word == "cf") state_.colour = number.value_or(0);
    if (word == "cb" || word == "highlight" || word == "chcbpat") state_.ground = number.value_or(0);
    if (word == "cbpat") state_.paragraph_ground = number.value_or(0);
    if (word == "embo" || word == "impr") state_.relief = on;
    if (word == "f") state_.font = number.value_or(0);
    if (word == "deff") default_font_ = state_.font = number.value_or(0);
    if (word == "uc") state_.skipped_after_unicode = number.value_or(1);
    if (word == "ansicpg" && number) page_ = static_cast<std::uint32_t>(*number);
    if (word == "mac") page_ = 10000;
    if (word == "pc") page_ = 437;
    if (word == "pca") page_ = 850;
    if (word == "intbl") in_table_ = true;
    if (word == "outlinelevel") heading_ = number.value_or(0) < 9;
    if (word == "pard") {
      in_table_ = heading_ = false;
      state_.paragraph_ground = 0;
    }
  }

  void unicode(std::int32_t number) {
    flush();
    pending_skip_ = std::max(state_.skipped_after_unicode, 0);
    auto unit = static_cast<char32_t>(number & 0xFFFF);
    if (unit >= 0xD800 && unit < 0xDC00) {
      high_ = unit;
      return;
    }
    if (unit >= 0xDC00 && unit < 0xE000) {
      if (high_ == 0) return;
      unit = 0x10000 + ((high_ - 0xD800) << 10U) + (unit - 0xDC00);
    }
    high_ = 0;
    std::string utf8;
    append_utf8(utf8, unit == 0 ? U' ' : unit);
    put(utf8);
  }

  /// A byte of the font's code page.
  void byte(char c) {
    group_begins_ = false;
    if (pending_skip_ > 0) {
      --pending_skip_;
      return;
    }
    if (state_.place == Place::nowhere || state_.place == Place::fonts) return;
    if (state_.place == Place::colours) {
      if (c == ';') colours_.end_colour();
      return;
    }
    bytes_ += c;
    if (bytes_.size() == kMostPending) flush();
  }

  void text(std::string_view utf8) {
    if (pending_skip_ > 0) {
      --pending_skip_;
      return;
    }
    flush();
    put(utf8);
  }

  /// The bytes so far, which have one font.
  void flush() {
    if (bytes_.empty()) return;
    const auto font = fonts_.find(state_.font);
    const std::uint32_t page = font == fonts_.end() || font->second == 0 ? page_ : font->second;
    put(code_pages_.decode(std::exchange(bytes_, {}), page));
  }

  [[nodiscard]] bool has_colour_of_its_ground() const {
    std::int32_t ground = state_.ground != 0 ? state_.ground : state_.paragraph_ground;
    if (ground == 0 && in_table_) ground = row_.ground();
    return colours_.are_same(state_.colour, ground);
  }

  [[nodiscard]] HidingSet hiding() const {
    HidingSet ways = state_.place == Place::body ? indent_.hiding() : HidingSet{0};
    if (state_.hidden) ways |= set_of(Hiding::switched_off);
    if (!state_.relief && has_colour_of_its_ground()) ways |= set_of(Hiding::colour);
    if (state_.tiny || state_.narrow || state_.overlapped) ways |= set_of(Hiding::size);
    return ways;
  }

  void put(std::string_view utf8) {
    if (state_.deleted) return;
    switch (state_.place) {
      case Place::title:
        builder_.metadata().title += utf8;
        break;
      case Place::author:
        author_ += utf8;
        break;
      case Place::styles:
        return styles_.name(utf8);
      case Place::body:
        return put_seen(paragraph_, utf8);
      case Place::label:
        if (hiding() == 0) label_ += utf8;
        break;
      case Place::code:
        code_ += utf8;
        break;
      case Place::footnote:
        return put_seen(note_, utf8);
      case Place::box:
        return put_seen(aside_, utf8);
      case Place::aside:
        if (hiding() == 0) aside_ += utf8;
        break;
      default:
        break;
    }
  }

  void put_seen(std::string& text, std::string_view utf8) {
    if (state_.condensed && utf8.find_first_not_of(' ') == std::string_view::npos) return;
    if (const HidingSet ways = hiding(); ways != 0) return builder_.hide(utf8, ways);
    if (&text == &paragraph_) builder_.look(state_.look(), utf8);
    if (!state_.raised || !is_note_mark(text, utf8)) text += utf8;
  }

  void end_code() {
    if (shows_its_code(code_)) builder_.leave_out(code_);
    code_.clear();
  }

  void end_label() {
    const std::string label = text_of_label(std::exchange(label_, {}));
    if (!label.empty() && state_.place == Place::body) put_seen(paragraph_, label + ' ');
  }

  void end_aside(Place place) {
    const std::string text = std::exchange(aside_, {});
    if (place == Place::aside) return builder_.leave_out(text);
    builder_.paragraph(PieceKind::body, text);
  }

  void end_paragraph() {
    flush();
    if (state_.place == Place::box || state_.place == Place::aside) return end_aside(state_.place);
    if (state_.place == Place::footnote) {
      note_ += '\n';
      return;
    }
    if (state_.place != Place::body) return;
    const PieceKind kind = heading_ ? PieceKind::heading : PieceKind::body;
    builder_.paragraph(in_table_ ? PieceKind::table : kind, std::exchange(paragraph_, {}),
                       !in_table_ && !heading_ && indent_.is_set_off(styles_));
  }

  std::string_view rest_;
  DocumentBuilder& builder_;
  CodePages code_pages_;
  RtfState state_;
  RowGrounds row_;
  RtfStyles styles_;
  RtfIndent indent_;
  Place upr_place_ = Place::nowhere;
  std::vector<RtfState> groups_;
  std::string bytes_, paragraph_, note_, aside_, author_, label_, code_;
  std::vector<std::string> notes_;
  std::map<std::int32_t, std::uint32_t> fonts_;  ///< → code page
  RtfColours colours_;
  std::uint32_t page_ = 1252;
  std::int32_t default_font_ = 0, pending_skip_ = 0;
  char32_t high_ = 0;
  bool group_begins_ = false, optional_ = false, info_ = false, in_table_ = false, heading_ = false;
};

}  // namespace

Result<void> read_rtf(std::string_view bytes, DocumentBuilder& builder) {
  return RtfReader(bytes, builder).read();
}

}  // namespace akin::extract
