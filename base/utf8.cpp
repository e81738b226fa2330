#include "base/utf8.h"

#include <unicode/utf8.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "base/cpu.h"
#include "base/utf8_blocks.h"

namespace akin {

namespace {

bool is_lead(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

#if defined(__x86_64__)
/// Counts the characters that begin in whole blocks from `at` on; moves `at` past those.
[[gnu::target("avx2,popcnt")]] std::size_t count_leads_with_avx2(std::string_view utf8,
                                                                 std::size_t& at) noexcept {
  constexpr std::size_t kBlock = sizeof(__m256i);
  const __m256i last_continuation = _mm256_set1_epi8(-65);
  std::size_t leads = 0;
  for (; at + kBlock <= utf8.size(); at += kBlock) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(utf8.data() + at));
    const auto mask =
        static_cast<unsigned>(_mm256_movemask_epi8(_mm256_cmpgt_epi8(bytes, last_continuation)));
    leads += static_cast<unsigned>(__builtin_popcount(mask));
  }
  return leads;
}
#endif

}  // namespace

Result<void> validate_utf8(std::string_view bytes, std::string_view what) {
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data());
  const std::size_t size = bytes.size();
  std::size_t at = well_formed_prefix(bytes);
  while (at < size) {
    const std::size_t start = at;
    UChar32 c = 0;
    U8_NEXT(data, at, size, c);
    if (c >= 0) continue;
    const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(start), '\n');
    char byte[8];
    std::snprintf(byte, sizeof byte, "0x%02X", data[start]);
    return Error{Errc::invalid_utf8, std::string(what),
                 "not UTF-8 at byte " + std::to_string(start) + " (line " + std::to_string(line) + ", byte " +
                     byte + ")",
                 "convert it to UTF-8, for instance with iconv"};
  }
  return {};
}

std::size_t count_code_points(std::string_view utf8) noexcept {
  std::size_t at = 0, leads = 0;
#if defined(__x86_64__)
  if (cpu_level() >= CpuLevel::v3) leads = count_leads_with_avx2(utf8, at);
#endif
  for (; at + 8 <= utf8.size(); at += 8) {
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, utf8.data() + at, sizeof bytes);
    const std::uint64_t lead = (~(bytes >> 7U) | bytes >> 6U) & kOnes;
    leads += lead * kOnes >> 56U;  // their sum
  }
  const std::string_view rest = utf8.substr(at);
  return leads + static_cast<std::size_t>(std::count_if(rest.begin(), rest.end(), is_lead));
}

std::string_view slice_code_points(std::string_view utf8, std::size_t begin, std::size_t end) noexcept {
  std::size_t at = 0;
  const auto skip = [&](std::size_t count) {
    while (count > 0 && at < utf8.size()) {
      ++at;
      while (at < utf8.size() && !is_lead(utf8[at])) ++at;
      --count;
    }
  };
  skip(begin);
  const std::size_t first = at;
  skip(end > begin ? end - begin : 0);
  return utf8.substr(first, at - first);
}

char32_t next_code_point(std::string_view utf8, std::size_t& at) noexcept {
  const auto* data = reinterpret_cast<const std::uint8_t*>(utf8.data());
  UChar32 c = 0;
  U8_NEXT_UNSAFE(data, at, c);
  return static_cast<char32_t>(c);
}

void append_utf8(std::string& out, char32_t c) {
  char buffer[U8_MAX_LENGTH];
  std::size_t length = 0;
  U8_APPEND_UNSAFE(buffer, length, c);
  out.append(buffer, length);
}

std::string to_utf8(std::u32string_view letters) {
  std::string out;
  out.reserve(letters.size() * 2);
  for (char32_t c : letters) append_utf8(out, c);
  return out;
}

std::u32string to_utf32(std::string_view utf8) {
  std::u32string out;
  out.reserve(utf8.size());
  std::size_t at = 0;
  while (at < utf8.size()) out.push_back(next_code_point(utf8, at));
  return out;
}

}  // namespace akin
