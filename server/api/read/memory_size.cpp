#include "server/api/read/memory_size.h"

#include <charconv>

#include "server/json/quoted.h"

namespace akin::api {

Result<std::uint64_t> parse_memory_size(std::string_view text) {
  constexpr std::uint64_t kLeast = std::uint64_t{1} << 20;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 40;
  std::uint64_t number = 0;
  const auto* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number);
  const std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  constexpr std::string_view kUnits = "KMGT";
  unsigned shift = 0;
  bool sound = failure == std::errc{} && number <= kMost;
  if (!unit.empty()) {
    const auto power = kUnits.find(unit);
    sound = sound && unit.size() == 1 && power != std::string_view::npos;
    if (sound) shift = 10 * (static_cast<unsigned>(power) + 1);
  }
  if (sound && number <= kMost >> shift && number << shift >= kLeast) return number << shift;
  return Error{Errc::invalid_argument, "memory", json::in_quotes(text) + " is not an amount from 1M to 1T",
               "give bytes, or a number followed by K, M, G or T, for example 512M"};
}

}  // namespace akin::api
