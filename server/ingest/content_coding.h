// Decodes compressed bodies, and compresses answers: Content-Encoding gzip and zstd.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace akin::ingest {

enum class Coding { identity, gzip, zstd };

/// The value of Accept-Encoding.
inline constexpr std::string_view kCodings = "gzip, zstd";

/// The coding that a Content-Encoding field names, in any letter case; identity if it is empty. Nothing for
/// all others and for several.
[[nodiscard]] std::optional<Coding> find_coding(std::string_view field);

/// The coding of an answer for a client that sends this Accept-Encoding: zstd, gzip or, if it takes neither,
/// identity.
[[nodiscard]] Coding accepted_coding(std::string_view field);

/// The body compressed, in little time. Errors: busy (no memory), internal.
[[nodiscard]] Result<std::string> encode(Coding coding, std::string_view body);

/// Decodes a body piece by piece. One thread.
class Decoder {
 public:
  struct Step {
    std::size_t consumed = 0, produced = 0;
  };

  virtual ~Decoder() = default;
  /// Decodes from `encoded` into `decoded` until either is used up. Error: invalid_argument (broken).
  [[nodiscard]] virtual Result<Step> decode(std::string_view encoded, std::span<char> decoded) = 0;
  /// Whether the body may end here: the last member or frame was decoded and handed over completely.
  [[nodiscard]] virtual bool complete() const noexcept = 0;
};

/// Logarithm of the largest window that the zstd body of a request may require: 8 MiB, as in RFC 9659.
inline constexpr int kBodyWindowLog = 23;

/// Null for identity. `window_log` bounds the memory of zstd.
[[nodiscard]] Result<std::unique_ptr<Decoder>> make_decoder(Coding coding, int window_log = kBodyWindowLog);

/// The error of a body that ends too early.
[[nodiscard]] Error truncated_coding();

}  // namespace akin::ingest
