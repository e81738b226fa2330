#include "server/api/read/parameters.h"

#include <algorithm>
#include <charconv>

#include "server/json/quoted.h"

namespace akin::api {

namespace {

constexpr std::string_view kAfter = "after:";

}  // namespace

std::string cursor_after(std::string_view key) { return std::string(kAfter) + std::string(key); }

Result<Parameters> Parameters::read(std::span<const Parameter> query,
                                    std::span<const std::string_view> known) {
  for (auto parameter = query.begin(); parameter != query.end(); ++parameter) {
    const std::string what = std::string(parameter->kind) + " " + json::in_quotes(parameter->name);
    if (std::ranges::find(known, parameter->name) == known.end()) {
      return Error{Errc::invalid_argument, what, "unknown here",
                   "known parameters: " + json::quoted_list({known.begin(), known.end()})};
    }
    const auto same = [&](const Parameter& other) { return other.name == parameter->name; };
    if (std::any_of(query.begin(), parameter, same)) {
      return Error{Errc::invalid_argument, what, "given more than once", "give it once"};
    }
  }
  return Parameters(query);
}

std::string Parameters::what(std::string_view name) const {
  const auto found = std::ranges::find(query_, name, &Parameter::name);
  const std::string_view kind = found == query_.end() ? Parameter{}.kind : found->kind;
  return std::string(kind) + " " + json::in_quotes(name);
}

Error Parameters::wrong(std::string_view name, const std::string& expected) const {
  return Error{Errc::invalid_argument, what(name),
               json::in_quotes(text(name).value_or("")) + " is not " + expected, "give " + expected};
}

std::optional<std::string_view> Parameters::text(std::string_view name) const noexcept {
  const auto found = std::ranges::find(query_, name, &Parameter::name);
  return found == query_.end() ? std::nullopt : std::optional<std::string_view>(found->value);
}

Result<std::uint64_t> Parameters::integer(std::string_view name, IntegerRange range) const {
  const auto value = text(name);
  if (!value) return range.absent;
  std::uint64_t number = 0;
  const auto* end = value->data() + value->size();
  const auto [stop, failure] = std::from_chars(value->data(), end, number);
  if (failure != std::errc{} || stop != end || number < range.min || number > range.max) {
    return wrong(name, "an integer from " + std::to_string(range.min) + " to " + std::to_string(range.max));
  }
  return number;
}

Result<double> Parameters::share(std::string_view name) const {
  const auto value = text(name);
  if (!value) return 0.0;
  double number = 0;
  const auto* end = value->data() + value->size();
  const auto [stop, failure] = std::from_chars(value->data(), end, number);
  // "nan" parses and compares false with everything; this form makes it fail.
  const bool in_range = number >= 0.0 && number <= 1.0;
  if (failure != std::errc{} || stop != end || !in_range) return wrong(name, "a number from 0 to 1");
  return number == 0.0 ? 0.0 : number;  // "-0" is 0
}

Result<std::optional<std::string_view>> Parameters::one_of(
    std::string_view name, std::initializer_list<std::string_view> values) const {
  const auto given = text(name);
  if (!given || std::ranges::find(values, *given) != values.end()) return given;
  std::string known;
  for (const std::string_view value : values) known += (known.empty() ? "" : ", ") + std::string(value);
  return wrong(name, "one of " + known);
}

Result<std::string_view> Parameters::key_of_cursor() const {
  const std::string_view cursor = text("cursor").value_or("");
  if (cursor.empty()) return std::string_view();
  if (cursor.starts_with(kAfter)) return cursor.substr(kAfter.size());
  return Error{Errc::invalid_argument, what("cursor"), json::in_quotes(cursor) + " is not a cursor",
               "give 'next' of the page before, or leave it out for the first page"};
}

Result<bool> Parameters::flag(std::string_view name, bool absent) const {
  const auto value = text(name);
  if (!value) return absent;
  if (*value == "true") return true;
  if (*value == "false") return false;
  return wrong(name, "'true' or 'false'");
}

}  // namespace akin::api
