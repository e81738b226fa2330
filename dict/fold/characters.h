// How the text rules classify and fold each character: the table that word folding and the scanner use. The
// rules in words: docs/text-rules.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace akin {

/// The part a character plays. `letter`, `digit`, `mark` and `solo` make words; an `apostrophe` does so
/// between two letters.
enum class CharKind : std::uint8_t {
  other,            ///< punctuation, symbols, controls: ends a word
  letter,           ///< of a script that sets spaces between words
  digit,            ///< decimal digits and other numbers
  solo,             ///< a letter of a script without spaces (Han, Kana, Thai …): a word of its own
  mark,             ///< combining mark: belongs to the character before it
  space,            ///< white space within a line
  line_break,       ///< LF, CR, NEL, U+2028
  paragraph_break,  ///< U+2029
  hyphen,           ///< hyphen-minus and U+2010: may join the halves of a word
  dash,             ///< U+2012 … U+2015 and similar characters
  apostrophe,       ///< every spelling of the apostrophe, single quotes included
  quote,            ///< every double quotation mark and guillemet
  soft_hyphen,      ///< U+00AD: dropped
  ignorable,        ///< zero-width and bidi characters: dropped
};

/// U+0301. With a space before it, it is the NFKC form of the spacing acute accent ´, which people type for
/// an apostrophe.
inline constexpr char32_t kCombiningAcute = 0x301;
inline constexpr char32_t kCombiningRing = 0x30a;
/// The one spelling of all dashes.
inline constexpr char32_t kDash = 0x2014;

/// Scripts that look like one another, as a set of bits.
enum ScriptBits : std::uint8_t { kNoScript = 0, kLatin = 1, kCyrillic = 2, kGreek = 4, kOtherScript = 8 };

/// Whether letters of these scripts in one word may pass for one another.
[[nodiscard]] constexpr bool mixes_scripts(std::uint8_t scripts) noexcept {
  const bool several = (scripts & (scripts - 1)) != 0;
  return several && (scripts & (kLatin | kCyrillic | kGreek)) != 0;
}

/// The properties of one code point, packed in a word.
class CharInfo {
 public:
  constexpr CharInfo() = default;
  constexpr CharInfo(char32_t folded, CharKind kind, std::uint8_t scripts, bool composes)
      : bits_(static_cast<std::uint32_t>(folded) | static_cast<std::uint32_t>(kind) << 21U |
              static_cast<std::uint32_t>(scripts) << 25U | (composes ? 1U << 29U : 0U)) {
    if (!composes && (kind == CharKind::letter || kind == CharKind::digit)) bits_ |= 1U << 31U;
  }

  /// The folded character; meaningful unless composes().
  [[nodiscard]] constexpr char32_t folded() const noexcept { return bits_ & 0x1fffffU; }
  [[nodiscard]] constexpr CharKind kind() const noexcept { return static_cast<CharKind>(bits_ >> 21U & 15U); }
  [[nodiscard]] constexpr std::uint8_t scripts() const noexcept { return bits_ >> 25U & 15U; }
  /// Whether the character folds to another number of characters or may combine with its neighbours: then the
  /// whole cluster goes through `ClusterFolder`.
  [[nodiscard]] constexpr bool composes() const noexcept { return (bits_ >> 29U & 1U) != 0; }
  /// A letter that does not compose.
  [[nodiscard]] constexpr bool is_plain_letter() const noexcept {
    return (bits_ & (15U << 21U | 1U << 29U)) == static_cast<std::uint32_t>(CharKind::letter) << 21U;
  }
  /// A letter or digit that does not compose.
  [[nodiscard]] constexpr bool is_plain_word_character() const noexcept { return bits_ >> 31U != 0; }

 private:
  std::uint32_t bits_ = 0;
};

/// Looks characters up. Immutable and shared; `instance` builds it once (about a millisecond).
class CharTable {
 public:
  static const CharTable& instance();

  [[nodiscard]] CharInfo operator[](char32_t c) const noexcept { return c < kSize ? rows_[c] : beyond(c); }

  /// The same, in one read. Requires c < kSize.
  [[nodiscard]] CharInfo row(char32_t c) const noexcept { return rows_[c]; }
  static constexpr char32_t kSize = 0x3200;  // all alphabets in wide use, kana and CJK punctuation

  /// Whether `c` cannot combine with a character before it, so a cluster may begin with it. Slow: rare path
  /// only.
  [[nodiscard]] static bool begins_cluster(char32_t c) noexcept;

 private:
  CharTable();
  [[nodiscard]] static CharInfo beyond(char32_t c) noexcept;

  std::array<CharInfo, kSize> rows_;
};

/// The scripts of all letters together.
[[nodiscard]] inline std::uint8_t scripts_of(std::u32string_view letters) noexcept {
  std::uint8_t scripts = kNoScript;
  for (const char32_t c : letters) scripts |= CharTable::instance()[c].scripts();
  return scripts;
}

/// Folds a cluster (a character and all that may combine with it) by Unicode's rules: NFKC, full case
/// folding, ignorable characters dropped, ё→е, stress marks on Cyrillic dropped, ı→i, small capitals,
/// Lisu letters and letters in black circles and squares to those that they show. Not thread-safe; buffers
/// are reused.
class ClusterFolder {
 public:
  /// Longest cluster that is folded as one, in code points; callers cut longer runs of combining marks.
  static constexpr std::size_t kMaxCluster = 256;

  /// The view dies with the next call. Requires well-formed input.
  [[nodiscard]] std::u32string_view fold(std::u32string_view cluster);

  /// Canonical decomposition. The view dies with the next call.
  [[nodiscard]] std::u32string_view decompose(std::u32string_view letters);

 private:
  void load(std::u32string_view letters);
  [[nodiscard]] std::u32string_view unload(const std::vector<char16_t>& from, std::size_t length);

  std::vector<char16_t> utf16_, other16_;
  std::size_t length_ = 0;
  std::vector<char32_t> out_;
};

}  // namespace akin
