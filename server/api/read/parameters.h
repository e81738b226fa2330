// Query parameters, read strictly: each must be known, given at most once, well-formed and in range.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "server/api/target.h"

namespace akin::api {

/// An inclusive range of integers, with the value of an absent parameter.
struct IntegerRange {
  std::uint64_t absent = 0;
  std::uint64_t min = 0;
  std::uint64_t max = 0;
};

/// `limit` of every list that is read page by page.
inline constexpr IntegerRange kListLimit{.absent = 100, .min = 1, .max = 1000};
/// The largest bound: a document has at most this many features.
inline constexpr std::uint64_t kMaxBound = 0xffffffffU;

/// The `cursor` of the page that begins after the entry with this key.
[[nodiscard]] std::string cursor_after(std::string_view key);

/// A view of a target's parameters; must not outlive it. All errors are invalid_argument and name the
/// parameter.
class Parameters {
 public:
  /// Errors: a name that is not in `known` (the error lists those), a name given twice.
  [[nodiscard]] static Result<Parameters> read(std::span<const Parameter> query,
                                               std::span<const std::string_view> known);
  [[nodiscard]] static Result<Parameters> read(std::span<const Parameter> query,
                                               std::initializer_list<std::string_view> known) {
    return read(query, std::span(known.begin(), known.size()));
  }

  /// "query parameter 'limit'", or as the kind of the one given says; for errors.
  [[nodiscard]] std::string what(std::string_view name) const;
  [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const noexcept;
  /// Decimal digits only.
  [[nodiscard]] Result<std::uint64_t> integer(std::string_view name, IntegerRange range) const;
  /// A decimal number in [0,1]; 0 when absent.
  [[nodiscard]] Result<double> share(std::string_view name) const;
  /// One of the values, or nothing if it is absent.
  [[nodiscard]] Result<std::optional<std::string_view>> one_of(
      std::string_view name, std::initializer_list<std::string_view> values) const;
  /// The key in `cursor`, which cursor_after() made; "" if it is absent or empty: the first page.
  [[nodiscard]] Result<std::string_view> key_of_cursor() const;
  /// "true" or "false".
  [[nodiscard]] Result<bool> flag(std::string_view name, bool absent) const;

 private:
  [[nodiscard]] Error wrong(std::string_view name, const std::string& expected) const;
  explicit Parameters(std::span<const Parameter> query) : query_(query) {}
  std::span<const Parameter> query_;
};

}  // namespace akin::api
