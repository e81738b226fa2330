// Looks for inputs whose reading takes more than time in proportion to their length.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <string_view>

namespace akin::fuzz {

/// Inputs that are measured: one in so many, because measuring reads 80 KiB for each.
inline constexpr std::size_t kMeasuredEvery = 64;

/// Seconds of this thread's work.
inline double worked_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// What makes one input of many: `before`, the input repeated with `between`, and `after`.
struct Repetition {
  std::string_view before, between, after;
};

/// Calls read(text) for a text of 16 KiB and one of 64 KiB, in which the input is repeated. Four times the
/// length takes four times as long, or sixteen times if reading is quadratic: aborts over ten times, unless
/// both are short.
template <class Read>
void check_time(std::string_view input, const Repetition& repetition, const Read& read) {
  if (input.empty() || std::hash<std::string_view>()(input) % kMeasuredEvery != 0) return;
  constexpr std::size_t kShort = std::size_t{1} << 14U, kTimes = 4;
  constexpr double kUnmeasurable = 0.5, kMostGrowth = 10;
  const auto seconds = [&](std::size_t bytes) {
    std::string text(repetition.before);
    while (text.size() < bytes) text.append(input).append(repetition.between);
    text += input;
    text += repetition.after;
    const double start = worked_seconds();
    read(std::string_view(text));
    return worked_seconds() - start;
  };
  const double of_short = seconds(kShort);
  const double of_long = seconds(kTimes * kShort);
  if (of_long > kUnmeasurable && of_long > kMostGrowth * of_short) std::abort();
}

}  // namespace akin::fuzz
