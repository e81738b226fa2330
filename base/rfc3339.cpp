#include "base/rfc3339.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <sstream>
#include <utility>

namespace akin {

namespace {

using std::chrono::microseconds;
using std::chrono::sys_days;

/// Parses a text from its beginning; remembers whether something did not fit.
class Scanner {
 public:
  explicit Scanner(std::string_view text) noexcept : rest_(text) {}

  /// Reads exactly `digits` digits, whose value must be in the range.
  unsigned number(std::size_t digits, unsigned least, unsigned most) noexcept {
    unsigned value = 0;
    for (std::size_t i = 0; i < digits; ++i) value = value * 10 + digit();
    if (value < least || value > most) fits_ = false;
    return value;
  }

  /// Reads one of these characters and returns it.
  char one_of(std::string_view characters) noexcept {
    if (rest_.empty() || characters.find(rest_.front()) == std::string_view::npos) {
      fits_ = false;
      return '\0';
    }
    const char c = rest_.front();
    rest_.remove_prefix(1);
    return c;
  }

  /// Reads the optional fraction of the seconds: a point and digits.
  std::int64_t fraction() noexcept {
    if (rest_.empty() || rest_.front() != '.') return 0;
    rest_.remove_prefix(1);
    std::int64_t value = digit();
    std::int64_t digits = 1;
    for (; !rest_.empty() && is_digit(rest_.front()); ++digits) {
      const unsigned next = digit();
      if (digits < 6) value = value * 10 + next;
    }
    for (; digits < 6; ++digits) value *= 10;
    return value;
  }

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }
  [[nodiscard]] bool fits() const noexcept { return fits_; }

 private:
  static bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

  unsigned digit() noexcept {
    if (rest_.empty() || !is_digit(rest_.front())) {
      fits_ = false;
      return 0;
    }
    const auto value = static_cast<unsigned>(rest_.front() - '0');
    rest_.remove_prefix(1);
    return value;
  }

  std::string_view rest_;
  bool fits_ = true;
};

/// The first day of a month or year that is given alone.
std::optional<sys_days> read_day(Scanner& scanner) {
  const unsigned year = scanner.number(4, 0, 9999);
  const auto next = [&](unsigned most) {
    if (scanner.at_end()) return 1U;
    scanner.one_of("-");
    return scanner.number(2, 1, most);
  };
  const unsigned month = next(12);
  const unsigned day = next(31);
  const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)), std::chrono::month(month),
                                         std::chrono::day(day));
  if (!scanner.fits() || !date.ok()) return std::nullopt;
  return sys_days(date);
}

/// Reads a time with its offset; returns the time to add to the start of its day to get UTC.
microseconds read_time(Scanner& scanner) {
  scanner.one_of("Tt");
  const std::chrono::hours hours(scanner.number(2, 0, 23));
  scanner.one_of(":");
  const std::chrono::minutes minutes(scanner.number(2, 0, 59));
  scanner.one_of(":");
  const std::chrono::seconds seconds(scanner.number(2, 0, 60));
  const microseconds time = hours + minutes + seconds + microseconds(scanner.fraction());
  const char sign = scanner.one_of("Zz+-");
  if (sign != '+' && sign != '-') return time;
  const std::chrono::hours offset_hours(scanner.number(2, 0, 23));
  scanner.one_of(":");
  const std::chrono::minutes offset = offset_hours + std::chrono::minutes(scanner.number(2, 0, 59));
  return sign == '+' ? time - offset : time + offset;
}

}  // namespace

std::string format_rfc3339(std::uint64_t time) {
  const std::chrono::sys_time<microseconds> moment{microseconds(static_cast<std::int64_t>(time))};
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(moment - day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
                static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
                static_cast<int>(clock.subseconds().count()));
  return text.data();
}

std::optional<std::int64_t> parse_rfc3339(std::string_view text) {
  Scanner scanner(text);
  const std::optional<sys_days> day = read_day(scanner);
  if (!day) return std::nullopt;
  microseconds moment = day->time_since_epoch();
  if (!scanner.at_end()) moment += read_time(scanner);
  if (!scanner.fits() || !scanner.at_end()) return std::nullopt;
  return moment.count();
}

std::string rfc3339_offset(std::string_view zone) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kZones = {{{"", "Z"},
                                                                                     {"GMT", "Z"},
                                                                                     {"UT", "Z"},
                                                                                     {"UTC", "Z"},
                                                                                     {"EST", "-05:00"},
                                                                                     {"EDT", "-04:00"},
                                                                                     {"CST", "-06:00"},
                                                                                     {"CDT", "-05:00"},
                                                                                     {"MST", "-07:00"},
                                                                                     {"MDT", "-06:00"},
                                                                                     {"PST", "-08:00"},
                                                                                     {"PDT", "-07:00"}}};
  for (const auto& [name, offset] : kZones)
    if (zone == name) return std::string(offset);
  constexpr std::size_t kWithoutColon = 5;
  std::string offset(zone);
  if (offset.size() == kWithoutColon) offset.insert(3, ":");
  return offset;
}

std::string rfc3339_of_mail(std::string_view text) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (const auto comma = text.find(','); comma != text.npos) text.remove_prefix(comma + 1);
  std::istringstream words{std::string(text)};
  std::string day, month, year, clock, zone;
  words >> day >> month >> year >> clock >> zone;
  const auto at = kMonths.find(month);
  if (month.size() != 3 || at == kMonths.npos || at % 3 != 0) return "";
  const std::string number = std::to_string(at / 3 + 1);
  if (zone.empty()) return "";
  constexpr std::size_t kWithoutSeconds = 5;
  if (clock.size() == kWithoutSeconds) clock += ":00";
  std::string time = year + "-" + (number.size() < 2 ? "0" : "") + number + "-" +
                     (day.size() < 2 ? "0" : "") + day + "T" + clock + rfc3339_offset(zone);
  return parse_rfc3339(time) ? time : std::string();
}

}  // namespace akin
