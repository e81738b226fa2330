// The spelling of schemes: NAME or NAME(parameter=value,…), where a value may be a scheme itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace akin {

/// Longest specification, in bytes.
inline constexpr std::size_t kMaxSchemeSpec = 1000;

/// A parsed specification. Views its text.
class SchemeSpec {
 public:
  /// Error: invalid_argument (too long, unclosed parentheses, a parameter without a value or given twice).
  [[nodiscard]] static Result<SchemeSpec> parse(std::string_view text);

  [[nodiscard]] std::string_view name() const noexcept { return name_; }

  /// Names and values in the order given.
  [[nodiscard]] const std::vector<std::pair<std::string_view, std::string_view>>& parameters()
      const noexcept {
    return parameters_;
  }

  /// The value of a parameter, or `otherwise` if it is omitted.
  [[nodiscard]] std::string_view value(std::string_view parameter, std::string_view otherwise) const;

  /// The same for a whole number from `least` to `most`.
  [[nodiscard]] Result<std::uint64_t> number(std::string_view parameter, std::uint64_t otherwise,
                                             std::pair<std::uint64_t, std::uint64_t> range) const;

  /// The index of a parameter's value among `choices`; 0 if it is omitted.
  [[nodiscard]] Result<std::size_t> choice(std::string_view parameter,
                                           std::initializer_list<std::string_view> choices) const;

  /// Error: invalid_argument if a given parameter is not among these.
  [[nodiscard]] Result<void> expect_only(std::initializer_list<std::string_view> parameters) const;

  /// An error about a parameter of this specification.
  [[nodiscard]] Error wrong(std::string_view parameter, std::string reason) const;

 private:
  std::string_view text_;
  std::string_view name_;
  std::vector<std::pair<std::string_view, std::string_view>> parameters_;
};

/// A whole number in decimal digits from range.first to range.second.
[[nodiscard]] Result<std::uint64_t> read_number(std::string_view digits,
                                                std::pair<std::uint64_t, std::uint64_t> range);

}  // namespace akin
