#include "cli/frame/moment.h"

#include <charconv>
#include <chrono>
#include <string>

namespace akin::cli {

Result<std::optional<Time>> read_moment(std::string_view flag, std::string_view text) {
  if (text.empty()) return std::optional<Time>();
  std::int64_t count = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), count);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  constexpr std::int64_t kMost = 100'000;
  if (failure == std::errc() && count > 0 && count <= kMost && (unit == "d" || unit == "h")) {
    const auto hours = std::chrono::hours(unit == "d" ? 24 * count : count);
    return std::optional(time_now() + hours);
  }
  if (const auto time = parse_time(text)) return std::optional(*time);
  return Error{Errc::invalid_argument, std::string(flag) + " '" + std::string(text) + "'", "is not a time",
               "give days or hours from now (90d, 12h), or a time such as 2030-01-01T00:00:00Z"};
}

}  // namespace akin::cli
