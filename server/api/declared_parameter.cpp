#include "server/api/declared_parameter.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/ascii.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

template <class Number>
std::optional<Number> number_in(std::string_view text) noexcept {
  Number number = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  return failure == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

bool DeclaredParameter::has_word(std::string_view value) const noexcept {
  const auto all = split(words, ',');
  return std::ranges::find(all, value) != all.end();
}

bool DeclaredParameter::accepts(std::string_view value) const noexcept {
  switch (kind) {
    case ParameterKind::integer: {
      const auto number = number_in<std::uint64_t>(value);
      return number && *number >= least && *number <= most;
    }
    case ParameterKind::share: {
      const auto number = number_in<double>(value);
      return number && *number >= 0.0 && *number <= 1.0;  // false for "nan"
    }
    case ParameterKind::flag:
      return value == "true" || value == "false";
    case ParameterKind::word:
      return has_word(value);
    case ParameterKind::list:
      return words.empty() ||
             std::ranges::all_of(split(value, ','), [this](auto one) { return has_word(one); });
    case ParameterKind::text:
    case ParameterKind::object:
      return true;
  }
  return false;
}

std::string DeclaredParameter::expected() const {
  switch (kind) {
    case ParameterKind::integer:
      return "an integer from " + std::to_string(least) + " to " + std::to_string(most);
    case ParameterKind::share:
      return "a number from 0 to 1";
    case ParameterKind::flag:
      return "'true' or 'false'";
    case ParameterKind::word:
      return "one of " + json::quoted_list(split(words, ','));
    case ParameterKind::list:
      return words.empty() ? "names separated by commas"
                           : "some of " + json::quoted_list(split(words, ',')) + ", separated by commas";
    case ParameterKind::object:
      return "a JSON object";
    case ParameterKind::text:
      break;
  }
  return "a string";
}

}  // namespace akin::api
