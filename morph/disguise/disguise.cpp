#include "morph/disguise/disguise.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "dict/fold/confusables.h"
#include "morph/disguise/columns.h"
#include "morph/disguise/disguised_words.h"
#include "morph/disguise/parted_words.h"
#include "morph/disguise/strange_letters.h"
#include "morph/disguise/transliterated_words.h"
#include "morph/normalize/alert_cluster.h"

namespace akin {
namespace {

/// A chain of single letters is disguise from this length on; longer ones give one alert for each piece.
constexpr std::size_t kMinSpacedLetters = 5, kSpacedPiece = 10;
/// A digit is disguise only in words with so many letters: "B2B", "CO2" and "H1N1" have fewer.
constexpr std::size_t kMinLettersAroundDigit = 4;
/// More marks on one letter than any orthography puts there (polytonic Greek: three).
constexpr std::size_t kMaxMarks = 3;
/// Characters for private use in a row, each other than the one before, that are letters of some font.
constexpr std::size_t kMinPrivateLetters = 3;
/// Words in a row that may be in the wrong script.
constexpr std::size_t kMaxTwins = 8;

constexpr std::uint8_t kAlphabets = kLatin | kCyrillic | kGreek;
bool is_one_of(char32_t c, std::u32string_view set) { return set.find(c) != std::u32string_view::npos; }
bool is_upper(char32_t c) { return u_isupper(static_cast<UChar32>(c)) != 0; }
bool is_private(char32_t c) { return u_charType(static_cast<UChar32>(c)) == U_PRIVATE_USE_CHAR; }
bool is_thin_space(char32_t c) { return c >= 0x2000 && c <= 0x200a; }
bool is_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

/// ё comes after е, not after я as its number does.
char32_t place_in_alphabet(char32_t c) {
  const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
  return lower == U'ё' ? U'е' : lower;
}

constexpr char32_t kPopDirection = 0x202c, kLeftToRightOverride = 0x202d, kRightToLeftOverride = 0x202e;

/// Whether the letter is written in the other direction than this override has it shown.
bool is_reversed(char32_t letter, char32_t override) {
  const UCharDirection direction = u_charDirection(static_cast<UChar32>(letter));
  const bool leftward = direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC;
  return override == kRightToLeftOverride ? direction == U_LEFT_TO_RIGHT : leftward;
}

/// Code points within which alerts support each other, some 300 words.
constexpr std::uint32_t kStretch = 2000;
/// Three words, or five times one, are enough in a stretch: scans misprint two. A word that another script
/// has, too, counts once.
constexpr AlertCluster::Weight kWordWeight{2, 1}, kTwinWeight{2, 0};
constexpr std::size_t kEnoughWords = 6;
/// Four letterspaced words that a dictionary has, 16 others, or one passage of 130 letters: two are emphasis.
constexpr std::size_t kChainWeight = 4, kEnoughSpacing = 16;

/// What makes alerts of kinds that honest texts have, too, signs of disguise.
struct Evidence {
  Evidence(const Dictionary& dictionary, std::string_view utf8)
      : words(dictionary), lacks_i(is_typed_without_i(utf8)) {}
  DisguisedWords words;
  bool lacks_i;
  AlertCluster mixed{kStretch, kEnoughWords}, digits{kStretch, kEnoughWords}, marks{kStretch, kEnoughWords},
      spacing{kStretch, kEnoughSpacing};
};

/// Letters, digits and marks in a row.
struct Run {
  std::size_t byte_begin = 0;
  TextRange range;
  char32_t before = 0;       ///< the character before it; 0 at the start of the text
  char32_t letter = 0;       ///< the last
  std::uint8_t scripts = 0;  ///< of the last letter
  std::size_t letters = 0, digits = 0;
  std::size_t marks = 0;         ///< on the last letter
  std::size_t marked = 0;        ///< letters that have marks, or may have
  std::uint8_t all_scripts = 0;  ///< of all letters
  bool roman = true;             ///< all letters are Latin i, x and c
  bool has_twin = true;          ///< all letters look alike in Latin and Cyrillic
  bool impossible = false, private_use = false;
  char32_t last_private = 0;  ///< since the last letter
  std::size_t privates = 0;   ///< the same, each other than the one before
};

class Finder {
 public:
  /// `evidence`: if not null, only what it supports is found, and mixed_script for all words.
  explicit Finder(std::string_view utf8, Evidence* evidence = nullptr) : text_(utf8), evidence_(evidence) {}

  Disguise run() {
    std::size_t at = 0;
    while (at < text_.size()) {
      const std::size_t start = at;
      const char32_t c = next_code_point(text_, at);
      const CharInfo info = table_[c];
      const std::uint32_t place = place_++;
      switch (info.kind()) {
        case CharKind::letter:
          open(start, place);
          take_private_between();
          ++run_.letters;
          if (override_ != 0 && is_reversed(c, override_)) ++reversed_;
          run_.letter = c;
          run_.scripts = info.scripts();
          run_.marks = 0;
          if (may_have_mark(c)) ++run_.marked;
          run_.all_scripts |= info.scripts();
          run_.has_twin = run_.has_twin && looks_alike(info);
          run_.roman = run_.roman && is_one_of(info.folded(), U"ixc");
          break;
        case CharKind::digit:
          open(start, place);
          ++run_.digits;
          run_.scripts = kNoScript;
          break;
        case CharKind::mark:
          if (open_) add_mark(c);
          break;
        case CharKind::soft_hyphen:
        case CharKind::ignorable:
          direct(c, place);
          continue;
        case CharKind::line_break:
        case CharKind::paragraph_break:
          direct(kPopDirection, place);
          leave(start, c, at);
          continue;
        default:
          if (is_private(c)) {
            open(start, place);
            take_private(c);
            break;
          }
          leave(start, c, at);
          continue;
      }
      run_.range.end = place + 1;
    }
    if (open_) close(text_.size(), 0, text_.size());
    direct(kPopDirection, place_);
    end_chain();
    for (const TextRange& lines : find_columns(text_)) add(AlertKind::two_columns, lines);
    return std::move(found_);
  }

 private:
  void open(std::size_t byte, std::uint32_t place) {
    if (open_) return;
    open_ = true;
    run_ = {};
    run_.byte_begin = byte;
    run_.range = {place, place};
    run_.before = before_;
  }

  /// A character between runs, at the byte `start`; the next is at `next`.
  void leave(std::size_t start, char32_t c, std::size_t next) {
    if (open_) close(start, c, next);
    ++gap_;
    before_ = c;
  }

  void take_private(char32_t c) {
    if (c != run_.last_private) ++run_.privates;
    run_.last_private = c;
    run_.private_use = run_.private_use || run_.privates >= kMinPrivateLetters;
  }

  /// At a letter. One beside letters on one side only may be the mark of a list.
  void take_private_between() {
    run_.private_use = run_.private_use || (run_.privates > 0 && run_.letters > 0);
    run_.privates = 0;
    run_.last_private = 0;
  }

  /// At a character that shows nothing: an override of the direction begins or ends.
  void direct(char32_t c, std::uint32_t place) {
    if (c < kPopDirection || c > kRightToLeftOverride) return;
    if (reversed_ > 1) add(AlertKind::bidi_override, {override_begin_, place});
    reversed_ = 0;
    override_ = c == kPopDirection ? 0 : c;
    override_begin_ = place;
  }

  void add_mark(char32_t mark) {
    if (++run_.marks == 1 && !may_have_mark(run_.letter)) ++run_.marked;
    run_.impossible =
        run_.impossible || ((run_.scripts & kAlphabets) != 0 &&
                            (run_.marks > kMaxMarks || is_impossible_mark(run_.letter, run_.scripts, mark)));
  }

  /// The run ends before the byte `end`; `after` is the next character, and another begins at `next`.
  void close(std::size_t end, char32_t after, std::size_t next) {
    open_ = false;
    if (run_.impossible) add(AlertKind::impossible_mark, run_.range);
    if (run_.private_use) add(AlertKind::private_use, run_.range);
    const std::string_view word = text_.substr(run_.byte_begin, end - run_.byte_begin);
    if (run_.digits > 0 && run_.letters >= kMinLettersAroundDigit && !is_name(after, next) &&
        has_digit_for_letter(word)) {
      add_digit(word);
    }
    if (2 * run_.marked > run_.letters && !run_.impossible) add_decorated(word);
    if (run_.letters > 0) compare_scripts(word);
    chain();
    gap_ = 0;
  }

  /// A word of two letters or more that looks alike in Latin and Cyrillic other than a Roman numeral, among
  /// words of the other script.
  void compare_scripts(std::string_view word) {
    const bool is_typed_so = evidence_ != nullptr && evidence_->lacks_i && is_cyrillic_but_for_i(word);
    const std::uint8_t scripts = is_typed_so ? std::uint8_t{kCyrillic} : run_.all_scripts;
    if (run_.has_twin && run_.letters > 1 && !run_.roman && scripts != script_ && twins_ < kMaxTwins) {
      twin_words_[twins_] = word;
      twin_ranges_[twins_++] = run_.range;
    } else if (!run_.has_twin) {
      if (scripts == script_ && (script_ == kLatin || script_ == kCyrillic)) add_twins();
      script_ = scripts;
      twins_ = 0;
    }
    if (evidence_ != nullptr && mixes_scripts(scripts) && evidence_->words.imitates(word))
      add_mixed(run_.range, word, kWordWeight);
  }

  void add_twins() {
    for (std::size_t i = 0; i < twins_; ++i)
      if (evidence_ == nullptr || evidence_->words.belongs_to(script_, twin_words_[i]))
        add_mixed(twin_ranges_[i], twin_words_[i], kTwinWeight);
  }

  void add_mixed(TextRange range, std::string_view word, AlertCluster::Weight weight) {
    if (evidence_ == nullptr) return add(AlertKind::mixed_script, range);
    evidence_->mixed.take(range, evidence_->words.key(word), weight,
                          [&](TextRange clear) { add(AlertKind::mixed_script, clear); });
  }

  /// The run, a word with digits.
  void add_digit(std::string_view word) {
    if (evidence_ == nullptr) return add(AlertKind::digit_in_word, run_.range);
    if (evidence_->words.hides_letters(word))
      evidence_->digits.take(run_.range, evidence_->words.key(word), kWordWeight,
                             [&](TextRange clear) { add(AlertKind::digit_in_word, clear); });
  }

  /// The run, a word most of whose letters have marks.
  void add_decorated(std::string_view word) {
    constexpr std::size_t kLeast = 4;  // shorter words are honest in many languages
    if (run_.letters < kLeast || evidence_ == nullptr || !evidence_->words.is_decorated(word)) return;
    evidence_->marks.take(run_.range, evidence_->words.key(word), kWordWeight,
                          [&](TextRange clear) { add(AlertKind::impossible_mark, clear); });
  }

  /// Whether the run is a part of an address, a path or an identifier, or joined with another word.
  [[nodiscard]] bool is_name(char32_t after, std::size_t next) const {
    constexpr std::u32string_view kJoins = U"_/\\@=#%&~+$";
    const auto joins = [&](char32_t c) {
      return is_one_of(c, kJoins) || table_[c].kind() == CharKind::hyphen;
    };
    if (joins(run_.before) || is_one_of(run_.before, U".:") || joins(after) || after == U'(') return true;
    if (!is_one_of(after, U".:") || next >= text_.size()) return false;
    const CharKind kind = table_[next_code_point(text_, next)].kind();
    return kind == CharKind::letter || kind == CharKind::digit;
  }

  /// Whether single digits are between letters of a word in one case, apart from its first letter.
  [[nodiscard]] bool has_digit_for_letter(std::string_view word) const {
    bool between = false, upper = false, other = false;
    std::size_t letters = 0;
    char32_t previous = 0;
    for (std::size_t at = 0; at < word.size();) {
      const char32_t c = next_code_point(word, at);
      const CharKind kind = table_[c].kind();
      if (kind == CharKind::letter) {
        between = between || (is_digit(previous) && letters > 0);
        if (++letters > 1) (is_upper(c) ? upper : other) = true;
      } else if (kind == CharKind::digit) {
        if (!is_digit(c) || is_digit(previous)) return false;
      } else {
        continue;
      }
      previous = c;
    }
    return between && !(upper && other);
  }

  [[nodiscard]] static bool looks_alike(CharInfo info) {
    const LookAlike meant = look_alike(info.folded());
    return !info.composes() && meant.both_cases && (meant.latin != 0 || meant.cyrillic != 0);
  }

  // Spaced letters: single letters of an alphabet, between each two the same single separator.

  void chain() {
    const bool single =
        run_.letters == 1 && run_.digits == 0 && run_.privates == 0 && (run_.scripts & kAlphabets) != 0;
    const bool joined =
        gap_ == 1 && (run_.before == U' ' || run_.before == U'.' || is_thin_space(run_.before));
    if (!single || !joined || (chained_ > 1 && run_.before != separator_)) end_chain();
    if (!single) return;
    if (chained_ == 1) separator_ = run_.before;
    if (piece_ == kSpacedPiece) end_piece();
    if (piece_ == 0) piece_begin_ = run_.range.begin;
    piece_letters_[piece_++] = run_.letter;
    piece_end_ = run_.range.end;
    ++chained_;
  }

  void end_piece() {
    const std::u32string_view letters(piece_letters_.data(), piece_);
    // Letters in the order of the alphabet are a list; capitals with full stops, an abbreviation.
    const bool listed = !chain_alerted_ && std::ranges::is_sorted(letters, {}, place_in_alphabet);
    const bool abbreviated = separator_ == U'.' && std::ranges::any_of(letters.substr(1), is_upper);
    if (!listed && !abbreviated && (piece_ >= kMinSpacedLetters || chain_alerted_)) {
      add_spacing({piece_begin_, piece_end_}, letters);
      chain_alerted_ = true;
    }
    piece_ = 0;
  }

  /// A piece. Letters that make no word may be a formula or cells of a table; capitals, a heading.
  void add_spacing(TextRange range, std::u32string_view letters) {
    if (evidence_ == nullptr) return add(AlertKind::letter_spacing, range);
    const bool counts = !chain_alerted_ && !std::ranges::all_of(letters, is_upper) &&
                        (letters.size() == kSpacedPiece || evidence_->words.is_word(to_utf8(letters)));
    const std::size_t weight = counts ? kChainWeight : 1;
    evidence_->spacing.take(range, 0, {weight, weight},
                            [&](TextRange clear) { add(AlertKind::letter_spacing, clear); });
  }

  void end_chain() {
    if (piece_ > 0) end_piece();
    chained_ = 0;
    chain_alerted_ = false;
  }

  void add(AlertKind kind, TextRange range) {
    ++found_.counts[kind];
    // A piece of a chain comes after the alerts of its letters, and one in a cluster after those beside it.
    if (found_.alerts.size() < kMaxAlerts + kStretch) found_.alerts.push_back({kind, range});
  }

  const std::string_view text_;
  Evidence* const evidence_;
  const CharTable& table_ = CharTable::instance();
  Disguise found_;
  std::uint32_t place_ = 0;
  Run run_;
  bool open_ = false;
  char32_t before_ = 0;              ///< the last character outside runs
  std::size_t gap_ = 0;              ///< characters since the last run
  std::uint8_t script_ = kNoScript;  ///< of the last word that looks alike in no other
  std::array<TextRange, kMaxTwins> twin_ranges_{};
  std::array<std::string_view, kMaxTwins> twin_words_;
  std::size_t twins_ = 0;  ///< words since then that look alike in two scripts, and have another
  char32_t override_ = 0;  ///< of the direction, that holds here
  std::uint32_t override_begin_ = 0;
  std::size_t reversed_ = 0;  ///< letters since then that it shows backwards
  char32_t separator_ = 0;
  std::size_t chained_ = 0;  ///< letters of the chain
  std::array<char32_t, kSpacedPiece> piece_letters_{};
  std::size_t piece_ = 0;  ///< letters of the chain since its last alert
  std::uint32_t piece_begin_ = 0, piece_end_ = 0;
  bool chain_alerted_ = false;
};

/// With what the scanner found, `listed` of it as alerts; the alerts in the order of the text.
Disguise joined(Disguise found, const AlertCounts& scanned, const std::vector<Alert>& listed) {
  for (const AlertKind kind : kAlertKinds) found.counts[kind] += scanned[kind];
  found.alerts.insert(found.alerts.end(), listed.begin(), listed.end());
  std::ranges::stable_sort(found.alerts, {}, [](const Alert& alert) { return alert.range.begin; });
  if (found.alerts.size() > kMaxAlerts) found.alerts.resize(kMaxAlerts);
  return found;
}

}  // namespace

Disguise find_disguise(std::string_view utf8, const AlertCounts& scanned, const std::vector<Alert>& listed) {
  return joined(Finder(utf8).run(), scanned, listed);
}

Disguise find_clear_disguise(std::string_view utf8, const Dictionary& dictionary, AlertCounts scanned,
                             std::vector<Alert> listed) {
  scanned[AlertKind::mixed_script] = 0;
  std::erase_if(listed, [](const Alert& alert) { return alert.kind == AlertKind::mixed_script; });
  Evidence evidence(dictionary, utf8);
  drop_formulas(utf8, evidence.words, scanned, listed);
  add_strange_letters(utf8, dictionary, scanned, listed);
  add_transliterated(utf8, dictionary, scanned, listed);
  add_parted_words(utf8, dictionary, scanned, listed);
  return joined(Finder(utf8, &evidence).run(), scanned, listed);
}

}  // namespace akin
