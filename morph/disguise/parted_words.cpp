#include "morph/disguise/parted_words.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "base/utf8.h"
#include "dict/fold/characters.h"
#include "dict/fold/fold.h"
#include "morph/normalize/alert_cluster.h"

namespace akin {

namespace {

constexpr std::uint8_t kPartedScripts = kLatin | kCyrillic | kGreek;

enum class PartGap : std::uint8_t { none, thin, separator, nothing };

/// What a character between two parts shows: a gap that is narrower than a blank; nothing, but programs
/// separate words with it, as with a form feed or an object between two words; or nothing at all.
PartGap gap_of(char32_t c) {
  if ((c >= 0x2000 && c <= 0x200a) || c == 0x202f || c == 0x205f) return PartGap::thin;
  constexpr char32_t kBackspace = 0x8, kEscape = 0x1b, kDelete = 0x7f;
  if (c == kBackspace || c == U'\v' || c == U'\f' || (c > kEscape && c < U' ') || c == 0x2028 ||
      c == 0x2029 || c == 0x2800 || (c >= 0xfff9 && c <= 0xfffc))
    return PartGap::separator;
  if ((c < U' ' && (c < U'\t' || c > U'\r')) || c == kDelete) return PartGap::nothing;
  // Of the other controls, two are apostrophes of Windows that nobody converted.
  return c >= 0x80 && c < 0xa0 && c != 0x91 && c != 0x92 ? PartGap::separator : PartGap::none;
}

/// Whether any character parts words; few texts have one.
bool has_gap(std::string_view utf8) {
  for (std::size_t at = 0; at < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    constexpr unsigned char kDelete = 0x7f, kTwo = 0xc2, kThree = 0xe2,
                            kLast = 0xef;  // the first bytes of all
    if (byte >= U' ' && byte != kDelete && byte != kTwo && byte != kThree && byte != kLast) {
      ++at;
    } else if (gap_of(next_code_point(utf8, at)) != PartGap::none) {
      return true;
    }
  }
  return false;
}

/// Letters of an alphabet in a row, and what is in front of them.
struct WordPart {
  TextRange range;
  std::size_t byte_begin = 0, byte_end = 0;
  std::size_t letters = 0;
  PartGap gap = PartGap::none;  ///< between it and the part before it
};

class PartFinder {
 public:
  PartFinder(std::string_view utf8, const Dictionary& dictionary, AlertCounts& counts,
             std::vector<Alert>& listed)
      : text_(utf8), dictionary_(dictionary), counts_(counts), listed_(listed) {}

  void run() {
    WordPart part;
    PartGap gap = PartGap::none;
    const auto close = [&](PartGap next) {
      if (part.letters > 0) {
        parts_.push_back(part);
        if (parts_.size() == kMostParts) judge();
      }
      part = {};
      gap = next;
    };
    std::uint32_t place = 0;
    for (std::size_t at = 0; at < text_.size(); ++place) {
      const std::size_t here = at;
      const char32_t c = next_code_point(text_, at);
      const CharInfo info = CharTable::instance()[c];
      if (info.kind() == CharKind::letter && (info.scripts() & kPartedScripts) != 0) {
        if (part.letters == 0) {
          if (gap == PartGap::none) judge();
          part = {.range = {place, place}, .byte_begin = here, .gap = gap};
        }
        ++part.letters;
        part.range.end = place + 1;
        part.byte_end = at;
      } else if (is_of_word(info.kind())) {
        if (part.letters > 0) part.range.end = place + 1, part.byte_end = at;
      } else if (const PartGap shown = gap_of(c); shown != PartGap::none) {
        close(part.letters > 0 ? shown : std::min(gap, shown));  // of several, the one that shows most
      } else {
        close(PartGap::none);
      }
    }
    close(PartGap::none);
    judge();
  }

 private:
  /// Parts that are looked at together; a chain that is longer is cut.
  static constexpr std::size_t kMostParts = 256;
  /// Parts and letters of one word.
  static constexpr std::size_t kMostOfWord = 8, kLeastLetters = 5, kMostLetters = 40;

  static bool is_of_word(CharKind kind) {
    return kind == CharKind::mark || kind == CharKind::ignorable || kind == CharKind::soft_hyphen ||
           kind == CharKind::apostrophe;
  }

  [[nodiscard]] std::string_view letters(const WordPart& part) const {
    return text_.substr(part.byte_begin, part.byte_end - part.byte_begin);
  }

  /// The chain of parts ends.
  void judge() {
    for (std::size_t first = 0; first + 1 < parts_.size();) first += std::max<std::size_t>(word_at(first), 1);
    parts_.clear();
  }

  /// The number of parts of the disguised word that begins with this one; 0 without one.
  std::size_t word_at(std::size_t first) {
    std::size_t most = 1, size = parts_[first].letters;
    while (most < kMostOfWord && first + most < parts_.size() && size <= kMostLetters)
      size += parts_[first + most++].letters;
    for (std::size_t count = most; count > 1; --count)
      if (take(first, count)) return count;
    return 0;
  }

  bool take(std::size_t first, std::size_t count) {
    std::string whole;
    std::size_t size = 0, longest = 0;
    PartGap least = PartGap::nothing;
    for (std::size_t at = first; at < first + count; ++at) {
      whole += letters(parts_[at]);
      size += parts_[at].letters;
      longest = std::max(longest, parts_[at].letters);
      if (at > first) least = std::min(least, parts_[at].gap);
    }
    if (size < (least == PartGap::nothing ? 2 : kLeastLetters) || size > kMostLetters || longest < 2)
      return false;
    const FoldedWord word = folder_.fold(whole);
    const std::uint64_t key = word.key;
    const bool knows = dictionary_.knows(word);
    const std::size_t known = known_parts(first, count);
    if (!knows && (least != PartGap::nothing || count > 2 || known > 0)) return false;
    if (knows && known == long_parts(first, count)) return false;
    const AlertKind kind = least == PartGap::thin ? AlertKind::letter_spacing : AlertKind::zero_width;
    AlertCluster& near = least == PartGap::thin ? thin_ : other_;
    near.take({parts_[first].range.begin, parts_[first + count - 1].range.end}, key, {2, 0},
              [&](TextRange clear) {
                ++counts_[kind];
                if (listed_.size() < 2 * kMaxAlerts) listed_.push_back({kind, clear});
              });
    return true;
  }

  /// Of these parts, those of two letters or more, and those of them that a dictionary has.
  [[nodiscard]] std::size_t long_parts(std::size_t first, std::size_t count) const {
    std::size_t parts = 0;
    for (std::size_t at = first; at < first + count; ++at) parts += parts_[at].letters > 1 ? 1 : 0;
    return parts;
  }
  std::size_t known_parts(std::size_t first, std::size_t count) {
    std::size_t known = 0;
    for (std::size_t at = first; at < first + count; ++at)
      known += parts_[at].letters > 1 && dictionary_.knows(folder_.fold(letters(parts_[at]))) ? 1 : 0;
    return known;
  }

  const std::string_view text_;
  const Dictionary& dictionary_;
  AlertCounts& counts_;
  std::vector<Alert>& listed_;
  WordFolder folder_;
  std::vector<WordPart> parts_;                  ///< of the chain
  AlertCluster thin_{2000, 6}, other_{2000, 6};  // three different words among some 300
};

}  // namespace

void add_parted_words(std::string_view utf8, const Dictionary& dictionary, AlertCounts& counts,
                      std::vector<Alert>& listed) {
  if (has_gap(utf8)) PartFinder(utf8, dictionary, counts, listed).run();
}

}  // namespace akin
