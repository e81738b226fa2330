#include "base/crc32c.h"

#include <array>

#include "base/bytes.h"
#include "base/cpu.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#elif defined(__aarch64__) && defined(__linux__)
#include <arm_acle.h>
#include <sys/auxv.h>
#endif

namespace akin {

namespace {

constexpr std::uint32_t kCastagnoli = 0x82f63b78;  // reflected

constexpr std::array<std::uint32_t, 256> make_crc_table() noexcept {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1) ^ ((rest & 1U) != 0 ? kCastagnoli : 0);
    table[byte] = rest;
  }
  return table;
}

constexpr std::array<std::uint32_t, 256> kCrcTable = make_crc_table();

#if defined(__x86_64__)

__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(std::string_view bytes,
                                                                      std::uint32_t before) noexcept {
  std::uint64_t rest = ~before;
  std::size_t at = 0;
  for (; bytes.size() - at >= 8; at += 8) rest = _mm_crc32_u64(rest, load_u64(bytes.data() + at));
  auto last = static_cast<std::uint32_t>(rest);
  for (; at < bytes.size(); ++at) last = _mm_crc32_u8(last, static_cast<unsigned char>(bytes[at]));
  return ~last;
}

bool has_crc_instruction() noexcept { return cpu_level() >= CpuLevel::v2; }

#elif defined(__aarch64__) && defined(__linux__)

__attribute__((target("+crc"))) std::uint32_t crc32c_by_instruction(std::string_view bytes,
                                                                    std::uint32_t before) noexcept {
  std::uint32_t rest = ~before;
  std::size_t at = 0;
  for (; bytes.size() - at >= 8; at += 8) rest = __crc32cd(rest, load_u64(bytes.data() + at));
  for (; at < bytes.size(); ++at) rest = __crc32cb(rest, static_cast<unsigned char>(bytes[at]));
  return ~rest;
}

bool has_crc_instruction() noexcept {
  constexpr unsigned long kCrc32 = 1UL << 7;  // HWCAP_CRC32
  static const bool has = (getauxval(AT_HWCAP) & kCrc32) != 0;
  return has;
}

#else

std::uint32_t crc32c_by_instruction(std::string_view bytes, std::uint32_t before) noexcept {
  return crc32c_by_table(bytes, before);
}

bool has_crc_instruction() noexcept { return false; }

#endif

}  // namespace

std::uint32_t crc32c_by_table(std::string_view bytes, std::uint32_t before) noexcept {
  std::uint32_t rest = ~before;
  for (const char byte : bytes)
    rest = (rest >> 8) ^ kCrcTable[(rest ^ static_cast<unsigned char>(byte)) & 0xffU];
  return ~rest;
}

std::uint32_t crc32c(std::string_view bytes, std::uint32_t before) noexcept {
  return has_crc_instruction() ? crc32c_by_instruction(bytes, before) : crc32c_by_table(bytes, before);
}

}  // namespace akin
