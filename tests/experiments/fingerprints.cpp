#include "tests/experiments/fingerprints.h"

#include <zlib.h>

#include <boost/crc.hpp>
#include <stdexcept>
#include <string>

#include "base/hash.h"

namespace akin::experiments {
namespace {

__extension__ using Wide = unsigned __int128;

std::uint64_t largest_prime(unsigned bits) {
  switch (bits) {
    case 32:
      return (std::uint64_t{1} << 32U) - 5;
    case 40:
      return (std::uint64_t{1} << 40U) - 87;
    case 48:
      return (std::uint64_t{1} << 48U) - 59;
    case 56:
      return (std::uint64_t{1} << 56U) - 5;
    case 64:
      return std::uint64_t{0} - 59;
    default:
      throw std::invalid_argument("no prime of " + std::to_string(bits) + " bits is at hand");
  }
}

}  // namespace

KarpRabin::KarpRabin(unsigned bits)
    : prime_(largest_prime(bits)), base_(mix64(bits) % (prime_ - 512) + 256) {}

KarpRabin KarpRabin::by(std::uint64_t prime) { return {prime, mix64(prime) % (prime - 512) + 256}; }

std::uint64_t KarpRabin::of(std::string_view bytes) const noexcept {
  std::uint64_t value = 0;
  for (const char byte : bytes) {
    // Digits from 1 on, so that strings of different lengths differ.
    value =
        static_cast<std::uint64_t>((Wide{value} * base_ + static_cast<unsigned char>(byte) + 1U) % prime_);
  }
  return value;
}

std::uint64_t crc32_of(std::string_view bytes) noexcept {
  return crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
}

std::uint64_t crc64_of(std::string_view bytes) noexcept {
  boost::crc_optimal<64, 0x42f0e1eba9ea3693U, ~std::uint64_t{0}, ~std::uint64_t{0}, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

}  // namespace akin::experiments
