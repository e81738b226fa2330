#include "morph/disguise/strange_letters.h"

#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/unorm2.h>
#include <unicode/uscript.h>
#include <unicode/uspoof.h>
#include <unicode/utf16.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "dict/fold/fold.h"
#include "morph/normalize/alert_cluster.h"

namespace akin {

namespace {

constexpr char32_t kFirstIndicator = 0x1f1e6, kLastIndicator = 0x1f1ff;
constexpr char32_t kFirstInParentheses = 0x249c, kLastInParentheses = 0x24b5;

bool is_symbol(char32_t c) {
  return (c >= kFirstIndicator && c <= kLastIndicator) ||
         (c >= kFirstInParentheses && c <= kLastInParentheses);
}

/// "x", if the character's name is that of a Latin letter X with something, or of a turned X.
char32_t letter_of_name(char32_t small) {
  constexpr std::string_view kLetter = "LATIN SMALL LETTER ", kTurned = "TURNED ";
  std::array<char, 128> buffer{};
  UErrorCode error = U_ZERO_ERROR;
  const std::int32_t size = u_charName(static_cast<UChar32>(small), U_UNICODE_CHAR_NAME, buffer.data(),
                                       static_cast<std::int32_t>(buffer.size()), &error);
  std::string_view name(buffer.data(), U_FAILURE(error) ? 0 : static_cast<std::size_t>(size));
  if (!name.starts_with(kLetter)) return 0;
  name.remove_prefix(kLetter.size());
  const bool turned = name.starts_with(kTurned);
  if (turned) name.remove_prefix(kTurned.size());
  const bool is_of_letter = name.size() == 1 ? turned : name.size() > 1 && name[1] == ' ';
  return is_of_letter ? static_cast<char32_t>(u_tolower(name[0])) : char32_t{0};
}

/// What an ASCII letter, or one of a few others, shows upside down.
char32_t rotated(char32_t c) {
  constexpr std::u32string_view kUpright = U"bqdpnumwɟƃɔɾ", kTurned = U"qbpdunwmfgcj";
  const std::size_t at = kUpright.find(c);
  return at == std::u32string_view::npos ? c : kTurned[at];
}

/// The Latin letters, "a" to "z", that characters pass for.
class Skeletons {
 public:
  Skeletons() : checker_(uspoof_open(&error_)) {}
  ~Skeletons() { uspoof_close(checker_); }
  Skeletons(const Skeletons&) = delete;
  Skeletons& operator=(const Skeletons&) = delete;

  /// 0 if the character passes for none.
  [[nodiscard]] char32_t latin(char32_t c) {
    if ((CharTable::instance()[c].scripts() & (kCyrillic | kGreek)) != 0) return 0;
    const auto [place, fresh] = known_.try_emplace(c, char32_t{0});
    if (fresh) place->second = find(c);
    return place->second;
  }

 private:
  [[nodiscard]] char32_t find(char32_t c) {
    if (c >= kFirstIndicator && c <= kLastIndicator) return U'a' + (c - kFirstIndicator);
    if (c >= kFirstInParentheses && c <= kLastInParentheses) return U'a' + (c - kFirstInParentheses);
    const bool decomposes = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_NFD_QUICK_CHECK) == UNORM_NO;
    if (decomposes) return 0;
    const auto small = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
    if (const char32_t named = letter_of_name(small); named != 0) return named;
    const icu::UnicodeString letter(static_cast<UChar32>(c));
    icu::UnicodeString skeleton;
    UErrorCode error = error_;
    uspoof_getSkeletonUnicodeString(checker_, 0, letter, skeleton, &error);
    if (U_FAILURE(error) || skeleton == letter) return 0;
    const UChar32 first = u_tolower(skeleton.char32At(0));
    for (std::int32_t at = skeleton.moveIndex32(0, 1); at < skeleton.length();
         at = skeleton.moveIndex32(at, 1))
      if (u_getCombiningClass(skeleton.char32At(at)) == 0) return 0;
    return first >= 'a' && first <= 'z' ? static_cast<char32_t>(first) : char32_t{0};
  }

  UErrorCode error_ = U_ZERO_ERROR;
  USpoofChecker* checker_;
  std::unordered_map<char32_t, char32_t> known_;
};

/// The letter that marks are on.
char32_t without_marks(char32_t c) {
  constexpr std::int32_t kMost = 8;
  std::array<UChar, kMost> letters{};
  UErrorCode error = U_ZERO_ERROR;
  const std::int32_t size = unorm2_getDecomposition(unorm2_getNFDInstance(&error), static_cast<UChar32>(c),
                                                    letters.data(), kMost, &error);
  if (U_FAILURE(error) || size <= 0) return c;
  UChar32 first = 0;
  U16_GET(letters.data(), 0, 0, size, first);
  return static_cast<char32_t>(first);
}

bool is_latin(char32_t c) {
  return u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_SCRIPT) == USCRIPT_LATIN;
}

/// Letters in a row.
struct LatinLooking {
  TextRange range;
  std::size_t first_byte = 0;  ///< of the text
  std::size_t letters = 0, strange = 0;
  bool has_symbol = false;  ///< other than a letter: as it is written, it does not make a word
  bool has_ascii = false, is_mixed = false;  ///< mixed: with letters of another script than Latin
};

class StrangeLetterFinder {
 public:
  StrangeLetterFinder(std::string_view utf8, const Dictionary& dictionary,
                      std::function<void(TextRange)> report)
      : text_(utf8), dictionary_(dictionary), report_(std::move(report)) {}

  void run() {
    std::uint32_t place = 0;
    for (std::size_t at = 0; at < text_.size(); ++place) {
      const std::size_t here = at;
      const char32_t c = next_code_point(text_, at);
      if (is_left_out(c)) continue;
      if (is_letter(c)) {
        if (word_.letters == 0) word_ = {.range = {place, place}, .first_byte = here};
        word_.range.end = place + 1;
        take(c);
      } else {
        close(here);
      }
    }
    close(text_.size());
    report();
  }

 private:
  static bool is_left_out(char32_t c) {
    const CharKind kind = CharTable::instance()[c].kind();
    return kind == CharKind::ignorable || kind == CharKind::soft_hyphen;
  }
  static bool is_letter(char32_t c) {
    const CharKind kind = CharTable::instance()[c].kind();
    return kind == CharKind::letter || kind == CharKind::solo || kind == CharKind::mark || is_symbol(c);
  }

  void take(char32_t c) {
    ++word_.letters;
    word_.has_ascii = word_.has_ascii || c < 0x80;
    if (c < 0x80) return;
    const char32_t latin = skeletons_.latin(c);
    word_.strange += latin != 0 || rotated(c) != c ? 1 : 0;
    word_.has_symbol = word_.has_symbol || is_symbol(c);
    word_.is_mixed = word_.is_mixed || (latin != 0 && !is_symbol(c) && !is_latin(c));
  }

  /// The word ends before this byte.
  void close(std::size_t end) {
    constexpr std::size_t kLeast = 4, kLeastTurned = 2;
    const bool mostly = 2 * word_.strange >= word_.letters;
    if (word_.letters >= kLeast && (mostly || word_.strange >= kLeastTurned))
      judge(mostly, letters_until(end));
    word_.letters = 0;
  }

  [[nodiscard]] std::u32string letters_until(std::size_t end) const {
    std::u32string letters;
    for (std::size_t at = word_.first_byte; at < end;) {
      const char32_t c = next_code_point(text_, at);
      if (!is_left_out(c)) letters += c;
    }
    return letters;
  }

  void judge(bool mostly, const std::u32string& letters) {
    std::string plain;
    std::u32string turned;  // read upside down
    for (const char32_t c : letters) {
      const char32_t latin = c < 0x80 ? char32_t{0} : skeletons_.latin(c);
      append_utf8(plain, latin == 0 ? without_marks(c) : latin);
      const char32_t upside_down = rotated(c);
      turned += upside_down == c && latin != 0 ? latin : upside_down;
    }
    std::ranges::reverse(turned);
    const bool known = !word_.has_symbol && dictionary_.knows(folder_.fold(to_utf8(letters)));
    const FoldedWord meant = folder_.fold(plain);
    if (!known &&
        ((mostly && dictionary_.knows(meant)) || dictionary_.knows(folder_.fold(to_utf8(turned))))) {
      disguised_.push_back({word_.range, meant.key});
    } else if (mostly && (!word_.has_ascii || !word_.is_mixed)) {
      ++others_;
    }
  }

  /// A language that has such letters has some words that look disguised, and more that do not.
  void report() {
    if (others_ >= disguised_.size()) return;
    for (const Disguised& one : disguised_) near_.take(one.range, one.key, {2, 0}, report_);
  }

  struct Disguised {
    TextRange range;
    std::uint64_t key = 0;
  };

  const std::string_view text_;
  const Dictionary& dictionary_;
  const std::function<void(TextRange)> report_;
  Skeletons skeletons_;
  WordFolder folder_;
  LatinLooking word_;
  std::vector<Disguised> disguised_;
  std::size_t others_ = 0;      ///< words with as many such letters that no dictionary has in Latin ones
  AlertCluster near_{2000, 6};  // three different words among some 300
};

}  // namespace

void add_strange_letters(std::string_view utf8, const Dictionary& dictionary, AlertCounts& counts,
                         std::vector<Alert>& listed) {
  StrangeLetterFinder(utf8, dictionary, [&](TextRange range) {
    ++counts[AlertKind::mixed_script];
    if (listed.size() < 2 * kMaxAlerts) listed.push_back({AlertKind::mixed_script, range});
  }).run();
}

}  // namespace akin
