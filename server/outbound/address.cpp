#include "server/outbound/address.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace akin::watch {

namespace {

struct Block4 {
  std::uint32_t network = 0;
  unsigned bits = 0;
};

constexpr std::uint32_t ip4(std::uint32_t a, std::uint32_t b, std::uint32_t c = 0) {
  return a << 24U | b << 16U | c << 8U;
}

constexpr std::array kNotPublic = {
    Block4{ip4(0, 0), 8},         Block4{ip4(10, 0), 8},      Block4{ip4(100, 64), 10},
    Block4{ip4(127, 0), 8},       Block4{ip4(169, 254), 16},  Block4{ip4(172, 16), 12},
    Block4{ip4(192, 0), 24},      Block4{ip4(192, 0, 2), 24}, Block4{ip4(192, 88, 99), 24},
    Block4{ip4(192, 168), 16},    Block4{ip4(198, 18), 15},   Block4{ip4(198, 51, 100), 24},
    Block4{ip4(203, 0, 113), 24}, Block4{ip4(224, 0), 3},
};

bool is_public4(std::uint32_t address) noexcept {
  return std::ranges::none_of(kNotPublic, [address](const Block4& block) {
    return (address ^ block.network) >> (32U - block.bits) == 0;
  });
}

/// Global unicast is 2000::/3; in it, 2001::/23 (protocols, Teredo), 2001:db8::/32 and 3fff::/20
/// (documentation) and 2002::/16 (6to4) are not addresses of internet hosts.
bool is_public6(const std::array<std::uint8_t, 16>& bytes) noexcept {
  const auto group = [&](std::size_t at) {
    return static_cast<unsigned>(bytes[2 * at]) << 8U | bytes[2 * at + 1];
  };
  const unsigned first = group(0);
  const unsigned second = group(1);
  if (first >> 13U != 1) return false;
  if (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) return false;
  return first != 0x2002 && !(first == 0x3fff && second < 0x1000);
}

}  // namespace

bool is_public_address(const sockaddr& address) noexcept {
  if (address.sa_family == AF_INET) {
    sockaddr_in in4{};
    std::memcpy(&in4, &address, sizeof in4);
    return is_public4(ntohl(in4.sin_addr.s_addr));
  }
  if (address.sa_family != AF_INET6) return false;
  sockaddr_in6 in6{};
  std::memcpy(&in6, &address, sizeof in6);
  std::array<std::uint8_t, 16> bytes{};
  std::memcpy(bytes.data(), &in6.sin6_addr, bytes.size());
  if (!IN6_IS_ADDR_V4MAPPED(&in6.sin6_addr)) return is_public6(bytes);
  std::uint32_t wrapped = 0;
  std::memcpy(&wrapped, bytes.data() + 12, sizeof wrapped);
  return is_public4(ntohl(wrapped));
}

}  // namespace akin::watch
