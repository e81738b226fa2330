// Reads untrusted JSON strictly (RFC 8259): what other readers silently accept is an error here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "server/json/json.h"

namespace akin::json {

/// The maximum nesting of arrays and objects.
inline constexpr std::size_t kMaxJsonDepth = 64;
/// The maximum number of values, of which each takes up to 200 bytes of memory beside its text.
inline constexpr std::size_t kMaxJsonValues = std::size_t{1} << 18U;
/// For what akin has written itself, and files that the user of the command line gives.
inline constexpr std::size_t kAnyJsonValues = std::size_t(-1);

/// Reads one JSON value. Errors: invalid_utf8 (byte offset); invalid_json for broken syntax, unpaired
/// surrogates, a number that a double cannot hold, a key given twice in an object, more than kMaxJsonDepth
/// levels; each with line and column (from 1, in code points); too_large for more values than `most_values`.
[[nodiscard]] Result<Json> parse_json(std::string_view body, std::size_t most_values = kMaxJsonValues);

/// The fields of an object whose names are known. All errors are invalid_argument and name the field.
class Fields {
 public:
  /// Errors: the value, which is called `what`, is not an object; a field is not in `known` (the error lists
  /// those).
  [[nodiscard]] static Result<Fields> read(Json value, std::span<const std::string_view> known,
                                           std::string_view what = "JSON body");
  [[nodiscard]] static Result<Fields> read(Json value, std::initializer_list<std::string_view> known,
                                           std::string_view what = "JSON body") {
    return read(std::move(value), std::span(known.begin(), known.size()), what);
  }

  [[nodiscard]] bool has(std::string_view name) const { return object_.contains(name); }
  /// The value unchanged, or null if the field is absent. Lives as long as this object.
  [[nodiscard]] const Json* value(std::string_view name) const;
  [[nodiscard]] bool is_null(std::string_view name) const { return has(name) && object_.at(name).is_null(); }
  /// The string, or nothing if the field is absent. The view lives as long as this object.
  [[nodiscard]] Result<std::optional<std::string_view>> string(std::string_view name) const;
  /// The same, but absence is an error.
  [[nodiscard]] Result<std::string_view> required_string(std::string_view name) const;
  /// Moves a string out of the object, which keeps an empty one, so that a long text is not copied. Requires
  /// a field that string() has returned.
  [[nodiscard]] std::string take_string(std::string_view name);
  /// An array of strings, or nothing if the field is absent.
  [[nodiscard]] Result<std::optional<std::vector<std::string>>> strings(std::string_view name) const;
  /// true or false, or nothing if the field is absent.
  [[nodiscard]] Result<std::optional<bool>> boolean(std::string_view name) const;
  /// An integer from 0 to `max`, or nothing if the field is absent.
  [[nodiscard]] Result<std::optional<std::uint64_t>> integer(std::string_view name, std::uint64_t max) const;
  /// A number from 0 to 1, or nothing if the field is absent.
  [[nodiscard]] Result<std::optional<double>> share(std::string_view name) const;
  /// A JSON object, compact; "" if the field is absent.
  [[nodiscard]] Result<std::string> object(std::string_view name) const;

 private:
  explicit Fields(Json object) : object_(std::move(object)) {}
  Json object_;
};

}  // namespace akin::json
