#include "cli/frame/format.h"

#include <array>
#include <cstdio>

#include "base/percent.h"
#include "base/utf8.h"

namespace akin::cli {

namespace {

template <class... Arguments>
std::string printed(const char* format, Arguments... arguments) {
  std::array<char, 64> buffer{};
  const int length = std::snprintf(buffer.data(), buffer.size(), format, arguments...);
  return {buffer.data(), static_cast<std::size_t>(length)};
}

bool is_space(char32_t c) {
  return c == ' ' || (c >= 0x09 && c <= 0x0D) || c == 0x85 || c == 0xA0 || (c >= 0x2000 && c <= 0x200A) ||
         c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

/// C0 and C1 controls, DEL, zero-width and bidi controls.
bool steers_terminal(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || (c >= 0x200B && c <= 0x200F) ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

}  // namespace

std::string percent(double share) {
  const auto [tenths, is_less] = printed_share(share);
  return (is_less ? "< " : "") + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
}

std::string one_decimal(double rate) { return printed("%.1f", rate); }

std::string byte_count(std::uint64_t bytes) {
  if (bytes < 1000) return counted(bytes, "byte");
  constexpr std::array<const char*, 4> units = {"kB", "MB", "GB", "TB"};
  double value = static_cast<double>(bytes) / 1000.0;
  std::size_t unit = 0;
  while (value >= 999.95 && unit + 1 < units.size()) {
    value /= 1000.0;
    ++unit;
  }
  return printed("%.1f %s", value, units.at(unit));
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t number, std::string_view noun) {
  std::string text = grouped(number) + ' ';
  text += noun;
  if (number != 1) text += 's';
  return text;
}

std::string common_features(std::uint64_t features, std::uint64_t limit) {
  return counted(features, "feature") + " that more than " + counted(limit, "document") +
         (limit == 1 ? " has" : " have");
}

std::string duration(std::chrono::seconds time) {
  const auto seconds = static_cast<long long>(time.count());
  if (seconds < 60) return printed("%lld s", seconds);
  if (seconds < 3600) return printed("%lld min %lld s", seconds / 60, seconds % 60);
  return printed("%lld h %lld min", seconds / 3600, seconds / 60 % 60);
}

std::string seconds_taken(std::chrono::duration<double> time) { return printed("%.1f s", time.count()); }

std::string range(TextRange range) { return std::to_string(range.begin) + "–" + std::to_string(range.end); }

std::string hash_digits(std::uint64_t hash) {
  return printed("%016llx", static_cast<unsigned long long>(hash));
}

std::string one_line(std::string_view utf8, std::size_t limit) {
  std::string line;
  std::size_t letters = 0;
  bool pending_space = false;
  for (std::size_t at = 0; at < utf8.size();) {
    const char32_t c = next_code_point(utf8, at);
    if (is_space(c)) {
      pending_space = letters > 0;
      continue;
    }
    if (steers_terminal(c)) continue;
    if (letters >= limit) {
      line += "…";
      break;
    }
    if (pending_space) {
      line += ' ';
      ++letters;
      pending_space = false;
    }
    append_utf8(line, c);
    ++letters;
  }
  return line;
}

}  // namespace akin::cli
