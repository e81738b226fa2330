#include "dict/compile/content_hash.h"

#include <bit>
#include <cstdio>
#include <cstring>

#include "base/hash.h"

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

std::string to_hex(const Digest& digest) {
  std::array<char, 33> text{};
  std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(digest.high),
                static_cast<unsigned long long>(digest.low));
  return {text.data(), 32};
}

void DigestBuilder::add(const Digest& part) noexcept {
  state_.high = mix64(state_.high ^ part.high) + part.low;
  state_.low = mix64(state_.low + part.low * kOdd) ^ state_.high;
}

}  // namespace akin
