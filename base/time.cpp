#include "base/time.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace akin {

namespace {

using std::chrono::microseconds;

/// Takes text from the left; stays failed once something does not fit.
class Digits {
 public:
  explicit Digits(std::string_view text) noexcept : rest_(text) {}

  /// Exactly `count` decimal digits.
  int number(std::size_t count) noexcept {
    int value = 0;
    if (rest_.size() < count) return fail();
    for (std::size_t i = 0; i < count; ++i) {
      if (rest_[i] < '0' || rest_[i] > '9') return fail();
      value = value * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return value;
  }
  bool take(char c) noexcept {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) noexcept {
    if (!take(c)) fail();
  }
  [[nodiscard]] bool at_digit() const noexcept {
    return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9';
  }
  int fail() noexcept {
    failed_ = true;
    return 0;
  }
  [[nodiscard]] bool failed() const noexcept { return failed_; }
  [[nodiscard]] bool ended() const noexcept { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

microseconds read_fraction(Digits& digits) noexcept {
  if (!digits.at_digit()) digits.fail();
  std::int64_t fraction = 0;
  for (std::int64_t unit = 100'000; digits.at_digit(); unit /= 10) fraction += unit * digits.number(1);
  return microseconds(fraction);
}

std::chrono::minutes read_offset(Digits& digits) noexcept {
  if (digits.take('Z') || digits.take('z')) return {};
  const int sign = digits.take('-') ? -1 : 1;
  if (sign > 0) digits.expect('+');
  const int hours = digits.number(2);
  digits.expect(':');
  const int minutes = digits.number(2);
  if (hours > 23 || minutes > 59) digits.fail();
  return sign * std::chrono::minutes(hours * 60 + minutes);
}

std::string format(Time time, bool exactly) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  const auto fraction = static_cast<int>(clock.subseconds().count());
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%0*dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
                exactly ? 6 : 3, exactly ? fraction : fraction / 1000);
  return text.data();
}

}  // namespace

Time time_now() noexcept { return std::chrono::floor<microseconds>(std::chrono::system_clock::now()); }

std::string format_time(Time time) { return format(time, false); }
std::string format_time_exactly(Time time) { return format(time, true); }

std::optional<Time> parse_time(std::string_view text) noexcept {
  Digits digits(text);
  const std::chrono::year year(digits.number(4));
  digits.expect('-');
  const std::chrono::month month(static_cast<unsigned>(digits.number(2)));
  digits.expect('-');
  const std::chrono::day day(static_cast<unsigned>(digits.number(2)));
  const std::chrono::year_month_day date(year, month, day);
  if (digits.failed() || !date.ok()) return std::nullopt;
  const Time midnight = std::chrono::sys_days(date);
  if (digits.ended()) return midnight;
  if (!digits.take('T') && !digits.take('t')) digits.expect(' ');
  const int hours = digits.number(2);
  digits.expect(':');
  const int minutes = digits.number(2);
  digits.expect(':');
  const int seconds = digits.number(2);
  microseconds fraction{};
  if (digits.take('.')) fraction = read_fraction(digits);
  const std::chrono::minutes offset = read_offset(digits);
  // A leap second counts as the moment behind it.
  if (digits.failed() || !digits.ended() || hours > 23 || minutes > 59 || seconds > 60) return std::nullopt;
  return midnight + std::chrono::hours(hours) + std::chrono::minutes(minutes) +
         std::chrono::seconds(seconds) + fraction - offset;
}

}  // namespace akin
