#include "morph/text/plain_reader.h"

#include <array>
#include <utility>

#include "base/hash.h"
#include "morph/text/letter_lanes.h"

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
        end_(text_ + text.size()),
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

  /// A run of word characters.
  struct Run {
    const unsigned char* end = nullptr;
    std::uint32_t length = 0;  ///< 0: there is none
    SpellingHash hash;
    std::uint8_t scripts = kNoScript;
    CharKind last = CharKind::letter;
    Seen next;  ///< the character after it
  };

  bool take_word() {
    const bool is_latin = at_[0] < 0x80;
    Run run = is_latin ? read_letters<fold_latin_letters, 1>(kLatin)
                       : read_letters<fold_cyrillic_letters, 2>(kCyrillic);
    if (run.length == 0) run = read_characters();
    if (!may_follow_word(run.next.info) || mixes_scripts(run.scripts)) [[unlikely]]
      return false;
    const TextRange range{code_point_, code_point_ + run.length};
    Piece& piece = put_piece(run.length, range, run.end);
    piece.key = run.hash.value();
    piece.kind = CharKind::letter;
    piece.scripts = run.scripts;
    piece.part = piece.plain = true;
    piece.on_letter = run.last == CharKind::letter;
    letter_ += run.length;
    move_to(run.end, run.length, run.next);
    last_ = run.last;
    return true;
  }

  /// A word of letters of one alphabet only, each of kBytes; nothing if it has other characters.
  template <auto kFold, std::uint32_t kBytes>
  Run read_letters(std::uint8_t script) {
    Run run;
    std::array<SpellingHash, kLetterLanes + 1> hashes;  // after so many letters of a step
    const unsigned char* at = at_;
    char32_t* letter = letter_;
    std::size_t folded = kLetterLanes;
    for (; folded == kLetterLanes; at += folded * kBytes, letter += folded) {
      const bool has_room = letter + kLetterLanes <= letter_ + PlainReader::kMaxPlainWord;
      if (!has_room || static_cast<std::size_t>(end_ - at) < kLetterLaneBytes) return {};
      folded = kFold(at, letter);
      hashes[0] = run.hash;
      add_all(letter, hashes, std::make_index_sequence<kLetterLanes>());
      run.hash = hashes[folded];
    }
    if (letter == letter_) return {};
    run.next = look(at);
    if (run.next.info.is_plain_word_character()) return {};
    run.end = at;
    run.length = static_cast<std::uint32_t>(letter - letter_);
    run.scripts = script;
    return run;
  }

  /// hashes[i] is that after i letters. All of them, without a branch: where a word ends cannot be predicted.
  template <std::size_t... kLanes>
  static void add_all(const char32_t* letter, std::array<SpellingHash, kLetterLanes + 1>& hashes,
                      std::index_sequence<kLanes...> /*lanes*/) {
    SpellingHash hash = hashes[0];
    ((hash.add(letter[kLanes]), hashes[kLanes + 1] = hash), ...);
  }

  Run read_characters() {
    Run run;
    run.next = next_;
    run.end = at_;
    char32_t* letter = letter_;
    const char32_t* const longest = letter + PlainReader::kMaxPlainWord;
    CharInfo last;
    do {
      last = run.next.info;
      *letter++ = last.folded();
      run.hash.add(last.folded());
      run.scripts |= last.scripts();
      run.end += run.next.bytes;
      run.next = look(run.end);
    } while (run.next.info.is_plain_word_character() && letter < longest);
    run.length = static_cast<std::uint32_t>(letter - letter_);
    run.last = last.kind();
    return run;
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
  const unsigned char* const end_;
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
