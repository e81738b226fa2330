#include "cli/frame/command.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <iomanip>
#include <optional>
#include <sstream>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/ascii.h"

namespace akin::cli {

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::type_name(const std::string& word) {
  option_->type_name(word);
  return *this;
}

Option Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}

Option Option::default_str(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option Option::group(const std::string& heading) {
  option_->group(heading);
  return *this;
}

Option Option::delimiter(char between) {
  option_->delimiter(between);
  return *this;
}

Option Option::one_value_each_time() {
  option_->allow_extra_args(false);
  return *this;
}

Option Option::excludes(Option other) {
  option_->excludes(other.option_);
  return *this;
}

Option Option::check(std::function<std::string(const std::string&)> test) {
  option_->check(std::move(test));
  return *this;
}

template <class Number>
Option Option::range(Number least, Number most) {
  // CLI11 itself prints a million as 1e+06.
  std::ostringstream name;
  name << std::setprecision(15) << (std::is_floating_point_v<Number> ? "FLOAT" : "INT") << " in [" << least
       << " - " << most << "]";
  option_->check(CLI::Range(least, most, name.str()));
  return *this;
}

template Option Option::range(int, int);
template Option Option::range(unsigned, unsigned);
template Option Option::range(std::int64_t, std::int64_t);
template Option Option::range(std::uint64_t, std::uint64_t);
template Option Option::range(double, double);

Option Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}

Option Option::one_of(const std::vector<std::string>& words) {
  option_->check(CLI::IsMember(words));
  return *this;
}

Option Option::existing_file() {
  option_->check(CLI::ExistingFile);
  return *this;
}

namespace {

/// "65536", "64K", "64 KiB", "1g"; nothing for another text, or over 2^64-1.
std::optional<std::uint64_t> bytes_of(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{}) return std::nullopt;
  std::string unit = ascii_lower(trimmed(text.substr(static_cast<std::size_t>(end - text.data()))));
  if (unit.size() == 3 && unit.ends_with("ib")) unit.erase(1, 1);
  if (unit.ends_with('b')) unit.pop_back();
  const std::size_t power = unit.empty() ? 0 : std::string_view("kmgt").find(unit) + 1;
  if (unit.size() > 1 || (!unit.empty() && power == 0)) return std::nullopt;
  const unsigned shift = 10 * static_cast<unsigned>(power);
  return number > (~std::uint64_t{0} >> shift) ? std::nullopt : std::optional(number << shift);
}

}  // namespace

Option Option::with_size_suffix() {
  const auto read = [](std::string& text) -> std::string {
    const auto bytes = bytes_of(text);
    if (!bytes) return "'" + text + "' is not a number of bytes, as in 65536, 64K or 1G";
    text = std::to_string(*bytes);
    return "";
  };
  option_->transform(CLI::Validator(read, ""));
  return *this;
}

Option Option::with_unit(const std::map<std::string, std::int64_t>& units) {
  option_->transform(CLI::AsNumberWithUnit(units));
  return *this;
}

template <class Value>
Option Command::add_option(const std::string& name, Value& value, const std::string& description) {
  return Option(*app_->add_option(name, value, description));
}

template Option Command::add_option(const std::string&, int&, const std::string&);
template Option Command::add_option(const std::string&, unsigned&, const std::string&);
template Option Command::add_option(const std::string&, std::int64_t&, const std::string&);
template Option Command::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Command::add_option(const std::string&, double&, const std::string&);
template Option Command::add_option(const std::string&, std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::filesystem::path&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::uint64_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<double>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::filesystem::path>&,
                                    const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::uint64_t>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<double>&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::string>&, const std::string&);

Option Command::add_flag(const std::string& name, bool& value, const std::string& description) {
  return Option(*app_->add_flag(name, value, description));
}

Command Command::add_subcommand(const std::string& name, const std::string& description) {
  return Command(*app_->add_subcommand(name, description)->fallthrough()->group("Commands"));
}

void Command::require_subcommand() { app_->require_subcommand(1); }

void Command::hide() { app_->group(""); }

}  // namespace akin::cli
