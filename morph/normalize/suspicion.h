// One sweep over the bytes of a text, which shows that it has nothing for the slower searches to find, as
// most texts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "morph/normalize/spaced_letters.h"

namespace akin {

/// What a text may have; false positives cost time only.
struct Suspicion {
  bool notes = false;      ///< [1 or a superscript digit
  bool overrides = false;  ///< U+202E
  bool spaced = false;     ///< begins_spaced_letters
};

/// How many bytes after a block are looked at with it.
inline constexpr std::size_t kLookAhead = 16;

using Bytes16 = unsigned char __attribute__((vector_size(16)));
using Bytes32 = unsigned char __attribute__((vector_size(32)));

/// Looks for what a text may have, a vector at a time. Nothing of it is common, so the processor predicts
/// well.
template <class Bytes>
class SuspicionSweep {
 public:
  /// Adds to `found` what begins before the last bytes; returns their number, at most kBlock + kLookAhead.
  static std::size_t run(std::string_view text, Suspicion& found) {
    Mask notes{}, overrides{};
    std::size_t at = 0;
    for (; at + kBlock + kLookAhead <= text.size(); at += kBlock) {
      if (see(text.data() + at, notes, overrides) && !found.spaced)
        found.spaced = begins_spaced_letters(text, at, at + kBlock);
    }
    found.notes = any(notes);
    found.overrides = any(overrides);
    return text.size() - at;
  }

 private:
  static constexpr std::size_t kBlock = sizeof(Bytes);
  using Mask = decltype(Bytes{} == Bytes{});

  static void load(const char* from, Bytes& bytes) { std::memcpy(&bytes, from, sizeof bytes); }

  /// Whether any byte is not 0.
  static bool any(const Mask& mask) {
    std::array<std::uint64_t, kBlock / 8> parts;
    std::memcpy(parts.data(), &mask, sizeof mask);
    std::uint64_t all = 0;
    for (const std::uint64_t part : parts) all |= part;
    return all != 0;
  }

  /// Whether letterspacing may begin in this block.
  static bool see(const char* text, Mask& notes, Mask& overrides) {
    Bytes here, next, second, third, fourth, sixth, ninth;
    load(text, here);
    load(text + 1, next);
    load(text + 2, second);
    load(text + 3, third);
    load(text + 4, fourth);
    load(text + 6, sixth);
    load(text + 9, ninth);
    const auto latin1 = (here == 0xc2), general = (here == 0xe2);
    const auto punctuation = general & (next == 0x80);
    notes |= ((here == '[') & ((next >= '0') & (next <= '9'))) |
             (latin1 & ((next == 0xb2) | (next == 0xb3) | (next == 0xb9))) | (general & (next == 0x81));
    overrides |= punctuation & (second == 0xae);
    const auto narrow =
        (punctuation & ((second <= 0x8a) | ((second & 0xfe) == 0xae))) | (latin1 & (next == 0xa0));
    const auto separator = ((here == ' ') | (here == '.')) & (next != here);
    const auto one_byte = (second == here) & (fourth == here) & (sixth == here);
    const auto two_bytes = (third == here) & (sixth == here) & (ninth == here);
    return any((separator & (one_byte | two_bytes)) | narrow);
  }
};

/// In vectors of AVX2, if the processor has them.
[[nodiscard]] Suspicion suspect(std::string_view utf8);

}  // namespace akin
