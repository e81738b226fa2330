// Compressed bodies from anyone: decoded whole and byte by byte they give the same, within the limit.
//
// Input: one byte that chooses the coding, then the body.

#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/decoded_body.h"

namespace {

using namespace akin;

constexpr std::size_t kLimit = 100'000;

/// As decode_body, but given one byte of the body at a time and room for few.
std::optional<std::string> slowly(ingest::Coding coding, std::string_view encoded) {
  const auto decoder = ingest::make_decoder(coding).value();
  std::string decoded;
  std::array<char, 7> room;
  while (true) {
    const auto step = decoder->decode(encoded.substr(0, 1), room);
    if (step.has_error()) return std::nullopt;
    encoded.remove_prefix(step->consumed);
    decoded.append(room.data(), step->produced);
    if (decoded.size() > kLimit) return std::nullopt;
    if (step->produced > 0) continue;
    if (encoded.empty()) return decoder->complete() ? std::optional(decoded) : std::nullopt;
    if (step->consumed == 0) return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto coding = data[0] % 2 == 0 ? ingest::Coding::gzip : ingest::Coding::zstd;
  const std::string encoded(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto decoded = http::decode_body(coding, encoded, kLimit, [](std::size_t) { return true; });
  const auto slow = slowly(coding, encoded);
  if (decoded.has_value() != slow.has_value()) std::abort();
  if (slow && (*decoded != *slow || decoded->size() > kLimit)) std::abort();
  return 0;
}
