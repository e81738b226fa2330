#include "morph/words/plain_reader.h"

#include "base/cpu.h"
#include "base/hash.h"
#include "morph/words/letter_lanes.h"
#include "morph/words/plain_words.h"
#include "morph/words/successors.h"

namespace akin {
namespace {

/// Whether a word may end before this character without further checks.
bool may_follow_word(CharInfo info) {
  return !info.is_plain_word_character() && !touches_neighbour(info) && info.kind() != CharKind::hyphen &&
         info.kind() != CharKind::apostrophe;
}

/// Whether an apostrophe after this is not in a word.
bool follows_gap(CharKind last) {
  return last == CharKind::space || last == CharKind::other || last == CharKind::quote ||
         last == CharKind::dash || last == CharKind::letter || last == CharKind::digit;
}

/// The state of one call of `read`. With `kSixteen`, it reads sixteen letters of a word at a time where it
/// can, which takes AVX2.
template <bool kSixteen>
class Pass {
  using Run = typename PlainWords<kSixteen>::Run;

 public:
  Pass(std::string_view text, std::size_t stop, const CharTable& table, Window& window)
      : table_(table),
        reader_(table, reinterpret_cast<const unsigned char*>(text.data()) + text.size()),
        text_(reinterpret_cast<const unsigned char*>(text.data())),
        stop_(text_ + stop),
        letters_(window.letters_end() - window.size()),
        letter_(window.letters_end()),
        words_begin_(window.words_end() - window.words().size()),
        word_(window.words_end()),
        place_(window.places_end()),
        piece_(window.pieces_end()) {}

  void run(FoldedReader::Place place, std::size_t size) {
    at_ = text_ + place.byte;
    code_point_ = place.code_point;
    if (at_ > stop_) return;
    const char32_t* const full = letters_ + size;
    next_ = reader_.look(at_);
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
  void finish(Window& window) const { window.grow_to(letter_, word_, piece_); }

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
      case CharKind::apostrophe:
        return follows_gap(last_) && joins_nothing(next_) && take_mark();
      case CharKind::hyphen:
        return take_dash();
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
    QuickWord* word = word_;
    WordPlace* place = place_;
    Piece* piece = piece_;
    std::uint32_t code_point = code_point_;
    /// Adds a word with the mark and the blank after it; false if something else follows.
    const auto put = [&](const unsigned char* end, const Sixteen& found) {
      const unsigned char* blank = end;
      // Branches, which are predicted, because the next word would have to wait for a sum.
      if (!successors.is_blank(end[0])) {
        if (!successors.is_mark(end[0])) return false;
        ++blank;
        if (!successors.is_blank(blank[0])) return false;
      }
      if (!successors.may_follow_blank(blank[1])) return false;
      const auto begin = static_cast<std::uint32_t>(letter - letters_);
      *word++ = {.key = found.key, .begin = begin, .size = found.letters};
      *place++ = {.code_point = code_point,
                  .byte = static_cast<std::uint32_t>(at - text_),
                  .code_points = static_cast<std::uint16_t>(found.letters),
                  .bytes = static_cast<std::uint16_t>(end - at)};
      letter += found.letters;
      code_point += found.letters;
      if (blank != end) {
        const CharInfo mark = table_.row(end[0]);
        const auto word_end = static_cast<std::uint32_t>(end - text_);
        *piece++ = {.begin = begin + found.letters,
                    .end = begin + found.letters + 1,
                    .words = static_cast<std::uint32_t>(word - words_begin_),
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
      return true;
    };
    while (at <= last && letter < full) {
      const bool is_latin = at[0] < 0x80;
      const Sixteen found = is_latin ? fold_sixteen_latin(at, letter) : fold_sixteen_cyrillic(at, letter);
      const unsigned char* const end = at + (is_latin ? found.letters : 2 * found.letters);
      if (found.letters - 1 >= 15 || !put(end, found)) break;
    }
    if (at == at_) return;
    at_ = at;
    letter_ = letter;
    word_ = word;
    place_ = place;
    piece_ = piece;
    code_point_ = code_point;
    next_ = reader_.look(at);
    last_ = CharKind::space;
  }

  /// What a step reads of a text, and more: a word, a mark, a blank and the character after it.
  static constexpr std::ptrdiff_t kSimpleBytes = 64;
  static_assert(kSimpleBytes > kSixteenBytes + 3);
#endif

  bool take_word() {
    const Run run = reader_.read(at_, letter_, next_);
    if (!may_follow_word(run.next.info)) [[unlikely]]
      return take_joined(run);
    if (mixes_scripts(run.scripts)) [[unlikely]]
      return false;
    put_word(run);
    letter_ += run.length;
    move_to(run.end, run.code_points, run.next);
    last_ = run.last;
    return true;
  }

  /// A word that begins with `run` and has apostrophes or hyphens, each between two letters; all of it or
  /// nothing.
  bool take_joined(Run run) {
    Pass pass = *this;
    pass.last_ = CharKind::space;  // nothing joins the first run
    while (pass.add_run(run)) {
      if (pass.letter_ > letter_ + reader_.kMaxPlainWord) return false;
      if (may_follow_word(run.next.info) || pass.is_apostrophe_at_end(run)) {
        if (pass.piece_ == piece_ + 1) pass.make_last_piece_a_word();
        pass.next_ = run.next;
        pass.last_ = run.last;
        adopt(pass);
        return true;
      }
      if (!pass.add_joint(run)) return false;
      run = reader_.read(pass.at_, pass.letter_, pass.next_);
    }
    return false;
  }

  /// Adds the run at at_: a part, or the rest of one that an apostrophe divides.
  bool add_run(const Run& run) {
    const TextRange range{code_point_, code_point_ + run.code_points};
    if (last_ == CharKind::apostrophe) {
      Piece& part = piece_[-1];
      part.end = static_cast<std::uint32_t>(letter_ - letters_) + run.length;
      part.range.end = range.end;
      part.byte_end = static_cast<std::uint32_t>(run.end - text_);
      part.scripts |= run.scripts;
      part.on_letter = run.last == CharKind::letter;
    } else {
      put_part(run, range);
      piece_[-1].after_hyphen = last_ == CharKind::hyphen;
    }
    letter_ += run.length;
    at_ = run.end;
    code_point_ += run.code_points;
    return !mixes_scripts(piece_[-1].scripts);
  }

  /// Takes the hyphen or apostrophe between `run` and a letter; next_ is that letter.
  bool add_joint(const Run& run) {
    const CharKind kind = run.next.info.kind();
    const bool apostrophe = kind == CharKind::apostrophe && !run.next.info.composes();
    if ((!apostrophe && at_[0] != '-') || run.last != CharKind::letter || at_ + run.next.bytes > stop_)
      return false;
    at_ += run.next.bytes;
    ++code_point_;
    next_ = reader_.look(at_);
    last_ = kind;
    if (apostrophe)
      *letter_++ = run.next.info.folded();
    else
      piece_[-1].before_hyphen = true;
    return next_.info.is_plain_letter();
  }

  /// Whether `run` ends at at_, before an apostrophe that joins nothing.
  [[nodiscard]] bool is_apostrophe_at_end(const Run& run) const {
    return joins_nothing(run.next) && !reader_.look(at_ + run.next.bytes).info.is_plain_word_character();
  }

  /// Whether this is an apostrophe at at_ that neither joins another one nor changes with what follows.
  [[nodiscard]] bool joins_nothing(const Seen& seen) const {
    if (seen.info.kind() != CharKind::apostrophe || seen.info.composes() || at_ + seen.bytes > stop_)
      return false;
    const CharInfo after = reader_.look(at_ + seen.bytes).info;
    return after.kind() != CharKind::apostrophe && !touches_neighbour(after);
  }

  /// One or two hyphens between blanks are a dash.
  bool take_dash() {
    if (last_ != CharKind::space || at_ + 2 >= stop_) return false;
    const std::uint32_t hyphens = at_[0] != '-' ? 0 : at_[1] == '-' ? 2 : 1;
    const unsigned char* const end = at_ + hyphens;
    if (hyphens == 0 || *end != ' ' || touches_neighbour(reader_.look(end + 1).info)) return false;
    Piece& piece = put_piece(1, {code_point_, code_point_ + hyphens}, end);
    piece.kind = last_ = CharKind::dash;
    *letter_++ = kDash;
    move_to(end, hyphens, reader_.look(end));
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
      next = reader_.look(at);
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
    const Seen next = reader_.look(at);
    if (touches_neighbour(next.info)) return false;
    Piece& piece = put_piece(1, {code_point_, code_point_ + 1}, at);
    piece.kind = last_ = next_.info.kind();
    *letter_++ = next_.info.folded();
    move_to(at, 1, next);
    return true;
  }

  void put_part(const Run& run, TextRange range) {
    Piece& piece = put_piece(run.length, range, run.end);
    piece.kind = CharKind::letter;
    piece.scripts = run.scripts;
    piece.part = true;
    piece.on_letter = run.last == CharKind::letter;
  }

  void put_word(const Run& run) {
    *word_++ = {run.key, static_cast<std::uint32_t>(letter_ - letters_), run.length};
    *place_++ = {code_point_, static_cast<std::uint32_t>(at_ - text_),
                 static_cast<std::uint16_t>(run.code_points), static_cast<std::uint16_t>(run.end - at_)};
  }

  void make_last_piece_a_word() {
    const Piece& part = *--piece_;
    const std::uint32_t size = part.end - part.begin;
    *word_++ = {spelling_key({letters_ + part.begin, size}), part.begin, size};
    *place_++ = {part.range.begin, part.byte_begin,
                 static_cast<std::uint16_t>(part.range.end - part.range.begin),
                 static_cast<std::uint16_t>(part.byte_end - part.byte_begin)};
  }

  /// Adds a piece of `letters` letters from letter_ on that extends to the byte `end`.
  Piece& put_piece(std::uint32_t letters, TextRange range, const unsigned char* end) {
    const auto begin = static_cast<std::uint32_t>(letter_ - letters_);
    *piece_ = {.begin = begin,
               .end = begin + letters,
               .words = static_cast<std::uint32_t>(word_ - words_begin_),
               .range = range,
               .byte_begin = static_cast<std::uint32_t>(at_ - text_),
               .byte_end = static_cast<std::uint32_t>(end - text_)};
    return *piece_++;
  }

  /// Continues where another pass over the same text is.
  void adopt(const Pass& other) {
    letter_ = other.letter_;
    word_ = other.word_;
    place_ = other.place_;
    piece_ = other.piece_;
    at_ = other.at_;
    code_point_ = other.code_point_;
    next_ = other.next_;
    last_ = other.last_;
  }

  void move_to(const unsigned char* at, std::uint32_t code_points, Seen next) {
    at_ = at;
    code_point_ += code_points;
    next_ = next;
  }

  const CharTable& table_;
  const PlainWords<kSixteen> reader_;
  const unsigned char* const text_;
  const unsigned char* const stop_;
  const char32_t* const letters_;  // the window's begin
  char32_t* letter_;
  QuickWord* const words_begin_;
  QuickWord* word_;
  WordPlace* place_;
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
  if (cpu_level() >= CpuLevel::v3) {
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
