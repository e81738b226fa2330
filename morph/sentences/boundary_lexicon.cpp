#include "morph/sentences/boundary_lexicon.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "base/built_in_list.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "dict/ask/respelling.h"
#include "dict/fold/characters.h"

namespace akin {
namespace {

constexpr BuiltInList kFiles[] = {
#include "morph/abbreviations.inc"
};

constexpr std::pair<std::string_view, WordUse> kHeadings[] = {
    {"leads", kLeads},
    {"leads-number", kLeadsNumber},
    {"rarely-ends", kRarelyEnds},
    {"often-ends", kOftenEnds},
    {"before-ordinal", kBeforeOrdinal},
    {"after-ordinal", kAfterOrdinal},
    {"starts", kStarts},
    {"starts-before-number", kStartsBeforeNumber},
    {"goes-on", kGoesOn},
    {"author", kAuthor},
    {"says", kSays},
    {"author-after-dash", kAuthorAfterDash},
    {"manner", kManner},
    {"unit", kUnit},
};

constexpr std::size_t kMinEntryStem = 3;  // of "word*"
constexpr std::size_t kMaxEntryStem = 16;
constexpr std::size_t kMaxEnding = 5;  // of "-end"
constexpr std::size_t kMinEndingWord = 4;

/// The letter under an acute on a Latin consonant or a ring, which a disguise may have put there; else `c`.
char32_t without_rare_accent(char32_t c) {
  constexpr std::u32string_view kAccented = U"ćĺńŕśźǵḱḿṕẃåůẘẙ", kPlain = U"clnrszgkmpwauwy";
  if (c < 0xe5 || (c > 0x1f5 && c < 0x1e31)) return c;
  const std::size_t at = kAccented.find(c);
  return at == std::u32string_view::npos ? c : kPlain[at];
}

void add_letter(SpellingHash& hash, char32_t c) {
  switch (c) {
    case kCombiningAcute:
    case kCombiningRing:
    case U'-':
    case U' ':
    case U'\u2010':
    case U'\u2011':
      break;
    case U'ё':
      hash.add(U'е');
      break;
    case U'ß':
      hash.add(U's');
      hash.add(U's');
      break;
    case U'\u2018':
    case U'\u2019':
    case U'\u02bc':
      hash.add(U'\'');
      break;
    default:
      hash.add(without_rare_accent(c));
  }
}

/// Of the characters of most words: what stands for them in keys, if it is one character; else 0.
class CommonLetters {
 public:
  static const CommonLetters& instance() {
    static const CommonLetters letters;
    return letters;
  }
  [[nodiscard]] char32_t operator[](char32_t c) const noexcept { return c < kSize ? meant_[c] : char32_t{0}; }

 private:
  static constexpr char32_t kSize = 0x500;

  CommonLetters() {
    for (char32_t c = 1; c < kSize; ++c) {
      const bool counts_otherwise = c == U'-' || c == U' ' || c == U'ё' || c == U'ß' || c == U'\u02bc' ||
                                    c == kCombiningAcute || c == kCombiningRing;
      meant_[c] = counts_otherwise ? u'\0' : static_cast<char16_t>(without_rare_accent(c));
    }
  }

  std::array<char16_t, kSize> meant_{};
};

bool is_lexicon_digit(char32_t c) { return c >= U'0' && c <= U'9'; }

std::uint64_t key_of(std::u32string_view letters) {
  const CommonLetters& common = CommonLetters::instance();
  SpellingHash hash;
  for (const char32_t c : letters) {
    const char32_t meant = common[c];
    if (meant != 0) [[likely]]
      hash.add(meant);
    else
      add_letter(hash, c);
  }
  return hash.value();
}

/// Keys of "word*" and "-end" start from another state than those of words.
SpellingHash stem_hash() {
  SpellingHash hash;
  hash.add(U'*');
  return hash;
}

std::uint64_t ending_key(std::u32string_view ending) {
  SpellingHash hash;
  hash.add(U'-');
  for (const char32_t c : ending) add_letter(hash, c);
  return hash.value();
}

std::uint16_t use_of_heading(std::string_view heading) {
  const auto* const found =
      std::ranges::find(kHeadings, heading, &std::pair<std::string_view, WordUse>::first);
  assert(found != std::end(kHeadings));
  return found->second;
}

}  // namespace

const BoundaryLexicon& BoundaryLexicon::instance() {
  static const BoundaryLexicon lexicon;
  return lexicon;
}

BoundaryLexicon::BoundaryLexicon() : filter_(kFilterBits / 64), table_(std::size_t{1} << 13) {
  for (const BuiltInList& file : kFiles) read(file.content);
}

void BoundaryLexicon::read(std::string_view file) {
  std::uint16_t use = kNoUse;
  while (!file.empty()) {
    const std::size_t line_end = std::min(file.find('\n'), file.size());
    std::string_view line = file.substr(0, line_end);
    file.remove_prefix(std::min(line_end + 1, file.size()));
    if (line.starts_with('#')) continue;
    if (line.starts_with('[')) {
      use = use_of_heading(line.substr(1, line.find(']') - 1));
      continue;
    }
    while (!line.empty()) {
      const std::size_t word_end = std::min(line.find(' '), line.size());
      if (word_end > 0) add(to_utf32(line.substr(0, word_end)), use);
      line.remove_prefix(std::min(word_end + 1, line.size()));
    }
  }
}

void BoundaryLexicon::add(std::u32string_view spelling, std::uint16_t use) {
  std::uint64_t key = 0;
  if (spelling.ends_with(U'*')) {
    spelling.remove_suffix(1);
    assert(spelling.size() >= kMinEntryStem && spelling.size() <= kMaxEntryStem);
    SpellingHash hash = stem_hash();
    for (const char32_t c : spelling) add_letter(hash, c);
    key = hash.value();
  } else if (spelling.starts_with(U'-')) {
    assert(spelling.size() - 1 <= kMaxEnding);
    key = ending_key(spelling.substr(1));
  } else {
    key = key_of(spelling);
  }
  std::size_t place = key & (table_.size() - 1);
  while (table_[place].uses != kNoUse && table_[place].key != key) place = (place + 1) & (table_.size() - 1);
  if (table_[place].uses == kNoUse) ++taken_;
  assert(taken_ <= table_.size() / 2);
  table_[place].key = key;
  table_[place].uses |= use;
  filter_[key % kFilterBits / 64] |= std::uint64_t{1} << (key % 64);
}

std::uint16_t BoundaryLexicon::find_in_table(std::uint64_t key) const noexcept {
  std::size_t place = key & (table_.size() - 1);
  while (table_[place].uses != kNoUse) {
    if (table_[place].key == key) return table_[place].uses;
    place = (place + 1) & (table_.size() - 1);
  }
  return kNoUse;
}

std::uint16_t BoundaryLexicon::uses(std::u32string_view word) const {
  const std::uint16_t found = find(key_of(word));
  if (found != kNoUse || std::ranges::none_of(word, is_lexicon_digit)) return found;
  for (const std::u32string& meant : undisguised(word))
    if (const std::uint16_t uses = find(key_of(meant)); uses != kNoUse) return uses;
  return kNoUse;
}

bool BoundaryLexicon::begins(std::u32string_view word, WordUse use) const noexcept {
  SpellingHash hash = stem_hash();
  for (std::size_t i = 0; i < word.size() && i < kMaxEntryStem; ++i) {
    add_letter(hash, word[i]);
    if (i + 1 >= kMinEntryStem && (find(hash.value()) & use) != 0) return true;
  }
  return false;
}

bool BoundaryLexicon::ends(std::u32string_view word, WordUse use) const noexcept {
  if (word.size() < kMinEndingWord) return false;
  for (std::size_t length = 1; length <= kMaxEnding && length <= word.size(); ++length)
    if ((find(ending_key(word.substr(word.size() - length))) & use) != 0) return true;
  return false;
}

}  // namespace akin
