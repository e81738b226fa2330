// Cuts a text at blanks and marks, sixty-four bytes at a time: the quickest look at where its words are.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace akin {

/// A run of bytes that are not separators. Every word lies in one token or in several with a hyphenation or a
/// combining mark at the edge of one (token_words.h).
struct Token {
  const char* bytes = nullptr;  ///< kTokenMargin bytes can be read from here
  std::uint32_t begin = 0;      ///< in the text
  std::uint32_t size = 0;       ///< at least 1
  [[nodiscard]] std::string_view view() const noexcept { return {bytes, size}; }
  [[nodiscard]] std::uint32_t end() const noexcept { return begin + size; }
};
inline constexpr std::size_t kTokenMargin = 32;

/// Whether this byte is white space or a mark which words neither contain nor are joined by: all of ASCII but
/// letters, digits, the hyphen and two apostrophes.
[[nodiscard]] constexpr bool is_separator(unsigned char byte) noexcept {
  const auto is_among = [byte](unsigned char first, unsigned count) {
    return static_cast<unsigned char>(byte - first) < count;
  };
  const bool of_token = byte >= 0x80 || is_among('a', 26) || is_among('A', 26) || is_among('0', 10) ||
                        byte == '-' || byte == '\'' || byte == '`';
  return !of_token;
}

/// The same of 64 bytes, as bits; set where there is no separator.
[[nodiscard]] inline std::uint64_t token_bits(const char* bytes) noexcept {
  std::uint64_t bits = 0;
#if defined(__x86_64__)
  const auto all = [](int byte) { return _mm_set1_epi8(static_cast<char>(byte)); };
  const auto is_among = [&](__m128i byte, int first, int count) {
    return _mm_cmplt_epi8(_mm_add_epi8(byte, all(-128 - first)), all(-128 + count));
  };
  for (unsigned part = 0; part < 4; ++part) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + 16U * part));
    const __m128i letter = is_among(_mm_or_si128(here, all(0x20)), 'a', 26);
    const __m128i joint =
        _mm_or_si128(_mm_cmpeq_epi8(here, all('-')), _mm_or_si128(_mm_cmpeq_epi8(here, all('\'')),  //
                                                                  _mm_cmpeq_epi8(here, all('`'))));
    const __m128i token =
        _mm_or_si128(_mm_or_si128(letter, is_among(here, '0', 10)), _mm_or_si128(joint, here));
    bits |= std::uint64_t{static_cast<std::uint32_t>(_mm_movemask_epi8(token))} << (16U * part);
  }
#else
  for (unsigned at = 0; at < 64; ++at)
    bits |= std::uint64_t{!is_separator(static_cast<unsigned char>(bytes[at]))} << at;
#endif
  return bits;
}

/// Cuts `size` bytes, after which kTokenMargin + 64 can be read; `begin`: where they are in the text. False
/// once take(Token) is.
template <class Take>
bool cut_tokens(const char* bytes, std::size_t size, std::size_t begin, Take& take) {
  constexpr std::size_t kBlock = 64;
  bool open = false;
  std::size_t from = 0;
  const auto close = [&](std::size_t to) {
    return take(
        Token{bytes + from, static_cast<std::uint32_t>(begin + from), static_cast<std::uint32_t>(to - from)});
  };
  for (std::size_t at = 0; at < size; at += kBlock) {
    std::uint64_t bits = token_bits(bytes + at);
    if (size - at < kBlock) bits &= (std::uint64_t{1} << (size - at)) - 1;
    // Where tokens begin and end, in turns.
    std::uint64_t edges = bits ^ (bits << 1U | std::uint64_t{open});
    const auto next_edge = [&] {
      const std::size_t edge = at + static_cast<std::size_t>(std::countr_zero(edges));
      edges &= edges - 1;
      return edge;
    };
    if (open && edges != 0) {
      open = false;
      if (!close(next_edge())) return false;
    }
    while (edges != 0) {
      from = next_edge();
      open = edges == 0;
      if (!open && !close(next_edge())) return false;
    }
  }
  return !open || close(size);
}

/// Calls take(Token) for the tokens of a text in order until it returns false; whether it never did.
template <class Take>
bool for_each_token(std::string_view text, Take take) {
  constexpr std::size_t kRest = kTokenMargin + 64;
  std::size_t near_end = text.size() > kRest ? text.size() - kRest : 0;
  while (near_end > 0 && !is_separator(static_cast<unsigned char>(text[near_end - 1]))) --near_end;
  if (!cut_tokens(text.data(), near_end, 0, take)) return false;
  std::string rest(text.substr(near_end));
  const std::size_t size = rest.size();
  rest.append(kRest, '\0');
  return cut_tokens(rest.data(), size, near_end, take);
}

}  // namespace akin
