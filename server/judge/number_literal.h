// A number or a date written in digits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace akin::judge {

/// A decimal number: its significant digits (no zeros at either end) and the power of ten of the last one.
struct Decimal {
  std::uint64_t digits = 0;  ///< a hash of the digits' spelling, 0 for the number 0
  std::int32_t exponent = 0;

  /// The hash of the number times 10^scale.
  [[nodiscard]] std::uint64_t hash(unsigned scale) const noexcept;
};

struct WrittenNumber {
  Decimal value;
  std::size_t end = 0;           ///< after its last byte
  std::uint32_t whole = 0;       ///< its value if that has at most four digits, without groups and decimals
  std::size_t plain_digits = 0;  ///< how many digits that value has; 0 for any other number
};

struct WrittenDate {
  unsigned year = 0, month = 0, day = 0;
  std::size_t end = 0;
};

/// Whether there is a digit 0 … 9 at byte `at`.
[[nodiscard]] bool is_digit_at(std::string_view text, std::size_t at) noexcept;

/// The number that begins at byte `at`. Requires a digit there.
[[nodiscard]] WrittenNumber read_number(std::string_view text, std::size_t at);

/// The date in digits that begins there: 2019-11-08, 08.11.2019, 8/11/19. Nothing if there is no possible
/// calendar date.
[[nodiscard]] std::optional<WrittenDate> read_date(std::string_view text, std::size_t at);

/// The position after the blanks and no-break blanks that begin at byte `at`.
[[nodiscard]] std::size_t skip_blanks(std::string_view text, std::size_t at) noexcept;

}  // namespace akin::judge
