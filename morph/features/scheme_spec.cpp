#include "morph/features/scheme_spec.h"

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace akin {
namespace {

Error wrong_form(std::string_view text, std::string reason) {
  return Error{Errc::invalid_argument, "scheme '" + std::string(text) + "'", std::move(reason),
               "write it as NAME or NAME(parameter=value,…)"};
}

/// The end of the parameter that begins here: a comma outside of inner parentheses, or the text's end. npos
/// if the parentheses do not match.
std::size_t parameter_end(std::string_view text) {
  int depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ',' && depth == 0) return at;
    if (text[at] == '(') ++depth;
    if (text[at] == ')' && --depth < 0) return std::string_view::npos;
  }
  return depth == 0 ? text.size() : std::string_view::npos;
}

}  // namespace

Result<SchemeSpec> SchemeSpec::parse(std::string_view text) {
  if (text.size() > kMaxSchemeSpec) {
    return Error{Errc::invalid_argument, "scheme",
                 "its specification is longer than " + std::to_string(kMaxSchemeSpec) + " bytes",
                 "akin help schemes, and /docs/schemes of a server, describe the schemes"};
  }
  SchemeSpec spec;
  spec.text_ = text;
  const std::size_t open = text.find('(');
  spec.name_ = text.substr(0, open);
  if (open == std::string_view::npos) return spec;
  if (!text.ends_with(')')) return wrong_form(text, "its last character is not the closing parenthesis");
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    const std::size_t end = parameter_end(rest);
    if (end == std::string_view::npos) return wrong_form(text, "its parentheses do not match");
    const std::string_view parameter = rest.substr(0, end);
    const std::size_t equals = parameter.find('=');
    if (equals == 0 || equals >= parameter.size() - 1) {
      return wrong_form(text, "'" + std::string(parameter) + "' is not of the form parameter=value");
    }
    const std::string_view name = parameter.substr(0, equals);
    if (!spec.value(name, {}).empty())
      return wrong_form(text, "'" + std::string(name) + "' is given more than once");
    spec.parameters_.emplace_back(name, parameter.substr(equals + 1));
    if (end + 1 == rest.size()) return wrong_form(text, "there is a comma before the closing parenthesis");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return spec;
}

std::string_view SchemeSpec::value(std::string_view parameter, std::string_view otherwise) const {
  const auto found =
      std::ranges::find(parameters_, parameter, &std::pair<std::string_view, std::string_view>::first);
  return found == parameters_.end() ? otherwise : found->second;
}

Result<std::uint64_t> SchemeSpec::number(std::string_view parameter, std::uint64_t otherwise,
                                         std::pair<std::uint64_t, std::uint64_t> range) const {
  const std::string_view digits = value(parameter, {});
  if (digits.empty()) return otherwise;
  Result<std::uint64_t> read = read_number(digits, range);
  if (read.has_error()) return wrong(parameter, read.error().reason);
  return read;
}

Result<std::size_t> SchemeSpec::choice(std::string_view parameter,
                                       std::initializer_list<std::string_view> choices) const {
  const std::string_view wanted = value(parameter, *choices.begin());
  const auto* const found = std::ranges::find(choices, wanted);
  if (found != choices.end()) return static_cast<std::size_t>(found - choices.begin());
  std::string list;
  for (const std::string_view choice : choices) list += (list.empty() ? "" : ", ") + std::string(choice);
  return wrong(parameter, "it is not one of " + list);
}

Result<void> SchemeSpec::expect_only(std::initializer_list<std::string_view> parameters) const {
  for (const auto& [name, value] : parameters_) {
    if (std::ranges::find(parameters, name) != parameters.end()) continue;
    std::string list;
    for (const std::string_view known : parameters) list += (list.empty() ? "" : ", ") + std::string(known);
    return wrong(name, list.empty() ? "the scheme has no parameters" : "the parameters are " + list);
  }
  return {};
}

Error SchemeSpec::wrong(std::string_view parameter, std::string reason) const {
  return Error{Errc::invalid_argument,
               "parameter '" + std::string(parameter) + "' of scheme '" + std::string(text_) + "'",
               std::move(reason), "akin help schemes, and /docs/schemes of a server, describe the schemes"};
}

Result<std::uint64_t> read_number(std::string_view digits, std::pair<std::uint64_t, std::uint64_t> range) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = failure == std::errc() && end == digits.data() + digits.size();
  if (whole && number >= range.first && number <= range.second) return number;
  return Error{
      Errc::invalid_argument, "'" + std::string(digits) + "'",
      "it is not a whole number from " + std::to_string(range.first) + " to " + std::to_string(range.second),
      ""};
}

}  // namespace akin
