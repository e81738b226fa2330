#include "morph/sentences/boundary.h"

#include <algorithm>
#include <cstdint>

#include "morph/sentences/boundary_lexicon.h"
#include "morph/sentences/neighbourhood.h"

namespace akin {
namespace {

constexpr std::size_t kChainParts = 4;         // of an abbreviation with dots inside
constexpr std::size_t kMaxChainPart = 4;       // characters of a part before the last
constexpr std::size_t kMaxChain = 24;          // characters of the whole, one dot between parts
constexpr std::size_t kMinWordsBeforeEnd = 3;  // "В 1990 г. он …": too few for a sentence
constexpr std::size_t kMaxOrdinalDigits = 3;
constexpr std::size_t kMaxBracketed = 6;  // characters of an unknown abbreviation: "(букв. …"

/// Roman numerals below 40, as used for centuries and kings. "mi", "di" and similar words are not numerals.
bool is_roman(std::u32string_view word) {
  if (word.empty() ||
      (word.front() != U'i' && word.front() != U'v' && word.front() != U'x' && word.front() != U'l'))
    return false;
  std::size_t i = 0;
  while (i < word.size() && i < 3 && word[i] == U'x') ++i;
  if (i < word.size() && word[i] == U'l') ++i;
  const std::u32string_view rest = word.substr(i);
  constexpr std::u32string_view kUnits[] = {U"",  U"i",  U"ii",  U"iii",  U"iv",
                                            U"v", U"vi", U"vii", U"viii", U"ix"};
  return std::ranges::find(kUnits, rest) != std::end(kUnits) && word != U"l";
}

bool is_ideographic(char32_t c) {
  return c >= 0x3040 && (c <= 0x30ff || (c >= 0x3400 && c <= 0x9fff) || (c >= 0x20000 && c <= 0x3ffff));
}

/// Decides about one mark. Made for one call of `end`.
class Mark {
 public:
  Mark(std::u32string_view sight, std::size_t at)
      : text_(sight), lexicon_(BoundaryLexicon::instance()), at_(at), run_end_(at) {}

  std::optional<std::size_t> end() {
    if (at_ > 0 && is_terminator(text_[at_ - 1])) return std::nullopt;
    before_ = text_.skip_space_back(at_);
    read_run();
    if (before_ < at_ && before_ > 0 && is_terminator(text_[before_ - 1]) && detached(run_end_))
      return std::nullopt;
    read_closers();
    if (glued()) return std::nullopt;
    read_smileys();
    const std::size_t follower = text_.skip_space(end_);
    if (follower == text_.size()) return end_;
    if (never_first(text_[follower]) || closes_before_mark(follower)) return std::nullopt;
    if (before_ == 0 || is_opening_bracket(text_[before_ - 1])) return std::nullopt;
    const bool ends = kind_ == Kind::full_stop ? full_stop_ends() : other_mark_ends();
    return ends ? std::optional(end_) : std::nullopt;
  }

 private:
  enum class Kind : std::uint8_t { full_stop, ellipsis, other };
  enum class Bracket : std::uint8_t { none, closed, unopened };

  static bool never_first(char32_t c) {
    return c == U',' || c == U';' || c == U':' || c == U'%' || c == U'/' || is_closing_bracket(c);
  }

  /// A quotation mark that, because of the mark right after it, can only be a closing one: `? ".`
  [[nodiscard]] bool closes_before_mark(std::size_t i) const {
    if (i + 1 >= text_.size() || !is_quote(text_[i])) return false;
    if (text_[i + 1] == U'.') return i + 2 == text_.size() || !is_terminator(text_[i + 2]);
    return never_first(text_[i + 1]);
  }

  [[nodiscard]] bool detached(std::size_t i) const {
    return i >= text_.size() || is_boundary_space(text_[i]) || closes(text_[i]);
  }

  [[nodiscard]] std::size_t run_end_from(std::size_t i) const {
    while (i < text_.size() && is_terminator(text_[i])) ++i;
    return i;
  }

  static bool closes(char32_t c) { return is_quote(c) || is_closing_bracket(c); }

  /// "?!" and "..."; spaces may separate the marks, as in ". . .".
  void read_run() {
    run_end_ = run_end_from(at_);
    for (;;) {
      const std::size_t begin = text_.skip_space(run_end_);
      const std::size_t end = run_end_from(begin);
      if (end != begin + 1 || !detached(end)) break;
      run_end_ = end;
    }
    const auto run = text_.slice(at_, run_end_);
    if (run == U".") return;
    const bool dots = std::ranges::all_of(run, [](char32_t c) { return c == U'.' || is_boundary_space(c); });
    kind_ = dots ? Kind::ellipsis : Kind::other;
  }

  /// Closing quotes and brackets, footnote signs, and a quotation mark alone between spaces.
  void read_closers() {
    end_ = run_end_;
    for (; end_ < text_.size() && (closes(text_[end_]) || is_note_sign(text_[end_])); ++end_) {
      if (is_note_sign(text_[end_])) continue;
      if (is_quote(text_[end_])) {
        quoted_ = true;
      } else if (bracket_ == Bracket::none) {
        opener_ = text_.opener(at_);
        bracket_ = opener_ ? Bracket::closed : Bracket::unopened;
      }
    }
    const std::size_t lone = text_.skip_space(end_);
    if (lone > end_ && lone < text_.size() && is_quote(text_[lone]) && text_[lone] != U'\'' &&
        text_[lone] != U'`' && (lone + 1 == text_.size() || is_boundary_space(text_[lone + 1])))
      end_ = lone + 1;
  }

  /// A letter or digit follows at once: "3.14", "example.org", "e.g".
  [[nodiscard]] bool glued() const {
    if (end_ >= text_.size() || is_boundary_space(text_[end_]) || text_.dash_at(end_) ||
        is_emoji(text_[end_]))
      return false;
    return !is_unspaced_terminator(text_[at_]) && !is_ideographic(text_[end_]);
  }

  /// Smileys belong to the sentence before them; so do emoji, but after a full stop only without a space.
  void read_smileys() {
    for (std::size_t i = text_.skip_space(end_); i < text_.size(); i = text_.skip_space(i)) {
      const std::size_t smiley = text_.smiley_end(i);
      if (smiley > i) {
        i = smiley;
      } else if (is_emoji(text_[i]) && (kind_ != Kind::full_stop || i == end_)) {
        ++i;
      } else {
        break;
      }
      end_ = i;
    }
  }

  /// Reads what follows, when it is first needed.
  void read_next() {
    if (has_next_) return;
    has_next_ = true;
    next_ = text_.next_word(end_);
    first_ = text_.slice(next_.begin, next_.end);
    first_uses_ = lexicon_.uses(first_);
    const auto second = first_.empty() ? next_ : text_.next_word(next_.end);
    if (!first_.empty() && !second.dash) second_ = text_.slice(second.begin, second.end);
  }

  bool next_is_number() {
    read_next();
    return !first_.empty() && is_boundary_digit(first_.front());
  }

  /// Digits or a Roman numeral, except "i", the English pronoun.
  bool next_is_numeral() { return next_is_number() || (is_roman(first_) && first_ != U"i"); }

  bool next_is_cyrillic() {
    read_next();
    return !first_.empty() && is_cyrillic(first_.front());
  }

  /// A single letter with a full stop: the next initial, or the rest of an abbreviation.
  bool next_is_initial() {
    read_next();
    return first_.size() == 1 && !is_boundary_digit(first_.front()) && next_.end < text_.size() &&
           text_[next_.end] == U'.';
  }

  [[nodiscard]] bool second_is_number() const {
    return !second_.empty() && is_boundary_digit(second_.front());
  }

  bool next_starts() {
    read_next();
    if ((first_uses_ & kLeadsNumber) != 0 && second_is_number()) return false;  // NFKC writes "№ 5" as "No 5"
    return (first_uses_ & kStarts) != 0 || ((first_uses_ & kStartsBeforeNumber) != 0 && second_is_number());
  }

  /// The start of the abbreviation whose last part is [begin, before_), and its uses: those of the longest
  /// known chain of parts ("т. д", "u.s"), else those of the last part.
  std::size_t read_abbreviation(std::size_t begin) {
    char32_t chain[kMaxChain];
    char32_t* const chain_end = chain + kMaxChain;
    if (before_ - begin > kMaxChain / 2) {
      word_uses_ = lexicon_.uses(text_.slice(begin, before_));
      return begin;
    }
    char32_t* first = chain_end - (before_ - begin);
    std::ranges::copy(text_.slice(begin, before_), first);
    word_uses_ = lexicon_.uses({first, chain_end});
    for (std::size_t part = 1; part < kChainParts; ++part) {
      const std::size_t dot = text_.skip_space_back(begin);
      if (dot == 0 || text_[dot - 1] != U'.') break;
      const std::size_t part_begin = text_.word_begin(dot - 1);
      const std::size_t length = dot - 1 - part_begin;
      if (length == 0 || length > kMaxChainPart || first - chain < static_cast<std::ptrdiff_t>(length + 1))
        break;
      *--first = U'.';
      first -= length;
      std::ranges::copy(text_.slice(part_begin, dot - 1), first);
      begin = part_begin;
      if (const std::uint16_t uses = lexicon_.uses({first, chain_end}); uses != kNoUse) word_uses_ = uses;
    }
    return begin;
  }

  bool full_stop_ends() {
    const std::size_t begin = text_.word_begin(before_);
    if (begin == before_) return true;
    const auto word = text_.slice(begin, before_);
    if (std::ranges::all_of(word, is_boundary_digit)) return number_ends(begin);
    const std::size_t chain_begin = read_abbreviation(begin);
    if (is_roman(word)) {
      if (heads_list(begin)) return false;
      if (word.size() > 1 && word_uses_ == kNoUse && !next_starts() && !next_.dash && !next_is_cyrillic())
        return false;
    }
    if ((word_uses_ & kLeadsNumber) != 0 && next_is_numeral()) return false;
    if ((word_uses_ & kOftenEnds) != 0) {
      if (bracket_ == Bracket::closed) return next_starts();
      read_next();
      return (first_uses_ & kGoesOn) == 0 && !next_.dash;
    }
    const auto long_enough = [&] {
      return text_.words_before(chain_begin, kMinWordsBeforeEnd) >= kMinWordsBeforeEnd;
    };
    if ((word_uses_ & kUnit) != 0 && number_before(chain_begin)) return true;
    if ((word_uses_ & kRarelyEnds) != 0)
      return !next_is_initial() && next_starts() && !next_.dash && long_enough();
    if ((word_uses_ & kLeads) != 0) return false;
    if (word.size() == 1) {
      if (next_is_initial()) return false;
      if (word == U"я" && chain_begin == begin) return true;
      if (next_is_cyrillic() && !is_cyrillic(word.front())) return true;
      return next_starts() && long_enough();
    }
    const bool bracketed = begin > 0 && text_[begin - 1] == U'(' && word.size() <= kMaxBracketed;
    return !bracketed || bracket_ != Bracket::none || next_starts();
  }

  [[nodiscard]] bool number_before(std::size_t begin) const {
    const std::size_t gap = text_.skip_space_back(begin);
    return gap > 0 && is_boundary_digit(text_[gap - 1]);
  }

  bool number_ends(std::size_t begin) {
    if (heads_list(begin)) return false;
    read_next();
    if ((first_uses_ & kAfterOrdinal) != 0 || lexicon_.begins(first_, kAfterOrdinal)) return false;
    const std::size_t digits = before_ - begin;
    if (digits <= 2 && next_is_number()) return false;
    if (digits > kMaxOrdinalDigits || first_.empty() || next_starts()) return true;
    const std::size_t gap = text_.skip_space_back(begin);
    if (gap == begin) return true;
    return (lexicon_.uses(text_.slice(text_.word_begin(gap), gap)) & kBeforeOrdinal) == 0;
  }

  /// "1." and "IV." at the start of a sentence number it.
  [[nodiscard]] bool heads_list(std::size_t begin) const {
    std::size_t gap = begin;
    while (gap > 0 && (is_boundary_space(text_[gap - 1]) || closes(text_[gap - 1]) ||
                       is_opening_bracket(text_[gap - 1])))
      --gap;
    return gap == 0 || (gap < begin && (is_terminator(text_[gap - 1]) || text_[gap - 1] == U':'));
  }

  bool other_mark_ends() {
    if (bracket_ == Bracket::closed) {
      const std::size_t outside = text_.skip_space_back(*opener_);
      if (outside > 0 && !is_terminator(text_[outside - 1])) return false;
    }
    read_next();
    if (author_follows()) return false;
    if (kind_ == Kind::ellipsis) return (next_.dash && next_is_cyrillic()) || !next_is_number();
    return !next_.dash || first_.empty() || quoted_ || next_is_cyrillic() || next_starts();
  }

  /// «Куда?» — спросил он.
  bool author_follows() {
    const bool set_off = quoted_ || next_.dash;
    if ((first_uses_ & (kAuthor | kSays)) != 0 && (set_off || !next_is_cyrillic())) return true;
    if (set_off && (lexicon_.uses(second_) & kSays) != 0) return true;
    if (!next_.dash) return false;
    const auto author = [&](std::u32string_view word, std::uint16_t uses) {
      return (uses & kAuthorAfterDash) != 0 || lexicon_.ends(word, kAuthorAfterDash);
    };
    if (author(first_, first_uses_)) return true;
    return lexicon_.ends(first_, kManner) && !next_starts() && author(second_, lexicon_.uses(second_));
  }

  Neighbourhood text_;
  const BoundaryLexicon& lexicon_;
  std::size_t at_;
  std::size_t before_ = 0;  ///< one past the last character before the mark that is not white space
  std::size_t run_end_;
  std::size_t end_ = 0;
  Kind kind_ = Kind::full_stop;
  bool quoted_ = false;
  Bracket bracket_ = Bracket::none;
  std::optional<std::size_t> opener_;
  std::uint16_t word_uses_ = kNoUse;

  bool has_next_ = false;
  Neighbourhood::Next next_;
  std::u32string_view first_, second_;
  std::uint16_t first_uses_ = kNoUse;
};

}  // namespace

std::optional<std::size_t> sentence_end(std::u32string_view block, std::size_t at) {
  const std::size_t from = at > kBoundaryWindow ? at - kBoundaryWindow : 0;
  const auto end = Mark(block.substr(from, at - from + kBoundaryWindow), at - from).end();
  return end ? std::optional(from + *end) : std::nullopt;
}

bool goes_on_past_blank_line(std::u32string_view before) {
  if (before.ends_with(U':')) return true;
  for (std::size_t closers = 0; !before.empty() && closers < kClosersSeen; ++closers) {
    const char32_t last = before.back();
    if (last == U'!' || last == U'?' || last == U',' || before.ends_with(U"..")) return true;
    if (is_dash(last)) return !before.ends_with(U"\u2014\u2014");
    if (!is_quote(last) && !is_closing_bracket(last) && !is_note_sign(last)) return false;
    before.remove_suffix(1);
  }
  return false;
}

}  // namespace akin
