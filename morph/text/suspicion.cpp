#include "morph/text/suspicion.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include <bit>
#endif

namespace akin {
namespace {

#if defined(__x86_64__)
[[gnu::target("avx2"), gnu::flatten]] std::size_t sweep_with_avx2(std::string_view text, Suspicion& found) {
  return SuspicionSweep<Bytes32>::run(text, found);
}
#endif

std::size_t sweep(std::string_view text, Suspicion& found) {
#if defined(__x86_64__)
  static const bool has_avx512 = __builtin_cpu_supports("avx512bw") != 0;
  if (has_avx512) return sweep_with_avx512(text, found);
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;
  if (has_avx2) return sweep_with_avx2(text, found);
#endif
  return SuspicionSweep<Bytes16>::run(text, found);
}

}  // namespace

#if defined(__x86_64__)
[[gnu::target("avx512f,avx512bw")]] std::size_t sweep_with_avx512(std::string_view text, Suspicion& found) {
  constexpr std::size_t kBlock = 64;
  const auto is = [](__m512i bytes, int byte) __attribute__((target("avx512f,avx512bw"))) {
    return _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(static_cast<char>(byte)));
  };
  const auto at_most = [](__m512i bytes, int byte) __attribute__((target("avx512f,avx512bw"))) {
    return _mm512_cmple_epu8_mask(bytes, _mm512_set1_epi8(static_cast<char>(byte)));
  };
  const auto in_pair = [](__m512i bytes, int byte) __attribute__((target("avx512f,avx512bw"))) {
    return _mm512_cmpeq_epi8_mask(_mm512_and_si512(bytes, _mm512_set1_epi8(-2)),
                                  _mm512_set1_epi8(static_cast<char>(byte)));
  };
  const auto and_equal =
      [](__mmask64 mask, __m512i a, __m512i b) __attribute__((target("avx512f,avx512bw"))) {
    return _mm512_mask_cmpeq_epi8_mask(mask, a, b);
  };
  __mmask64 notes = 0, overrides = 0;
  std::size_t at = 0;
  for (; at + kBlock + kLookAhead <= text.size(); at += kBlock) {
    const char* const block = text.data() + at;
    const auto load = [block](std::size_t from) __attribute__((target("avx512f,avx512bw"))) {
      return _mm512_loadu_si512(block + from);
    };
    const __m512i here = load(0), next = load(1), second = load(2);
    const __mmask64 bracket = is(here, '['), latin1 = is(here, 0xc2), general = is(here, 0xe2);
    const __mmask64 separator = (is(here, ' ') | is(here, '.')) & _mm512_cmpneq_epi8_mask(next, here);
    const __m512i sixth = load(6);
    const __mmask64 one_byte = and_equal(and_equal(separator, second, here), load(4), here);
    const __mmask64 two_bytes = and_equal(separator, load(3), here);
    __mmask64 spaced = and_equal(one_byte | two_bytes, sixth, here);
    spaced &= one_byte | and_equal(spaced, load(9), here);
    const __mmask64 narrow = general & is(next, 0x80) & (at_most(second, 0x8a) | in_pair(second, 0xae));
    const __mmask64 no_break = latin1 & is(next, 0xa0);
    spaced |= narrow | no_break;
    const __mmask64 superscripts =
        (latin1 & (in_pair(next, 0xb2) | is(next, 0xb9))) | (general & is(next, 0x81));
    const __mmask64 digits = _mm512_mask_cmple_epu8_mask(
        bracket, _mm512_sub_epi8(next, _mm512_set1_epi8('0')), _mm512_set1_epi8(9));
    notes |= superscripts | digits;
    overrides |= narrow & is(second, 0xae);
    for (; spaced != 0; spaced &= spaced - 1) {
      const std::size_t begin = at + static_cast<std::size_t>(std::countr_zero(spaced));
      found.spaced_words += begins_spaced_letters(text, begin, begin + 1) ? 1 : 0;
    }
  }
  found.notes = notes != 0;
  found.overrides = overrides != 0;
  return text.size() - at;
}
#endif

Suspicion suspect(std::string_view text) {
  Suspicion found;
  const std::size_t left = sweep(text, found);
  const std::string_view rest = text.substr(text.size() - left);
  found.notes = found.notes || rest.find_first_of("[\xc2\xe2") != std::string_view::npos;
  found.overrides = found.overrides || rest.find("\u202e") != std::string_view::npos;
  if (begins_spaced_letters(text, text.size() - left, text.size())) found.spaced_words += 6;
  return found;
}

}  // namespace akin
