// Any bytes as a request's target, and as something percent-encoded: refused, or decoded exactly once.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "server/api/target.h"

namespace {

using akin::api::Plus;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Every byte as %XX.
std::string encode(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789aBcDeF";
  std::string encoded;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    encoded += {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return encoded;
}

/// Another way to the same: from the end, by the C library's reader of numbers.
std::optional<std::string> decode_slowly(std::string encoded, Plus plus) {
  for (std::size_t at = encoded.size(); at-- > 0;) {
    if (encoded[at] == '+' && plus == Plus::space) encoded[at] = ' ';
  }
  std::string decoded;
  for (std::size_t at = 0; at < encoded.size();) {
    if (encoded[at] != '%') {
      decoded += encoded[at++];
      continue;
    }
    const std::string digits = encoded.substr(at + 1, 2);
    if (digits.size() != 2 || digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
      return std::nullopt;
    decoded += static_cast<char>(std::strtoul(digits.c_str(), nullptr, 16));
    at += 3;
  }
  if (akin::validate_utf8(decoded, "").has_error()) return std::nullopt;
  return decoded;
}

void check_decoding(std::string_view bytes) {
  for (const Plus plus : {Plus::literal, Plus::space}) {
    const auto decoded = akin::api::percent_decode(bytes, "it", plus);
    const auto slowly = decode_slowly(std::string(bytes), plus);
    require(decoded.has_value() == slowly.has_value());
    if (!decoded.has_value()) continue;
    require(*decoded == *slowly);
    const auto again = akin::api::percent_decode(encode(*decoded), "it", plus);
    require(again.has_value() && *again == *decoded);
  }
}

void check_target(std::string_view bytes) {
  const auto target = akin::api::parse_target(bytes);
  if (target.has_error()) return;
  require(target->path.starts_with('/') && target->path.find_first_of("?#") == std::string::npos);
  require(akin::api::path_of(bytes) == target->path);
  std::string written = target->path;
  char separator = '?';
  for (const auto& [name, value, kind] : target->query) {
    require(!name.empty());
    written += separator + encode(name) + "=" + encode(value);
    separator = '&';
  }
  const auto again = akin::api::parse_target(written);
  require(again.has_value() && again->path == target->path && again->query.size() == target->query.size());
  for (std::size_t i = 0; i < target->query.size(); ++i) {
    require(again->query[i].name == target->query[i].name);
    require(again->query[i].value == target->query[i].value);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  check_decoding(bytes);
  check_target(bytes);
  return 0;
}
