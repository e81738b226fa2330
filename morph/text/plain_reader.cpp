#include "morph/text/plain_reader.h"

#include <array>
#include <utility>

#include "base/hash.h"
#include "morph/text/letter_lanes.h"
#include "morph/text/successors.h"

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

/// Whether a word may end before this character without further checks.
bool may_follow_word(CharInfo info) {
  return !info.is_plain_word_character() && !touches_neighbour(info) && info.kind() != CharKind::hyphen &&
         info.kind() != CharKind::apostrophe;
}

/// Vowels and final consonants of Hangul may combine with a letter before them, even across something
/// dropped.
bool is_jamo(char32_t c) { return c >= 0x1100 && c <= 0x11ff; }

bool is_hangul_syllable(char32_t c) { return c >= 0xac00 && c < 0xd7a4; }

/// The state of one call of `read`. With `kSixteen`, it reads sixteen letters of a word at a time where it
/// can, which takes AVX2.
template <bool kSixteen>
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
    do {
#if defined(__x86_64__)
      if constexpr (kSixteen) read_short_words(full);
#endif
    } while (letter_ < full && take());
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

#if defined(__x86_64__)
  /// Reads words of fewer than sixteen letters, each with a blank, or a mark and a blank, after it: most of a
  /// text. What `take` does one by one, without what they never need.
  void read_short_words(const char32_t* full) {
    if (!next_.info.is_plain_word_character() || stop_ - at_ < kSimpleBytes) return;
    const Successors& successors = Successors::instance();
    const unsigned char* const last = stop_ - kSimpleBytes;
    const unsigned char* at = at_;
    char32_t* letter = letter_;
    Piece* piece = piece_;
    std::uint32_t code_point = code_point_;
    while (at <= last && letter < full) {
      const bool is_latin = at[0] < 0x80;
      const Sixteen found = is_latin ? fold_sixteen_latin(at, letter) : fold_sixteen_cyrillic(at, letter);
      if (found.letters - 1 >= 15) break;
      const unsigned char* end = at + (is_latin ? found.letters : 2 * found.letters);
      const unsigned char* blank = end;
      // Branches, which are predicted, because the next word would have to wait for a sum.
      if (!successors.is_blank(end[0])) {
        if (!successors.is_mark(end[0])) break;
        ++blank;
        if (!successors.is_blank(blank[0])) break;
      }
      if (!successors.may_follow_blank(blank[1])) break;
      const auto begin = static_cast<std::uint32_t>(letter - letters_);
      const auto place = static_cast<std::uint32_t>(at - text_);
      const auto word_end = static_cast<std::uint32_t>(end - text_);
      *piece++ = {.key = found.key,
                  .begin = begin,
                  .end = begin + found.letters,
                  .range = {code_point, code_point + found.letters},
                  .byte_begin = place,
                  .byte_end = word_end,
                  .kind = CharKind::letter,
                  .scripts = is_latin ? kLatin : kCyrillic,
                  .part = true,
                  .plain = true,
                  .on_letter = true};
      letter += found.letters;
      code_point += found.letters;
      if (blank != end) {
        const CharInfo mark = table_.row(end[0]);
        *piece++ = {.begin = begin + found.letters,
                    .end = begin + found.letters + 1,
                    .range = {code_point, code_point + 1},
                    .byte_begin = word_end,
                    .byte_end = word_end + 1,
                    .kind = mark.kind()};
        *letter++ = mark.folded();
        ++code_point;
      }
      *letter++ = U' ';
      ++code_point;
      at = blank + 1;
    }
    if (at == at_) return;
    at_ = at;
    letter_ = letter;
    piece_ = piece;
    code_point_ = code_point;
    next_ = look(at);
    last_ = CharKind::space;
  }

  /// What a step reads of a text, and more: a word, a mark, a blank and the character after it.
  static constexpr std::ptrdiff_t kSimpleBytes = 64;
#endif

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
    std::uint64_t key = 0;
    std::uint8_t scripts = kNoScript;
    CharKind last = CharKind::letter;
    Seen next;  ///< the character after it
  };

  bool take_word() {
    const bool is_latin = at_[0] < 0x80;
    Run run = is_latin ? read_latin() : read_cyrillic();
    if (run.length == 0) run = read_characters();
    if (!may_follow_word(run.next.info) || mixes_scripts(run.scripts)) [[unlikely]]
      return false;
    const TextRange range{code_point_, code_point_ + run.length};
    Piece& piece = put_piece(run.length, range, run.end);
    piece.key = run.key;
    piece.kind = CharKind::letter;
    piece.scripts = run.scripts;
    piece.part = piece.plain = true;
    piece.on_letter = run.last == CharKind::letter;
    letter_ += run.length;
    move_to(run.end, run.length, run.next);
    last_ = run.last;
    return true;
  }

  Run read_latin() const {
#if defined(__x86_64__)
    if constexpr (kSixteen) {
      if (static_cast<std::size_t>(end_ - at_) >= kSixteenBytes) [[likely]] {
        const Sixteen found = fold_sixteen_latin(at_, letter_);
        if (found.letters < 16) [[likely]]
          return short_run(found, 1, kLatin);
      }
    }
#endif
    return read_letters<fold_latin_letters, 1>(kLatin);
  }

  Run read_cyrillic() const {
#if defined(__x86_64__)
    if constexpr (kSixteen) {
      if (static_cast<std::size_t>(end_ - at_) >= kSixteenBytes) [[likely]] {
        const Sixteen found = fold_sixteen_cyrillic(at_, letter_);
        if (found.letters < 16) [[likely]]
          return short_run(found, 2, kCyrillic);
      }
    }
#endif
    return read_letters<fold_cyrillic_letters, 2>(kCyrillic);
  }

#if defined(__x86_64__)
  Run short_run(const Sixteen& found, std::uint32_t bytes, std::uint8_t script) const {
    Run run;
    run.end = at_ + std::size_t{found.letters} * bytes;
    run.next = look(run.end);
    if (found.letters == 0 || run.next.info.is_plain_word_character()) return run;
    run.length = found.letters;
    run.key = found.key;
    run.scripts = script;
    return run;
  }
#endif

  /// A word of letters of one alphabet only, each of kBytes; nothing if it has other characters.
  template <auto kFold, std::uint32_t kBytes>
  Run read_letters(std::uint8_t script) const {
    Run run;
    SpellingHash hash;
    std::array<SpellingHash, kLetterLanes + 1> hashes;  // after so many letters of a step
    const unsigned char* at = at_;
    char32_t* letter = letter_;
    std::size_t folded = kLetterLanes;
    for (; folded == kLetterLanes; at += folded * kBytes, letter += folded) {
      const bool has_room = letter + kLetterLanes <= letter_ + PlainReader::kMaxPlainWord;
      if (!has_room || static_cast<std::size_t>(end_ - at) < kLetterLaneBytes) return {};
      folded = kFold(at, letter);
      hashes[0] = hash;
      add_all(letter, hashes, std::make_index_sequence<kLetterLanes>());
      hash = hashes[folded];
    }
    if (letter == letter_) return {};
    run.next = look(at);
    if (run.next.info.is_plain_word_character()) return {};
    run.end = at;
    run.length = static_cast<std::uint32_t>(letter - letter_);
    run.key = hash.value();
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

  Run read_characters() const {
    Run run;
    SpellingHash hash;
    run.next = next_;
    run.end = at_;
    char32_t* letter = letter_;
    const char32_t* const longest = letter + PlainReader::kMaxPlainWord;
    CharInfo last;
    do {
      last = run.next.info;
      *letter++ = last.folded();
      hash.add(last.folded());
      run.scripts |= last.scripts();
      run.end += run.next.bytes;
      run.next = look(run.end);
    } while (run.next.info.is_plain_word_character() && letter < longest);
    run.length = static_cast<std::uint32_t>(letter - letter_);
    run.key = hash.value();
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

#if defined(__x86_64__)
/// Compiled for AVX2 with all that it calls.
[[gnu::target("avx2,bmi,bmi2"), gnu::flatten]] void run_with_sixteen(Pass<true>& pass,
                                                                     FoldedReader::Place place,
                                                                     std::size_t size) {
  pass.run(place, size);
}

bool has_sixteen() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0 &&
                          __builtin_cpu_supports("bmi2") != 0;
  return has;
}
#endif

}  // namespace

PlainReader::PlainReader(std::string_view utf8) : text_(utf8) {
  const std::size_t last = utf8.find_last_of(" \n");
  if (last != std::string_view::npos) stop_ = last;
}

PlainReader::Last PlainReader::read(FoldedReader::Place& place, std::size_t size, Window& window) const {
  if (stop_ == 0) return CharKind::ignorable;
  const auto finish = [&](const auto& pass) {
    pass.finish(window);
    place = pass.place();
    return pass.last();
  };
#if defined(__x86_64__)
  if (has_sixteen()) {
    Pass<true> pass(text_, stop_, table_, window);
    run_with_sixteen(pass, place, size);
    return finish(pass);
  }
#endif
  Pass<false> pass(text_, stop_, table_, window);
  pass.run(place, size);
  return finish(pass);
}

}  // namespace akin
