// Windows code pages → UTF-8.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/decoder.h"

namespace akin::extract {

/// Keeps the converters that it opened.
class CodePages {
 public:
  /// Bytes invalid in the page become U+FFFD; an unknown page is read as 1252.
  [[nodiscard]] std::string decode(std::string_view bytes, std::uint32_t page);

 private:
  std::map<std::uint32_t, std::optional<Decoder>> decoders_;
};

}  // namespace akin::extract
