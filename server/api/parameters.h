// The parameters of a request, read strictly: each must be declared, given at most once, well-formed and in
// range.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/api/declared_parameter.h"
#include "server/api/target.h"

namespace akin::api {

/// The `cursor` of the page that begins after the entry with this key.
[[nodiscard]] std::string cursor_after(std::string_view key);

/// Owns what was given. All errors are invalid_argument and name the parameter. Views and numbers are those
/// of the request, else the declared ones of an absent parameter.
class Parameters {
 public:
  Parameters() = default;
  /// Of a request whose parameters are read later.
  [[nodiscard]] static Parameters unread(std::vector<Parameter> given);
  /// Errors: a name that is not declared (the error lists those), a name given twice, a value that its
  /// declaration does not accept, a `cursor` that is not one. `declared` must outlive this.
  [[nodiscard]] static Result<Parameters> read(std::vector<Parameter> given,
                                               std::span<const DeclaredParameter> declared);
  /// These and others, which another part of the request gives. Errors: as read; a value that differs from
  /// that of the same parameter here.
  [[nodiscard]] Result<Parameters> joined(std::vector<Parameter> others) const;

  [[nodiscard]] const std::vector<Parameter>& given() const noexcept { return given_; }
  [[nodiscard]] std::span<const DeclaredParameter> declared() const noexcept { return declared_; }

  /// "query parameter 'limit'", or as the kind of the one given says; for errors.
  [[nodiscard]] std::string what(std::string_view name) const;
  [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const noexcept;
  [[nodiscard]] std::optional<std::uint64_t> integer(std::string_view name) const noexcept;
  [[nodiscard]] std::optional<double> share(std::string_view name) const noexcept;
  [[nodiscard]] bool flag(std::string_view name) const noexcept;
  /// Whether a list names this.
  [[nodiscard]] bool lists(std::string_view name, std::string_view one) const;
  /// The key in `cursor`, which cursor_after() made; "" for the first page.
  [[nodiscard]] std::string_view key_of_cursor() const noexcept;
  /// The key in `cursor` as a number up to `most`: how many entries come before the page; 0 for the first.
  /// Error: it is none.
  [[nodiscard]] Result<std::uint64_t> place_of_cursor(std::uint64_t most) const;
  /// The key in `cursor` as a number of 16 hex digits; 0 for the first page. Error: it is none.
  [[nodiscard]] Result<std::uint64_t> number_of_cursor() const;

 private:
  std::vector<Parameter> given_;
  std::span<const DeclaredParameter> declared_;
};

/// The parameter as an error names it.
[[nodiscard]] std::string named(const Parameter& parameter);

/// The error for a cursor that no answer has given.
[[nodiscard]] Error no_cursor(const Parameters& parameters);

}  // namespace akin::api
