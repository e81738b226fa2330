// Any bytes as the cached parts of compounds: refused, or read so that packing what was read gives the same
// bytes. The input is tried as it is, and as a file whose digests are right: its first six bytes are the
// numbers of the head.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "dict/ask/compounds/compound_parts.h"

namespace {

constexpr akin::Digest kName{1, 2};

void require(bool holds) {
  if (!holds) std::abort();
}

// Places in the head (dict/ask/compounds/compound_parts.cpp).
constexpr std::size_t kNumbers = 32, kNumberCount = 6, kBodyDigest = 80, kHeadDigest = 96, kHeadBytes = 112;

void put_digest(std::string& bytes, std::size_t at, std::string_view of) {
  const akin::Digest digest = akin::content_hash(of);
  const std::array<std::uint64_t, 2> words{digest.high, digest.low};
  std::memcpy(bytes.data() + at, words.data(), sizeof words);
}

std::string sealed(const std::array<std::uint64_t, kNumberCount>& numbers, std::string_view body) {
  std::string bytes = akin::CompoundParts({}, {}, {}).pack(kName);
  require(bytes.size() == kHeadBytes);
  std::memcpy(bytes.data() + kNumbers, numbers.data(), sizeof numbers);
  put_digest(bytes, kBodyDigest, body);
  put_digest(bytes, kHeadDigest, std::string_view(bytes).substr(0, kHeadDigest));
  return bytes.append(body);
}

void read(std::string_view bytes) {
  const auto parts = akin::CompoundParts::unpack(bytes, kName);
  if (!parts) return;
  const std::string again = parts->pack(kName);
  const auto same = akin::CompoundParts::unpack(again, kName);
  require(same.has_value() && same->size() == parts->size() && same->pack(kName) == again);
  for (std::uint64_t key = 0; key < 64; ++key) {
    const std::uint64_t wide = key << 58U | key;
    require(parts->roles(wide) == same->roles(wide) && parts->stems(wide).size() == same->stems(wide).size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  // Otherwise the places above are wrong, and everything is refused for its digests.
  require(akin::CompoundParts::unpack(sealed({1, 1, 0, 0, 0, 0}, ""), kName).has_value());
  std::array<std::uint64_t, kNumberCount> numbers{};
  for (std::uint64_t& number : numbers) {
    if (bytes.empty()) break;
    number = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
  }
  read(sealed(numbers, bytes));
  return 0;
}
