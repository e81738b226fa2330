#include "morph/normalize/spaced_letters.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/utf8.h"
#include "dict/fold/characters.h"

namespace akin {
namespace {

constexpr std::size_t kLongChain = 5;
constexpr std::size_t kWordsPerLongChain = 40;
constexpr std::size_t kWordsPerClearChain = 400;  // whose separators nothing else has
constexpr std::uint8_t kSpacedAlphabets = kLatin | kCyrillic | kGreek;

enum class Separator : std::uint8_t { none, blank, full_stop, no_break, thin };
constexpr std::size_t kSeparators = 5;

Separator separator_of(char32_t c) {
  if (c == U' ') return Separator::blank;
  if (c == U'.') return Separator::full_stop;
  if (c == 0xa0 || c == 0x202f) return Separator::no_break;
  return c >= 0x2000 && c <= 0x200a ? Separator::thin : Separator::none;
}

struct LetterChain {
  std::uint32_t begin = 0, end = 0;  ///< bytes
  std::uint32_t letters = 0;
  Separator separator = Separator::none;
  bool listed = true;        ///< each letter is one or two places after the one before it in the alphabet
  bool has_capital = false;  ///< after the first letter
  std::uint32_t alike = 1;   ///< the last letters in a row of one size in bytes, one or two
  bool plain = false;        ///< kLongChain of such letters without an apostrophe
  bool set_off = false;      ///< by two blanks or more, before or after it
  /// What alone parts it from the word before it, and from the one after it.
  Separator before = Separator::none, after = Separator::none;
};

/// The chains of a text of two letters or more, and the number of its words.
class LetterChainFinder {
 public:
  explicit LetterChainFinder(std::string_view utf8) : text_(utf8) {}

  std::vector<LetterChain> run() {
    std::size_t word_letters = 0, word_begin = 0;
    bool in_word = false, alphabetic = false;
    char32_t letter = 0;
    for (std::size_t at = 0; at < text_.size();) {
      const std::size_t start = at;
      const char32_t c = next_code_point(text_, at);
      const CharInfo info = table_[c];
      const CharKind kind = info.kind();
      if (kind == CharKind::letter || kind == CharKind::digit || kind == CharKind::mark ||
          kind == CharKind::solo || kind == CharKind::soft_hyphen || kind == CharKind::ignorable) {
        if (!in_word) word_begin = start, word_letters = 0;
        in_word = true;
        ++word_letters;
        alphabetic = kind == CharKind::letter && (info.scripts() & kSpacedAlphabets) != 0;
        letter = c;
        at = after_common_letters(at, word_letters);
        continue;
      }
      if (in_word) take_word(word_letters == 1 && alphabetic ? letter : 0, word_begin, start);
      in_word = false;
      ++gap_;
      apostrophe_ = gap_ == 2 && kind == CharKind::apostrophe ? before_
                    : gap_ == 3 && apostrophe_ == c           ? c
                                                              : 0;
      before_ = c;
      if (gap_ == 2 && previous_ == U' ' && c == U' ' && chain_.letters > 0) chain_.set_off = true;
      previous_ = c;
    }
    if (in_word) take_word(word_letters == 1 && alphabetic ? letter : 0, word_begin, text_.size());
    end_chain();
    return std::move(chains_);
  }

  [[nodiscard]] std::size_t words() const { return words_; }

 private:
  /// Where letters of basic Latin and U+0400 to U+047F, which are all letters, end; counts them. Nothing more
  /// need be known of a word's second letter and those after it.
  [[nodiscard]] std::size_t after_common_letters(std::size_t at, std::size_t& letters) const {
    for (; at < text_.size(); ++letters) {
      const auto byte = static_cast<unsigned char>(text_[at]);
      const bool latin = static_cast<unsigned char>((byte | 0x20U) - 'a') < 26;
      const bool cyrillic = byte == 0xd0 || byte == 0xd1;
      if (!latin && !cyrillic) break;
      at += cyrillic ? 2 : 1;
    }
    return at;
  }

  /// `letter`: the only one of the word; else 0.
  void take_word(char32_t letter, std::size_t begin, std::size_t end) {
    ++words_;
    const bool joined = gap_ == 1 || (gap_ == 3 && apostrophe_ != 0);
    const Separator separator = joined ? separator_of(before_) : Separator::none;
    const bool wide = gap_ > 1 && before_ == U' ' && second_last_is_blank(begin);
    const bool apostrophe = gap_ > 1;
    const bool joins = letter != 0 && chain_.letters > 0 && separator != Separator::none;
    const bool goes_on = joins && (chain_.letters == 1 || before_ == joint_);
    // A letter between a blank and a closer separator belongs to the letters beyond the latter.
    const bool takes_last = joins && !goes_on && joint_ == U' ';
    const LetterChain last = {.begin = last_begin_, .end = chain_.end, .letters = 1};
    const Separator alone = gap_ == 1 && words_ > 1 ? separator_of(before_) : Separator::none;
    if (!goes_on) {
      if (takes_last) chain_ = before_last_;
      chain_.after = takes_last ? Separator::blank : alone;
      end_chain();
      if (takes_last) chain_ = last;
    }
    gap_ = 0;
    apostrophe_ = 0;
    previous_ = 0;
    if (letter == 0) return;
    before_last_ = chain_;
    const auto upper = u_isupper(static_cast<UChar32>(letter)) != 0;
    char32_t place = static_cast<char32_t>(u_tolower(static_cast<UChar32>(letter)));
    if (place == U'ё') place = U'е';
    if (chain_.letters == 0) {
      chain_ = {.begin = static_cast<std::uint32_t>(begin), .set_off = wide, .before = alone};
    } else {
      chain_.separator = separator;
      chain_.listed = chain_.listed && (place == place_ + 1 || place == place_ + 2);
      chain_.has_capital = chain_.has_capital || upper;
    }
    const auto size = static_cast<std::uint32_t>(end - begin);
    if (chain_.letters > 0) {
      chain_.alike = size == size_ && size <= 2 && !apostrophe ? chain_.alike + 1 : 1;
      chain_.plain = chain_.plain || chain_.alike >= kLongChain;
    }
    size_ = size;
    last_begin_ = static_cast<std::uint32_t>(begin);
    chain_.end = static_cast<std::uint32_t>(end);
    ++chain_.letters;
    place_ = place;
    joint_ = before_;
  }

  [[nodiscard]] bool second_last_is_blank(std::size_t word_begin) const {
    return word_begin >= 2 && text_[word_begin - 2] == ' ';
  }

  void end_chain() {
    if (chain_.letters > 1) chains_.push_back(chain_);
    chain_ = {};
  }

  const std::string_view text_;
  const CharTable& table_ = CharTable::instance();
  std::vector<LetterChain> chains_;
  std::size_t words_ = 0;
  LetterChain chain_;
  char32_t place_ = 0;            ///< of the chain's last letter in the alphabet
  std::uint32_t size_ = 0;        ///< of the last letter, in bytes
  std::uint32_t last_begin_ = 0;  ///< of the chain's last letter
  LetterChain before_last_;       ///< the chain without that letter
  char32_t joint_ = 0;            ///< what separates the chain's last two letters
  char32_t before_ = 0;           ///< the last character outside words
  char32_t previous_ = 0;         ///< the same, since the last word
  char32_t apostrophe_ = 0;       ///< what is on both sides of the only apostrophe since the last word
  std::size_t gap_ = 0;           ///< characters since the last word
};

bool is_spaced_word(const LetterChain& chain) {
  if (chain.letters >= kLongChain && chain.listed) return false;
  return chain.separator != Separator::full_stop || !chain.has_capital;
}

struct Count {
  std::size_t longs = 0, long_letters = 0, set_off = 0, all = 0;
};

}  // namespace

void find_spaced_letters(std::string_view utf8, std::vector<ArrivalEdit>& edits) {
  LetterChainFinder finder(utf8);
  const std::vector<LetterChain> chains = finder.run();
  if (std::ranges::none_of(chains, &LetterChain::plain)) return;
  std::array<Count, kSeparators> counts{};
  std::size_t words = finder.words();
  for (const LetterChain& chain : chains) {
    if (!is_spaced_word(chain)) continue;
    Count& count = counts[static_cast<std::size_t>(chain.separator)];
    ++count.all;
    count.set_off += chain.set_off ? 1 : 0;
    if (chain.letters < kLongChain) continue;
    ++count.longs;
    words -= chain.letters - 1;
  }
  for (const LetterChain& chain : chains) {
    const Count& count = counts[static_cast<std::size_t>(chain.separator)];
    const bool doubtful = chain.separator == Separator::blank && count.set_off * 2 < count.all;
    const bool beside_word = chain.before == chain.separator || chain.after == chain.separator;
    const bool clear = chain.separator == Separator::thin || chain.separator == Separator::no_break ||
                       (chain.separator == Separator::blank && !doubtful && chain.set_off && !beside_word);
    const std::size_t words_per_chain = clear ? kWordsPerClearChain : kWordsPerLongChain;
    // Russian print has no-break spaces after prepositions.
    const bool prepositions = chain.separator == Separator::no_break && beside_word;
    const bool short_ones_too = count.longs * words_per_chain >= words && count.longs > 0 && !prepositions;
    if (!is_spaced_word(chain) || (chain.letters < kLongChain && !short_ones_too)) continue;
    for (std::size_t at = chain.begin; at < chain.end;) {
      const auto begin = static_cast<std::uint32_t>(at);
      if (separator_of(next_code_point(utf8, at)) != Separator::none)
        edits.push_back({begin, static_cast<std::uint32_t>(at), doubtful ? "\u00ad " : ""});
    }
  }
}

bool begins_spaced_letters(std::string_view utf8, std::size_t from, std::size_t to) {
  const CharTable& table = CharTable::instance();
  const auto is_letter = [&](char32_t c) {
    return table[c].kind() == CharKind::letter && (table[c].scripts() & kSpacedAlphabets) != 0;
  };
  const auto is_in_word = [&](char32_t c) {
    const CharKind kind = table[c].kind();
    return kind == CharKind::letter || kind == CharKind::digit || kind == CharKind::mark ||
           kind == CharKind::solo;
  };
  const auto is_lone_letter_before = [&](std::size_t end) {
    const auto previous = [&] {
      do --end;
      while ((static_cast<unsigned char>(utf8[end]) & 0xc0U) == 0x80U);
      std::size_t at = end;
      return next_code_point(utf8, at);
    };
    return end > 0 && is_letter(previous()) && (end == 0 || !is_in_word(previous()));
  };
  for (std::size_t begin = from; begin < to; ++begin) {
    if ((static_cast<unsigned char>(utf8[begin]) & 0xc0U) == 0x80U) continue;
    std::size_t at = begin, letters = 0;
    const char32_t separator = next_code_point(utf8, at);
    if (separator_of(separator) == Separator::none || !is_lone_letter_before(begin)) continue;
    while (at < utf8.size() && is_letter(next_code_point(utf8, at))) {
      std::size_t next = at;
      const char32_t after = at < utf8.size() ? next_code_point(utf8, next) : 0;
      if (++letters == kLongChain - 1 && !is_in_word(after)) return true;
      if (after != separator) break;
      at = next;
    }
  }
  return false;
}

}  // namespace akin
