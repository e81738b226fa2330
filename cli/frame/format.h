// Numbers and text as people read them on a terminal.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text_range.h"

namespace akin::cli {

/// 0.975 → "97.5 %". Only exactly 1 gives "100.0 %" and only exactly 0 gives "0.0 %"; requires 0 <= share
/// <= 1.
[[nodiscard]] std::string percent(double share);

/// 23.46 → "23.5", 0.04 → "0.0": a rate with one decimal.
[[nodiscard]] std::string one_decimal(double rate);

/// 65600000 → "65.6 MB" (powers of 1000).
[[nodiscard]] std::string byte_count(std::uint64_t bytes);

/// 1255462 → "1,255,462".
[[nodiscard]] std::string grouped(std::uint64_t number);

/// (1, "document") → "1 document", (3, "document") → "3 documents".
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view noun);

/// "7 features that more than 50 documents have": what a limit of common features left out.
[[nodiscard]] std::string common_features(std::uint64_t features, std::uint64_t limit);

/// 75 s → "1 min 15 s".
[[nodiscard]] std::string duration(std::chrono::seconds time);

/// 0.25 s → "0.3 s": seconds with one decimal.
[[nodiscard]] std::string seconds_taken(std::chrono::duration<double> time);

/// "120–560": code points, half-open.
[[nodiscard]] std::string range(TextRange range);

/// A hash as the API writes it: 16 hex digits.
[[nodiscard]] std::string hash_digits(std::uint64_t hash);

/// One line fit for a terminal: white space runs become one space; control and bidi characters, which could
/// steer the terminal, are dropped; after `limit` code points the rest becomes "…". Requires well-formed
/// UTF-8.
[[nodiscard]] std::string one_line(std::string_view utf8, std::size_t limit);

}  // namespace akin::cli
