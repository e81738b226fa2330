#include "server/ingest/wiki_markup.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <vector>

#include "base/utf8.h"
#include "extract/text_layout.h"
#include "server/ingest/character_reference.h"
#include "server/ingest/wiki_elements.h"

namespace akin::ingest {

namespace {

/// Longest target of a link; MediaWiki's titles have at most 255 bytes, and an anchor may follow.
constexpr std::size_t kLongestTarget = 1024;

/// Bytes at which markup may begin.
constexpr auto kSpecial = [] {
  std::array<bool, 256> special{};
  for (const char c : std::string_view("\n{}[]|!'<&_")) special[static_cast<unsigned char>(c)] = true;
  return special;
}();

bool is_special(char c) noexcept { return kSpecial[static_cast<unsigned char>(c)]; }

/// Markup that has been opened and not closed.
struct Open {
  enum class Kind { template_call, link, silent_link, external_link, table } kind;
  extract::TextLayout::Mark begin;
};

/// Goes through the page once. Each piece of markup that opens is pushed onto the stack once, and popped
/// once; removed text is cut off the end of the collected text.
class MarkupReader {
 public:
  explicit MarkupReader(std::string_view page) : page_(page) {}

  std::string read() && {
    begin_line();
    while (at_ < page_.size()) {
      const std::size_t begin = at_;
      while (at_ < page_.size() && at_ != heading_end_ && !is_special(page_[at_])) ++at_;
      out_.flow(page_.substr(begin, at_ - begin));
      if (at_ == heading_end_) {
        end_heading();
      } else if (at_ < page_.size()) {
        read_special();
      }
    }
    return std::move(out_).take();
  }

 private:
  [[nodiscard]] bool sees(std::string_view mark) const { return page_.substr(at_).starts_with(mark); }
  [[nodiscard]] char at(std::size_t place) const { return place < page_.size() ? page_[place] : '\0'; }
  [[nodiscard]] bool inside(Open::Kind kind) const { return !open_.empty() && open_.back().kind == kind; }

  std::size_t run_of(char c) const {
    std::size_t end = at_;
    while (end < page_.size() && page_[end] == c) ++end;
    return end - at_;
  }

  /// Takes the next characters as text.
  void keep(std::size_t bytes) {
    out_.flow(page_.substr(at_, bytes));
    at_ += bytes;
  }

  void open(Open::Kind kind) {
    open_.push_back({kind, out_.mark()});
    if (kind == Open::Kind::template_call) ++templates_;
    out_.guard(open_.back().begin.size);
  }

  void close() {
    if (inside(Open::Kind::template_call)) --templates_;
    open_.pop_back();
    out_.guard(open_.empty() ? 0 : open_.back().begin.size);
  }

  /// Closes it, and drops its content.
  void close_silently() {
    out_.back_to(open_.back().begin);
    close();
  }

  [[nodiscard]] bool inside_link() const {
    return inside(Open::Kind::link) || inside(Open::Kind::silent_link) || inside(Open::Kind::external_link);
  }

  void read_special() {
    switch (page_[at_]) {
      case '\n':
        return end_line();
      case '{':
        return read_open_braces();
      case '}':
        return read_close_braces();
      case '[':
        return read_open_bracket();
      case ']':
        return read_close_bracket();
      case '|':
      case '!':
        return read_cell_border();
      case '\'':
        return read_apostrophes();
      case '<':
        return read_angle();
      case '&':
        return read_entity();
      default:
        return read_underscores();
    }
  }

  // --- lines

  void end_line() {
    ++at_;
    if (inside(Open::Kind::external_link)) close();
    header_line_ = false;
    out_.line_break();
    begin_line();
  }

  /// Handles marks that count only at the beginning of a line.
  void begin_line() {
    std::size_t blank = at_;
    while (at(blank) == ' ' || at(blank) == '\t') ++blank;
    if (at(blank) == '\n' || blank == page_.size()) {
      while (inside_link()) close();  // none extends over a blank line
      out_.border();
      at_ = blank;
      return;
    }
    if (inside(Open::Kind::template_call)) return;
    begin_table_line(blank);
    switch (at(at_)) {
      case '=':
        return begin_heading();
      case '*':
      case '#':
      case ':':
      case ';':
        return begin_item();
      case '-':
        if (!sees("----")) return;
        at_ += run_of('-');
        return out_.border();
      default:
        return;
    }
  }

  void begin_table_line(std::size_t first) {
    std::size_t mark = first;
    while (at(mark) == ':') ++mark;  // an indented table
    if (at(mark) == '{' && at(mark + 1) == '|') {
      out_.border();
      open(Open::Kind::table);
      return skip_line(mark);
    }
    if (!inside(Open::Kind::table)) return;
    const char c = at(first);
    if (c != '|' && c != '!') return;
    out_.border();
    header_line_ = c == '!';
    at_ = first + 1;
    if (c == '|' && at(at_) == '}') {
      ++at_;
      close();
    } else if (c == '|' && at(at_) == '-') {
      skip_line(at_);
    } else {
      if (c == '|' && at(at_) == '+') ++at_;
      skip_cell_attributes();
    }
  }

  void skip_line(std::size_t from) { at_ = std::min(page_.find('\n', from), page_.size()); }

  /// `style="…" |` before the text of a cell.
  void skip_cell_attributes() {
    const std::size_t end = page_.find_first_of("|[{\n<", at_);
    if (end == std::string_view::npos || page_[end] != '|' || at(end + 1) == '|') return;
    at_ = end + 1;
  }

  void begin_heading() {
    std::size_t end = std::min(page_.find('\n', at_), page_.size());
    while (end > at_ && (page_[end - 1] == ' ' || page_[end - 1] == '\t' || page_[end - 1] == '\r')) --end;
    const std::size_t marks = run_of('=');
    std::size_t begin_of_marks = end;
    while (begin_of_marks > at_ + marks && page_[begin_of_marks - 1] == '=') --begin_of_marks;
    if (begin_of_marks == end) return;  // not closed: text that begins with "="
    at_ += marks;
    heading_end_ = begin_of_marks;
    out_.border();
  }

  void end_heading() {
    heading_end_ = std::string_view::npos;
    at_ += run_of('=');
    out_.border();
  }

  void begin_item() {
    while (at_ < page_.size() && std::string_view("*#:;").find(page_[at_]) != std::string_view::npos) ++at_;
    out_.border();
  }

  void read_cell_border() {
    const std::string_view pair = page_.substr(at_, 2);
    if (!inside(Open::Kind::table) || (pair != "||" && (pair != "!!" || !header_line_))) return keep(1);
    at_ += 2;
    out_.border();
    skip_cell_attributes();
  }

  // --- braces and brackets

  void read_open_braces() {
    const std::size_t run = run_of('{');
    if (run == 1) return keep(1);
    for (std::size_t i = 0; i < run / 2; ++i) open(Open::Kind::template_call);
    at_ += run;
  }

  void read_close_braces() {
    const std::size_t run = run_of('}');
    if (run == 1) return keep(1);
    at_ += run;
    for (std::size_t i = 0; i < run / 2 && templates_ > 0; ++i) {
      while (!inside(Open::Kind::template_call)) close();
      close_silently();
    }
  }

  void read_open_bracket() {
    if (at(at_ + 1) == '[') return read_open_link();
    const std::string_view rest = page_.substr(at_ + 1, 16);
    constexpr std::array<std::string_view, 6> kSchemes = {"http://", "https://", "//",
                                                          "ftp://",  "mailto:",  "news:"};
    if (std::ranges::none_of(kSchemes, [&](std::string_view scheme) { return rest.starts_with(scheme); }))
      return keep(1);
    at_ = std::min(page_.find_first_of(" ]\n", at_ + 1), page_.size());
    if (at(at_) == ']') {
      ++at_;
    } else if (at(at_) == ' ') {
      open(Open::Kind::external_link);
    }
  }

  void read_open_link() {
    at_ += 2;
    const std::string_view target = page_.substr(at_, kLongestTarget);
    const std::size_t length = target.find_first_of("|]\n[{}<");
    const char end = length == std::string_view::npos ? '\0' : target[length];
    if (end == '|') {
      const bool silent = is_silent_link(target.substr(0, length));
      at_ += length + 1;
      open(silent ? Open::Kind::silent_link : Open::Kind::link);
    } else if (end == ']' && at(at_ + length + 1) == ']') {
      std::string_view shown = target.substr(0, length);
      at_ += length + 2;
      if (is_silent_link(shown)) return;
      if (shown.starts_with(':')) shown.remove_prefix(1);
      out_.flow(shown);
    } else {
      open(Open::Kind::link);  // a template makes its target, or it is not a link
    }
  }

  void read_close_bracket() {
    if (inside(Open::Kind::external_link)) {
      ++at_;
      return close();
    }
    if (at(at_ + 1) != ']') return keep(1);
    at_ += 2;
    if (inside(Open::Kind::silent_link)) {
      close_silently();
    } else if (inside(Open::Kind::link)) {
      close();
    }
  }

  // --- within a line

  void read_apostrophes() {
    const std::size_t run = run_of('\'');
    // 2 is italic, 3 bold, 5 both; of 4 the first is text, and so is anything over 5.
    const std::size_t text = run == 1 ? 1 : run == 4 ? 1 : run > 5 ? run - 5 : 0;
    out_.flow(page_.substr(at_, text));
    at_ += run;
  }

  void read_underscores() {
    const std::size_t run = run_of('_');
    if (run == 2) {
      std::size_t end = at_ + 2;
      while (end < page_.size() && end - at_ < 80 && is_magic_letter(page_[end])) ++end;
      if (end > at_ + 2 && page_.substr(end).starts_with("__")) {
        at_ = end + 2;
        return;
      }
    }
    keep(run);
  }

  /// Capitals, and every byte of a Cyrillic letter.
  static bool is_magic_letter(char c) noexcept {
    return (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
  }

  void read_entity() {
    const Entity entity = read_character_reference(page_.substr(at_));
    if (entity.bytes == 0) return keep(1);
    std::string letter;
    append_utf8(letter, entity.character);
    out_.verbatim(letter);
    at_ += entity.bytes;
  }

  // --- elements

  void read_angle() {
    if (sees("<!--")) {
      const std::size_t end = page_.find("-->", at_ + 4);
      at_ = end == std::string_view::npos ? page_.size() : end + 3;
      return;
    }
    const auto tag = read_wiki_tag(page_.substr(at_));
    if (!tag) return keep(1);
    at_ += tag->bytes;
    begin_element(tag->name, tag->element, tag->empty);
  }

  /// `at_` is after a tag. `empty`: the element has no content, or the tag ends it.
  void begin_element(const std::string& name, WikiElement element, bool empty) {
    switch (element) {
      case WikiElement::inline_text:
        return;
      case WikiElement::block:
        return out_.border();
      case WikiElement::line_break:
        return out_.line_break();
      case WikiElement::verbatim:
      case WikiElement::dropped:
        break;
    }
    if (empty) return;
    const auto content = content_of(name);
    if (!content || element == WikiElement::dropped) return;
    if (name == "pre") out_.border();
    out_.verbatim(decode_character_references(*content));
    if (name == "pre") out_.border();
  }

  /// The content up to the closing tag, and moves past that; nothing, without moving, if there is none.
  std::optional<std::string_view> content_of(const std::string& name) {
    if (unclosed_.contains(name)) return std::nullopt;
    const auto end = find_wiki_end_tag(page_, at_, name);
    if (!end) {
      unclosed_.insert(name);  // so that the page is not searched to its end again
      return std::nullopt;
    }
    const std::string_view content = page_.substr(at_, end->begin - at_);
    at_ = end->end;
    return content;
  }

  const std::string_view page_;
  std::size_t at_ = 0;
  std::size_t heading_end_ = std::string_view::npos;  ///< where the closing marks of a heading are
  bool header_line_ = false;                          ///< of a table
  std::vector<Open> open_;
  std::size_t templates_ = 0;       ///< in `open_`
  std::set<std::string> unclosed_;  ///< elements that are not closed from here on
  extract::TextLayout out_;
};

}  // namespace

std::string read_wiki_markup(std::string_view utf8) { return MarkupReader(utf8).read(); }

}  // namespace akin::ingest
