#include "dict/fold/fold.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>

#include "base/hash.h"
#include "dict/fold/confusables.h"

namespace akin {
namespace {

std::uint8_t script_bits(char32_t c) { return CharTable::instance()[c].scripts(); }

/// The scripts whose letters are exchanged for one another.
constexpr std::array kExchanged = {kLatin, kCyrillic, kGreek};

/// Passes for the Cyrillic ѕ, which only Macedonian has: it shows that a Latin word is meant.
constexpr char32_t kLatinTwinOfARareLetter = U's';

/// Counts the letters of one script in a word, the stronger evidence first.
struct Votes {
  std::size_t unlike = 0;  ///< letters like none of the word's other scripts
  /// Letters that look alike as capitals or as small letters only, after the first letter: a capital can only
  /// be exchanged there in a word of capitals.
  std::size_t alike_in_part_inside = 0;
  std::size_t alike_in_part = 0;  ///< the same, with the first letter
  std::size_t all = 0;
  friend auto operator<=>(const Votes&, const Votes&) = default;
};

struct ScriptChoice {
  std::uint8_t script = kNoScript;
  bool doubtful = true;  ///< all its letters look alike in both cases
};

/// The script a word is meant in: even if every possible letter of a word was exchanged, the letters that
/// could not be exchanged reveal its script. Ties go to the script that is met first.
ScriptChoice dominant_script(std::u32string_view letters) {
  const std::uint8_t present = scripts_of(letters);
  const auto resembles = [present](const LookAlike& meant) {
    return std::any_of(kExchanged.begin(), kExchanged.end(),
                       [&](ScriptBits script) { return (present & script) != 0 && meant.in(script) != 0; });
  };
  std::array<Votes, kOtherScript + 1> votes{};
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const LookAlike meant = look_alike(letters[i]);
    const bool alike = resembles(meant) && letters[i] != kLatinTwinOfARareLetter;
    const std::size_t in_part = alike && meant.both_cases ? 0 : 1;
    Votes& of = votes[script_bits(letters[i])];
    of.unlike += alike ? 0 : 1;
    of.alike_in_part_inside += i > 0 ? in_part : 0;
    of.alike_in_part += in_part;
    of.all += 1;
  }
  votes[kNoScript] = {};
  std::uint8_t best = kNoScript;
  for (const char32_t c : letters) {
    if (votes[script_bits(c)] > votes[best]) best = script_bits(c);
  }
  return {best, votes[best].alike_in_part == 0};
}

/// Vowels and final consonants of Hangul: the only letters that combine with a letter before them. They come
/// next to one when something between them was dropped.
bool has_conjoining_letters(std::u32string_view letters) {
  return std::any_of(letters.begin(), letters.end(), [](char32_t c) { return c >= 0x1160 && c <= 0x11ff; });
}

/// µm, kΩ: units of measure legitimately mix scripts.
bool is_unit_of_measure(std::u32string_view letters) {
  return letters.size() <= 4 && (letters.front() == U'μ' || letters.back() == U'ω');
}

}  // namespace

bool WordFolder::exchange_look_alikes(std::u32string_view letters) {
  if (is_unit_of_measure(letters)) return false;
  const std::u32string_view bases = cluster_.decompose(letters);
  exchanged_.assign(bases.begin(), bases.end());
  // Once one of three scripts is gone, the decision between the others may change.
  bool any = false;
  while (exchange_once()) any = true;
  return any;
}

bool WordFolder::exchange_once() {
  const std::uint8_t target = dominant_script({exchanged_.data(), exchanged_.size()}).script;
  if (std::find(kExchanged.begin(), kExchanged.end(), target) == kExchanged.end()) return false;
  bool any = false;
  for (char32_t& c : exchanged_) {
    const std::uint8_t script = script_bits(c);
    if (script == kNoScript || script == target) continue;
    const char32_t meant = look_alike(c).in(static_cast<ScriptBits>(target));
    if (meant == 0) continue;
    c = meant;
    any = true;
  }
  return any;
}

bool WordFolder::unmask(std::span<char32_t> letters) {
  const std::u32string_view part(letters.data(), letters.size());
  if (dominant_script(cluster_.decompose(part)).doubtful || !exchange_look_alikes(part)) return false;
  const std::u32string_view unmasked = cluster_.fold({exchanged_.data(), exchanged_.size()});
  if (unmasked.size() != letters.size()) return false;
  std::copy(unmasked.begin(), unmasked.end(), letters.begin());
  return true;
}

FoldedWord WordFolder::settle(std::u32string_view letters, std::uint8_t scripts, std::uint8_t flags) {
  if ((scripts & (kLatin | kCyrillic | kGreek)) == 0)
    flags = static_cast<std::uint8_t>(flags & ~kFoldZeroWidth);
  if (mixes_scripts(scripts) && exchange_look_alikes(letters)) {
    letters = cluster_.fold({exchanged_.data(), exchanged_.size()});
    flags |= kFoldMixedScript;
  } else if ((scripts & kOtherScript) != 0 && has_conjoining_letters(letters)) {
    letters = cluster_.fold(letters);
  }
  return {letters, spelling_key(letters), flags};
}

FoldedWord WordFolder::fold(std::string_view utf8) {
  // The character directly before the current one, apart from letters already kept.
  enum class Before : std::uint8_t { gap, letter, other_word_character, apostrophe, space };
  letters_.clear();
  std::uint8_t scripts = kNoScript;
  std::uint8_t flags = kFoldClean;
  Before before = Before::gap;
  FoldedChar c;
  reader_.reset(utf8);
  while (reader_.next(c)) {
    switch (c.kind) {
      case CharKind::letter:
        if (before == Before::apostrophe) letters_.push_back(U'\'');
        [[fallthrough]];
      case CharKind::digit:
      case CharKind::solo:
        if (c.zero_width && !letters_.empty()) flags |= kFoldZeroWidth;
        letters_.push_back(c.letter);
        scripts |= c.scripts;
        before = c.kind == CharKind::letter ? Before::letter : Before::other_word_character;
        break;
      case CharKind::mark:
        if (before == Before::letter || before == Before::other_word_character) {
          letters_.push_back(c.letter);
        } else {
          before = before == Before::space && c.letter == kCombiningAcute ? Before::apostrophe : Before::gap;
        }
        break;
      case CharKind::apostrophe:
        before = before == Before::letter ? Before::apostrophe : Before::gap;
        break;
      case CharKind::space:
        before = before == Before::letter ? Before::space : Before::gap;
        break;
      default:
        before = Before::gap;
    }
  }
  return settle({letters_.data(), letters_.size()}, scripts, flags);
}

}  // namespace akin
