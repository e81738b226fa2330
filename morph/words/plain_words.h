// Reads the words of simple text: letters and digits that fold one by one, of any script.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/hash.h"
#include "dict/fold/characters.h"
#include "morph/words/letter_lanes.h"

namespace akin {

/// A character under inspection.
struct Seen {
  CharInfo info;
  std::uint32_t bytes = 0;
};

/// The contribution of the marker bits of lead and continuation to a character of two bytes.
inline constexpr std::uint32_t kTwoBytes = (0xc0U << 6U) + 0x80U;

/// What simple text has no place for.
inline constexpr Seen kLeft{{0, CharKind::ignorable, kNoScript, true}, 0};

/// Vowels and final consonants of Hangul may combine with a letter before them, even across something
/// dropped.
[[nodiscard]] constexpr bool is_jamo(char32_t c) { return c >= 0x1100 && c <= 0x11ff; }
[[nodiscard]] constexpr bool is_hangul_syllable(char32_t c) { return c >= 0xac00 && c < 0xd7a4; }

/// With `kSixteen`, it reads sixteen letters at a time where it can, which takes AVX2.
template <bool kSixteen>
class PlainWords {
 public:
  /// Longest run, in letters.
  static constexpr std::size_t kMaxPlainWord = 64;

  /// Reads up to `end`, the text's end.
  PlainWords(const CharTable& table, const unsigned char* end) : table_(table), end_(end) {}

  /// The character at a place before the text's end.
  [[nodiscard]] Seen look(const unsigned char* at) const {
    const std::uint32_t lead = at[0];
    if (lead < 0x80) return {table_.row(lead), 1};
    if (lead < 0xe0) return {table_.row((lead << 6U) + at[1] - kTwoBytes), 2};
    const char32_t c = (lead & 0xfU) << 12U | (at[1] & 0x3fU) << 6U | (at[2] & 0x3fU);
    if (lead >= 0xf0 || is_jamo(c) || (c >= CharTable::kSize && !is_hangul_syllable(c))) return kLeft;
    return {table_[c], 3};
  }

  /// The same where one byte or two cannot be predicted.
  [[nodiscard]] Seen look_evenly(const unsigned char* at) const {
    const std::uint32_t lead = at[0];
    if (lead >= 0xe0) return look(at);
    const std::uint32_t has_two = lead >> 7U;
    return {table_.row(lead + has_two * (lead * 63 + at[has_two] - kTwoBytes)), 1 + has_two};
  }

  /// ß folds to two letters, whatever is after it.
  [[nodiscard]] static bool is_sharp_s(const unsigned char* at) noexcept {
    return at[0] == 0xc3 && at[1] == 0x9f;
  }

  /// A run of word characters.
  struct Run {
    const unsigned char* end = nullptr;
    std::uint32_t length = 0;       ///< letters; 0: there is none
    std::uint32_t code_points = 0;  ///< of the text: ß has two letters
    std::uint64_t key = 0;
    std::uint8_t scripts = kNoScript;
    CharKind last = CharKind::letter;
    Seen next;  ///< the character after it
  };

  /// The run at a place, of which `first` is the first character, a plain letter or digit; its letters go to
  /// `letter`, where there is room for kMaxPlainWord and sixteen more.
  [[nodiscard]] Run read(const unsigned char* at, char32_t* letter, const Seen& first) const {
    const Run run = at[0] < 0x80 ? read_latin(at, letter) : read_cyrillic(at, letter);
    return run.length != 0 ? run : read_characters(at, letter, first);
  }

 private:
  Run read_latin(const unsigned char* at, char32_t* letter) const {
#if defined(__x86_64__)
    if constexpr (kSixteen) {
      if (static_cast<std::size_t>(end_ - at) >= kSixteenBytes) [[likely]] {
        const Sixteen found = fold_sixteen_latin(at, letter);
        if (found.letters < 16) [[likely]]
          return short_run(at, found, 1, kLatin);
      }
    }
#endif
    return read_letters<fold_latin_letters, 1>(at, letter, kLatin);
  }

  Run read_cyrillic(const unsigned char* at, char32_t* letter) const {
#if defined(__x86_64__)
    if constexpr (kSixteen) {
      if (static_cast<std::size_t>(end_ - at) >= kSixteenBytes) [[likely]] {
        const Sixteen found = fold_sixteen_cyrillic(at, letter);
        if (found.letters < 16) [[likely]]
          return short_run(at, found, 2, kCyrillic);
      }
    }
#endif
    return read_letters<fold_cyrillic_letters, 2>(at, letter, kCyrillic);
  }

#if defined(__x86_64__)
  Run short_run(const unsigned char* at, const Sixteen& found, std::uint32_t bytes,
                std::uint8_t script) const {
    Run run;
    run.end = at + std::size_t{found.letters} * bytes;
    run.next = look(run.end);
    if (found.letters == 0 || run.next.info.is_plain_word_character() || is_sharp_s(run.end)) return run;
    run.length = run.code_points = found.letters;
    run.key = found.key;
    run.scripts = script;
    return run;
  }
#endif

  /// A word of letters of one alphabet only, each of kBytes; nothing if it has other characters.
  template <auto kFold, std::uint32_t kBytes>
  Run read_letters(const unsigned char* at, char32_t* letter, std::uint8_t script) const {
    Run run;
    SpellingHash hash;
    std::array<SpellingHash, kLetterLanes + 1> hashes;  // after so many letters of a step
    char32_t* const begin = letter;
    std::size_t folded = kLetterLanes;
    for (; folded == kLetterLanes; at += folded * kBytes, letter += folded) {
      const bool has_room = letter + kLetterLanes <= begin + kMaxPlainWord;
      if (!has_room || static_cast<std::size_t>(end_ - at) < kLetterLaneBytes) return {};
      folded = kFold(at, letter);
      hashes[0] = hash;
      add_all(letter, hashes, std::make_index_sequence<kLetterLanes>());
      hash = hashes[folded];
    }
    if (letter == begin) return {};
    run.next = look(at);
    if (run.next.info.is_plain_word_character() || is_sharp_s(at)) return {};
    run.end = at;
    run.length = run.code_points = static_cast<std::uint32_t>(letter - begin);
    run.key = hash.value();
    run.scripts = script;
    return run;
  }

  /// hashes[i] is that after i letters. All of them, without a branch: where a word ends cannot be predicted.
  template <std::size_t... kLanes>
  static void add_all(const char32_t* letter, std::array<SpellingHash, kLetterLanes + 1>& hashes,
                      std::index_sequence<kLanes...> /*lanes*/) {
    SpellingHash hash = hashes[0];
    ((hash.add(letter[kLanes]), hashes[kLanes + 1] = hash), ...);
  }

  Run read_characters(const unsigned char* at, char32_t* letter, const Seen& first) const {
    Run run;
    SpellingHash hash;
    run.next = first;
    run.end = at;
    const char32_t* const begin = letter;
    const char32_t* const longest = letter + kMaxPlainWord;
    CharInfo last;
    do {
      last = run.next.info;
      *letter++ = last.folded();
      hash.add(last.folded());
      run.scripts |= last.scripts();
      run.end += run.next.bytes;
      ++run.code_points;
      for (; letter < longest && is_sharp_s(run.end); run.end += 2, ++run.code_points) {
        last = table_.row(U's');
        for (int i = 0; i < 2; ++i) hash.add(*letter++ = U's');
        run.scripts |= last.scripts();
      }
      run.next = look_evenly(run.end);
    } while (run.next.info.is_plain_word_character() && letter < longest);
    run.length = static_cast<std::uint32_t>(letter - begin);
    run.key = hash.value();
    run.last = last.kind();
    return run;
  }

  const CharTable& table_;
  const unsigned char* const end_;
};

}  // namespace akin
