#include "dict/table/content_hash.h"

#include <bit>
#include <cstring>

#include "base/hash.h"
#include "base/hex.h"

namespace akin {
namespace {

constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15U;

std::uint64_t step(std::uint64_t lane, std::uint64_t word) { return std::rotl((lane ^ word) * kOdd, 29); }

}  // namespace

Digest content_hash(std::string_view bytes) noexcept {
  std::array<std::uint64_t, 4> lanes{0x452821e638d01377U, 0xbe5466cf34e90c6cU, 0xc0ac29b7c97c50ddU,
                                     0x3f84d5b5b5470917U};
  constexpr std::size_t kBlock = sizeof(lanes);
  std::array<std::uint64_t, 4> words{};
  std::size_t at = 0;
  for (; at + kBlock <= bytes.size(); at += kBlock) {
    std::memcpy(words.data(), bytes.data() + at, kBlock);
    for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = step(lanes[i], words[i]);
  }
  words = {};
  if (at < bytes.size()) std::memcpy(words.data(), bytes.data() + at, bytes.size() - at);
  for (std::size_t i = 0; i < lanes.size(); ++i) lanes[i] = mix64(step(lanes[i], words[i]));
  DigestBuilder digest;
  digest.add(Digest{lanes[0], lanes[1]});
  digest.add(Digest{lanes[2], lanes[3]});
  digest.add(bytes.size());
  return digest.digest();
}

std::string to_hex(const Digest& digest) { return hex16(digest.high) + hex16(digest.low); }

void DigestBuilder::add(const Digest& part) noexcept {
  state_.high = mix64(state_.high ^ part.high) + part.low;
  state_.low = mix64(state_.low + part.low * kOdd) ^ state_.high;
}

}  // namespace akin
