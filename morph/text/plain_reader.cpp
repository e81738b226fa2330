#include "morph/text/plain_reader.h"

#include "base/hash.h"

namespace akin {
namespace {

/// A character under inspection.
struct Seen {
  CharInfo info;
  std::uint32_t bytes = 0;
};

/// The contribution of the marker bits of lead and continuation to a character of two bytes.
constexpr std::uint32_t kTwoBytes = (0xc0U << 6U) + 0x80U;

constexpr CharInfo kNeedsCare{0, CharKind::ignorable, kNoScript, true};

bool is_white(CharInfo info) { return info.kind() == CharKind::space || info.kind() == CharKind::line_break; }

/// Whether this character may change the one before it.
bool touches_neighbour(CharInfo info) { return info.composes() || info.kind() >= CharKind::soft_hyphen; }

/// Whether a word may end before this character without further checks.
bool may_follow_word(CharInfo info) {
  return !info.is_plain_word_character() && !touches_neighbour(info) && info.kind() != CharKind::hyphen &&
         info.kind() != CharKind::apostrophe;
}

/// Vowels and final consonants of Hangul may combine with a letter before them, even across something
/// dropped.
bool is_jamo(char32_t c) { return c >= 0x1100 && c <= 0x11ff; }

bool is_hangul_syllable(char32_t c) { return c >= 0xac00 && c < 0xd7a4; }

/// The state of one call of `read`.
class Pass {
 public:
  Pass(std::string_view text, std::size_t stop, const CharTable& table, Window& window)
      : table_(table),
        text_(reinterpret_cast<const unsigned char*>(text.data())),
        stop_(text_ + stop),
        letters_(window.letters_end() - window.size()),
        letter_(window.letters_end()),
        piece_(window.pieces_end()) {}

  void run(FoldedReader::Place place, std::size_t size) {
    at_ = text_ + place.byte;
    code_point_ = place.code_point;
    if (at_ > stop_) return;
    const char32_t* const full = letters_ + size;
    next_ = look(at_);
    while (letter_ < full && take()) {
    }
  }

  [[nodiscard]] FoldedReader::Place place() const {
    return {static_cast<std::uint32_t>(at_ - text_), code_point_};
  }
  [[nodiscard]] CharKind last() const { return last_; }
  void finish(Window& window) const { window.grow_to(letter_, piece_); }

 private:
  bool take() {
    if (next_.info.is_plain_word_character()) return take_word();
    switch (next_.info.kind()) {
      case CharKind::space:
      case CharKind::line_break:
        return take_space();
      case CharKind::other:
      case CharKind::quote:
      case CharKind::dash:
        return !next_.info.composes() && take_mark();
      default:
        return false;
    }
  }

  /// Requires at <= stop_, so that the whole character lies before the text's end.
  [[nodiscard]] Seen look(const unsigned char* at) const {
    const std::uint32_t lead = at[0];
    if (lead < 0x80) return {table_.row(lead), 1};
    if (lead < 0xe0) return {table_.row((lead << 6U) + at[1] - kTwoBytes), 2};
    const char32_t c = (lead & 0xfU) << 12U | (at[1] & 0x3fU) << 6U | (at[2] & 0x3fU);
    if (lead >= 0xf0 || is_jamo(c) || (c >= CharTable::kSize && !is_hangul_syllable(c)))
      return {kNeedsCare, 0};
    return {table_[c], 3};
  }

  bool take_word() {
    const unsigned char* at = at_;
    char32_t* letter = letter_;
    const char32_t* const longest = letter + PlainReader::kMaxPlainWord;
    SpellingHash hash;
    std::uint8_t scripts = kNoScript;
    Seen next = next_;
    CharInfo last;
    do {
      last = next.info;
      *letter++ = last.folded();
      hash.add(last.folded());
      scripts |= last.scripts();
      at += next.bytes;
      next = look(at);
    } while (next.info.is_plain_word_character() && letter < longest);
    if (!may_follow_word(next.info) || mixes_scripts(scripts)) [[unlikely]]
      return false;
    const auto length = static_cast<std::uint32_t>(letter - letter_);
    const TextRange range{code_point_, code_point_ + length};
    Piece& piece = put_piece(length, range, at);
    piece.key = hash.value();
    piece.kind = CharKind::letter;
    piece.scripts = scripts;
    piece.part = piece.plain = true;
    piece.on_letter = last.kind() == CharKind::letter;
    letter_ = letter;
    move_to(at, length, next);
    last_ = last.kind();
    return true;
  }

  bool take_space() {
    const unsigned char* at = at_;
    std::uint32_t count = 0, line_breaks = 0;
    bool after_carriage_return = false;
    Seen next = next_;
    do {
      const char32_t c = next.info.folded();
      if (next.info.kind() == CharKind::line_break && !(after_carriage_return && c == U'\n')) ++line_breaks;
      after_carriage_return = c == U'\r';
      at += next.bytes;
      ++count;
      if (at > stop_) return false;
      next = look(at);
    } while (is_white(next.info) && !next.info.composes());
    if (line_breaks >= 2 || touches_neighbour(next.info) || next.info.kind() == CharKind::paragraph_break)
      return false;
    *letter_++ = U' ';
    move_to(at, count, next);
    last_ = CharKind::space;
    return true;
  }

  bool take_mark() {
    const unsigned char* const at = at_ + next_.bytes;
    const Seen next = look(at);
    if (touches_neighbour(next.info)) return false;
    Piece& piece = put_piece(1, {code_point_, code_point_ + 1}, at);
    piece.kind = last_ = next_.info.kind();
    *letter_++ = next_.info.folded();
    move_to(at, 1, next);
    return true;
  }

  /// Adds a piece of `letters` letters from letter_ on that extends to the byte `end`.
  Piece& put_piece(std::uint32_t letters, TextRange range, const unsigned char* end) {
    const auto begin = static_cast<std::uint32_t>(letter_ - letters_);
    *piece_ = {.begin = begin,
               .end = begin + letters,
               .range = range,
               .byte_begin = static_cast<std::uint32_t>(at_ - text_),
               .byte_end = static_cast<std::uint32_t>(end - text_)};
    return *piece_++;
  }

  void move_to(const unsigned char* at, std::uint32_t code_points, Seen next) {
    at_ = at;
    code_point_ += code_points;
    next_ = next;
  }

  const CharTable& table_;
  const unsigned char* const text_;
  const unsigned char* const stop_;
  const char32_t* const letters_;  // the window's begin
  char32_t* letter_;
  Piece* piece_;
  const unsigned char* at_ = nullptr;
  std::uint32_t code_point_ = 0;
  Seen next_;  // the character at at_
  CharKind last_ = CharKind::ignorable;
};

}  // namespace

PlainReader::PlainReader(std::string_view utf8) : text_(utf8) {
  const std::size_t last = utf8.find_last_of(" \n");
  if (last != std::string_view::npos) stop_ = last;
}

PlainReader::Last PlainReader::read(FoldedReader::Place& place, std::size_t size, Window& window) const {
  if (stop_ == 0) return CharKind::ignorable;
  Pass pass(text_, stop_, table_, window);
  pass.run(place, size);
  pass.finish(window);
  place = pass.place();
  return pass.last();
}

}  // namespace akin
