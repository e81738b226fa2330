// Bodies that come compressed: Content-Encoding gzip and zstd.
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

/// What Accept-Encoding tells.
inline constexpr std::string_view kCodings = "gzip, zstd";

/// The coding that a Content-Encoding field names, in any letter case; identity when it is empty. Nothing for
/// all others and for several.
[[nodiscard]] std::optional<Coding> find_coding(std::string_view field);

/// Undoes a coding piece by piece. One thread.
class Decoder {
 public:
  struct Step {
    std::size_t consumed = 0, produced = 0;
  };

  virtual ~Decoder() = default;
  /// Decodes from `encoded` into `decoded` until one of them is at its end. Error: invalid_argument (broken).
  [[nodiscard]] virtual Result<Step> decode(std::string_view encoded, std::span<char> decoded) = 0;
  /// Whether the body may end here: all of a member or frame was decoded and handed over.
  [[nodiscard]] virtual bool complete() const noexcept = 0;
};

/// Logarithm of the largest window that a request's zstd body may ask for: 8 MiB, as RFC 9659 has it.
inline constexpr int kBodyWindowLog = 23;

/// Null for identity. `window_log` bounds the memory of zstd.
[[nodiscard]] Result<std::unique_ptr<Decoder>> make_decoder(Coding coding, int window_log = kBodyWindowLog);

/// The error of a body that ends too early.
[[nodiscard]] Error truncated_coding();

}  // namespace akin::ingest
