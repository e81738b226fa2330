#include "dict/ask/compounds/compound_splitter.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <span>

#include "base/hash.h"
#include "base/utf8.h"

namespace akin {
namespace {

constexpr std::size_t kMaxLetters = HunspellStemmer::kMaxLetters;

char32_t capital_of(char32_t c) noexcept {
  if (c < 0x80) return c >= U'a' && c <= U'z' ? c - 32 : c;
  return static_cast<char32_t>(u_toupper(static_cast<UChar32>(c)));
}

/// One spelling of the word, and what is known about its splits.
class Spelling {
 public:
  Spelling(const CompoundParts& parts, std::u32string_view letters) : parts_(parts), size_(letters.size()) {
    std::ranges::copy(letters, letters_.begin());
    SpellingHash hash;
    for (std::size_t i = 0; i < size_; ++i) {
      hash.add(letters_[i]);
      keys_[i] = hash.value();
    }
  }

  /// The roles that count for a word of its own.
  [[nodiscard]] PartRoles roles_alone() const noexcept {
    return parts_.may_stand_alone(key()) ? parts_.roles(key()) : PartRoles{kNoPart};
  }
  [[nodiscard]] std::uint64_t key() const noexcept { return keys_[size_ - 1]; }

  /// Whether Hunspell must be asked; valid after all other calls.
  [[nodiscard]] bool undecided() const noexcept { return undecided_; }

  [[nodiscard]] std::u32string_view letters() const noexcept { return {letters_.data(), size_}; }

  /// Whether the spelling is accepted as a compound.
  [[nodiscard]] bool is_compound() { return (!analyzed_[0] || begins_) && splits_at(0, false); }

  /// Calls `found` with the letters of each last part that an analysis gives.
  template <class Found>
  void analyze(Found found) {
    analyzed_[0] = true;
    analyze_from(0, found);
  }

 private:
  using Positions = std::bitset<kMaxLetters + 1>;

  /// Whether `at` was added before; it is then.
  [[nodiscard]] static bool was_added(Positions& set, std::size_t at) {
    const bool before = set[at];
    set[at] = true;
    return before;
  }

  [[nodiscard]] PartRoles roles(std::size_t begin, std::size_t end) const noexcept {
    return parts_.roles(begin == 0 ? keys_[end - 1] : spelling_key({&letters_[begin], end - begin}));
  }

  /// Calls `visit` with each place where the letters from `begin` on may be split behind a part, until it
  /// returns false.
  template <class Visit>
  void for_each_split(std::size_t begin, Visit visit) {
    const std::size_t least = parts_.settings().least_letters;
    const PartRole wanted = begin == 0 ? kFirstPart : kMiddlePart;
    const PartRole stopping = begin == 0 ? kStopsFirst : kStopsMiddle;
    SpellingHash hash;
    for (std::size_t end = begin; end + least <= size_;) {
      hash.add(letters_[end++]);
      if (end < begin + least || end + least > size_) continue;
      const std::uint64_t key = begin == 0 ? keys_[end - 1] : hash.value();
      if (!parts_.may_begin(key)) continue;
      const PartRoles roles = parts_.roles(key);
      // Which of two entries Hunspell finds first is not known.
      const bool stops = (roles & stopping) != 0;
      if ((roles & kHunspellAsPart) != 0 || (stops && (roles & wanted) != 0)) undecided_ = true;
      if (stops || undecided_) return;
      begins_ = begins_ || (roles & wanted) != 0;
      if ((roles & wanted) != 0 && !visit(end)) return;
    }
  }

  /// Hunspell's compound_check. What follows a part does not depend on the parts before it.
  [[nodiscard]] bool splits_at(std::size_t begin, bool inside) {
    if (inside && was_added(fails_, begin)) return false;
    bool splits = false;
    for_each_split(begin, [&](std::size_t end) {
      const PartRoles rest = roles(end, size_);
      // Hunspell may refuse three parts if the last two are a forbidden word.
      if ((rest & (kHunspellAsPart | kForbiddenForm)) != 0) undecided_ = true;
      splits = !undecided_ && ((rest & (kLastWord | kLastForm)) != 0 || splits_at(end, true));
      return !splits && !undecided_;
    });
    return splits;
  }

  /// Hunspell's compound_check_morph: once a last part is found, longer first parts are not split further.
  template <class Found>
  void analyze_from(std::size_t begin, Found& found) {
    bool any = false;
    for_each_split(begin, [&](std::size_t end) {
      const PartRoles rest = roles(end, size_);
      if ((rest & kHunspellAsPart) != 0) undecided_ = true;
      if ((rest & kLastWord) != 0) {
        any = true;
        if (!was_added(found_, end)) found(std::u32string_view(&letters_[end], size_ - end));
      }
      if (!any && !undecided_ && !was_added(analyzed_, end)) analyze_from(end, found);
      return !undecided_;
    });
  }

  const CompoundParts& parts_;
  std::size_t size_;
  std::array<char32_t, kMaxLetters> letters_;
  std::array<std::uint64_t, kMaxLetters> keys_;  ///< of the first 1, 2 … letters
  Positions fails_, analyzed_, found_;
  bool begins_ = false;  ///< with a first part
  bool undecided_ = false;
};

using Buffer = std::array<char32_t, kMaxLetters>;

std::u32string_view in_capitals(std::u32string_view folded, Buffer& buffer) {
  std::ranges::transform(folded, buffer.begin(), capital_of);
  return {buffer.data(), folded.size()};
}

std::u32string_view in_title_case(std::u32string_view folded, Buffer& buffer) {
  std::ranges::copy(folded, buffer.begin());
  buffer.front() = capital_of(buffer.front());
  return {buffer.data(), folded.size()};
}

/// Calls `visit` with every spelling that has ß in the place of some ss, of which the first five count;
/// stops when it returns true, and returns whether it did.
template <class Visit>
bool any_with_sharp_s(std::u32string& spelling, std::size_t from, int seen, bool changed, Visit& visit) {
  constexpr int kMaxSharps = 5;
  const std::size_t at = spelling.find(U"ss", from);
  if (at == std::u32string::npos || seen == kMaxSharps) return changed && visit(spelling);
  spelling.replace(at, 2, 1, U'ß');
  if (any_with_sharp_s(spelling, at + 1, seen + 1, true, visit)) return true;
  spelling.replace(at, 1, 2, U's');
  return any_with_sharp_s(spelling, at + 2, seen + 1, changed, visit);
}

enum class Letters : std::uint8_t { usual, foreign, special };

Letters kind_of(std::u32string_view word, const std::u32string& special) {
  constexpr char32_t kUsual = 0x180;
  Letters kind = Letters::usual;
  for (const char32_t c : word) {
    if (c >= U'a' && c <= U'z') continue;
    const char32_t upper = capital_of(c);
    const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(upper)));
    for (const char32_t one : {c, upper, lower})
      if (std::ranges::binary_search(special, one)) return Letters::special;
    if (c < kUsual && c == lower) continue;
    if (upper < kUsual || lower < kUsual) return Letters::special;
    kind = Letters::foreign;
  }
  return kind;
}

/// The word in the spellings that Hunspell tries when it is asked about it in capitals.
class CapitalsAnswer {
 public:
  CapitalsAnswer(const CompoundParts& parts, std::u32string_view folded)
      : parts_(parts),
        capitals_(parts, in_capitals(folded, buffer_)),
        small_(parts, folded),
        title_(parts, in_title_case(folded, buffer_)) {}

  std::optional<HunspellAnswer> answer() {
    for (const Spelling* spelling : {&capitals_, &small_, &title_}) {
      const PartRoles alone = spelling->roles_alone();
      if ((alone & kHunspellAlone) != 0) return std::nullopt;
      if ((alone & kAnalyzed) == 0) continue;
      for (const CompoundParts::Stem& stem : parts_.stems(spelling->key()))
        answer_.stems.push_back(stem.stem);
    }
    answer_.accepted = !answer_.stems.empty();
    if (answer_.accepted) return std::move(answer_);
    for (Spelling* spelling : {&capitals_, &small_, &title_}) {
      spelling->analyze([&](std::u32string_view last) {
        const std::string form = to_utf8(last);
        answer_.last_parts.push_back({form, form});
      });
      if (spelling->undecided()) return std::nullopt;
    }
    answer_.accepted = !answer_.last_parts.empty() || is_accepted();
    if (undecided_) return std::nullopt;
    return std::move(answer_);
  }

 private:
  /// Hunspell's spell() for words in capitals. Once a spelling has turned out to be forbidden, the last two
  /// are not tried.
  [[nodiscard]] bool is_accepted() {
    if (accepts(capitals_) || accepts_with_elision() || accepts_with_sharp_s()) return true;
    return !forbidden_ && (accepts(title_) || (!forbidden_ && accepts(small_)));
  }

  [[nodiscard]] bool accepts(Spelling& spelling) {
    if ((spelling.roles_alone() & kForbiddenWord) != 0) {
      forbidden_ = true;
      return false;
    }
    const bool accepted = spelling.is_compound();
    undecided_ = undecided_ || spelling.undecided();
    return accepted || undecided_;
  }

  [[nodiscard]] bool accepts_other(std::u32string_view letters) {
    Spelling spelling(parts_, letters);
    undecided_ = undecided_ || (spelling.roles_alone() & (kHunspellAlone | kPerhapsWord)) != 0;
    return accepts(spelling);
  }

  /// SANT'ELIA: sant'Elia, Sant'Elia.
  [[nodiscard]] bool accepts_with_elision() {
    const std::size_t second = small_.letters().find(U'\'') + 1;
    if (second == 0 || second == small_.letters().size()) return false;
    for (const Spelling* spelling : {&small_, &title_}) {
      std::u32string letters(spelling->letters());
      letters[second] = capitals_.letters()[second];
      if (accepts_other(letters)) return true;
    }
    return false;
  }

  /// Hunspell looks for SS when it has already put a word with an apostrophe into small letters.
  [[nodiscard]] bool accepts_with_sharp_s() {
    if (!parts_.settings().sharp_s || small_.letters().find(U'\'') != std::u32string_view::npos) return false;
    const auto visit = [this](std::u32string_view letters) { return accepts_other(letters); };
    for (const Spelling* spelling : {&small_, &title_}) {
      if (spelling->letters().find(U"ss") == std::u32string_view::npos) continue;
      std::u32string letters(spelling->letters());
      if (any_with_sharp_s(letters, 0, 0, false, visit)) return true;
    }
    return false;
  }

  const CompoundParts& parts_;
  Buffer buffer_;
  Spelling capitals_, small_, title_;
  HunspellAnswer answer_;
  bool undecided_ = false;
  bool forbidden_ = false;  ///< a spelling that was tried is a forbidden word
};

}  // namespace

std::optional<HunspellAnswer> CompoundSplitter::answer(std::u32string_view folded) const {
  if (!parts_.complete()) return std::nullopt;
  if (folded.empty() || folded.size() > kMaxLetters) return HunspellAnswer{};
  const Letters letters = kind_of(folded, parts_.settings().special);
  if (letters == Letters::special) return std::nullopt;
  if (letters == Letters::foreign) return HunspellAnswer{};  // no part has such a letter
  return CapitalsAnswer(parts_, folded).answer();
}

}  // namespace akin
