#include "server/api/parameters.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/hex.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

constexpr std::string_view kAfter = "after:";
constexpr std::string_view kCursor = "cursor";

template <class Number>
std::optional<Number> number_of(const std::optional<std::string_view>& text) noexcept {
  if (!text) return std::nullopt;
  Number number = 0;
  std::from_chars(text->data(), text->data() + text->size(), number);
  return number == 0 ? 0 : number;  // "-0" is 0
}

Error unknown(const Parameter& parameter, std::span<const DeclaredParameter> declared) {
  std::vector<std::string_view> names;
  for (const DeclaredParameter& one : declared) names.push_back(one.name);
  return Error{Errc::invalid_argument, named(parameter), "unknown here",
               "known parameters: " + json::quoted_list(names)};
}

}  // namespace

std::string cursor_after(std::string_view key) { return std::string(kAfter) + std::string(key); }

std::string named(const Parameter& parameter) {
  return std::string(parameter.kind) + " " + json::in_quotes(parameter.name);
}

Error no_cursor(const Parameters& parameters) {
  return Error{Errc::invalid_argument, parameters.what(kCursor),
               json::in_quotes(parameters.text(kCursor).value_or("")) + " is not a cursor",
               "give 'next' of the page before, or leave it out for the first page"};
}

Parameters Parameters::unread(std::vector<Parameter> given) {
  Parameters parameters;
  parameters.given_ = std::move(given);
  return parameters;
}

Result<Parameters> Parameters::read(std::vector<Parameter> given,
                                    std::span<const DeclaredParameter> declared) {
  Parameters parameters = unread(std::move(given));
  parameters.declared_ = declared;
  const auto& all = parameters.given_;
  for (auto one = all.begin(); one != all.end(); ++one) {
    const auto declaration = std::ranges::find(declared, one->name, &DeclaredParameter::name);
    if (declaration == declared.end()) return unknown(*one, declared);
    const auto same = [&](const Parameter& other) { return other.name == one->name; };
    if (std::any_of(all.begin(), one, same))
      return Error{Errc::invalid_argument, named(*one), "given more than once", "give it once"};
    if (!declaration->accepts(one->value)) {
      const std::string expected = declaration->expected();
      return Error{Errc::invalid_argument, named(*one), json::in_quotes(one->value) + " is not " + expected,
                   "give " + expected};
    }
    if (one->name == kCursor && !one->value.empty() && !one->value.starts_with(kAfter))
      return no_cursor(parameters);
  }
  return parameters;
}

Result<Parameters> Parameters::joined(std::vector<Parameter> others) const {
  std::vector<Parameter> all = given_;
  for (Parameter& other : others) {
    const auto same = std::ranges::find(given_, other.name, &Parameter::name);
    if (same != given_.end() && same->value != other.value) {
      return Error{Errc::invalid_argument, named(other),
                   "differs from the " + std::string(same->kind) + " of this name", "give it once"};
    }
    if (same == given_.end()) all.push_back(std::move(other));
  }
  return read(std::move(all), declared_);
}

std::string Parameters::what(std::string_view name) const {
  const auto found = std::ranges::find(given_, name, &Parameter::name);
  return named(found == given_.end() ? Parameter{std::string(name), {}} : *found);
}

std::optional<std::string_view> Parameters::text(std::string_view name) const noexcept {
  if (const auto found = std::ranges::find(given_, name, &Parameter::name); found != given_.end())
    return found->value;
  const auto declaration = std::ranges::find(declared_, name, &DeclaredParameter::name);
  if (declaration == declared_.end() || declaration->absent.empty()) return std::nullopt;
  return declaration->absent;
}

std::optional<std::uint64_t> Parameters::integer(std::string_view name) const noexcept {
  return number_of<std::uint64_t>(text(name));
}

std::optional<double> Parameters::share(std::string_view name) const noexcept {
  return number_of<double>(text(name));
}

bool Parameters::flag(std::string_view name) const noexcept { return text(name) == "true"; }

bool Parameters::lists(std::string_view name, std::string_view one) const {
  return std::ranges::any_of(split(text(name).value_or(""), ','), [one](auto other) { return other == one; });
}

std::string_view Parameters::key_of_cursor() const noexcept {
  const std::string_view cursor = text(kCursor).value_or("");
  return cursor.substr(std::min(cursor.size(), kAfter.size()));
}

Result<std::uint64_t> Parameters::place_of_cursor(std::uint64_t most) const {
  const std::string_view key = key_of_cursor();
  if (key.empty() && text(kCursor).value_or("").empty()) return std::uint64_t{0};
  std::uint64_t place = 0;
  const auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), place);
  if (failure != std::errc() || end != key.data() + key.size() || place > most) return no_cursor(*this);
  return place;
}

Result<std::uint64_t> Parameters::number_of_cursor() const {
  const std::string_view key = key_of_cursor();
  if (key.empty()) return std::uint64_t{0};
  const auto number = parse_hex16(key);
  if (!number) return no_cursor(*this);
  return *number;
}

}  // namespace akin::api
