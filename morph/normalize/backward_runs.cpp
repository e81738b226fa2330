#include "morph/normalize/backward_runs.h"

#include <unicode/uchar.h>

#include <cstdint>

#include "base/utf8.h"

namespace akin {
namespace {

constexpr std::string_view kOverride = "\u202e";
constexpr char32_t kEndOfOverride = 0x202c;

bool ends_line(char32_t c) { return u_charDirection(static_cast<UChar32>(c)) == U_BLOCK_SEPARATOR; }

/// Whether it sets or resets the direction of what follows.
bool directs(char32_t c) { return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069); }

}  // namespace

void find_backward_runs(std::string_view utf8, std::vector<ArrivalEdit>& edits) {
  std::size_t at = utf8.find(kOverride);
  while (at != std::string_view::npos) {
    const auto override = static_cast<std::uint32_t>(at);
    at += kOverride.size();
    const auto begin = static_cast<std::uint32_t>(at);
    std::size_t letters = 0;
    bool has_leftward = false;
    char32_t after = 0;
    auto end = begin;
    while (at < utf8.size()) {
      const char32_t c = next_code_point(utf8, at);
      if (directs(c) || ends_line(c)) {
        after = c;
        break;
      }
      end = static_cast<std::uint32_t>(at);
      if (u_isalpha(static_cast<UChar32>(c)) == 0) continue;
      ++letters;
      has_leftward = has_leftward || u_charDirection(static_cast<UChar32>(c)) != U_LEFT_TO_RIGHT;
    }
    if (letters > 1 && !has_leftward) {
      edits.push_back({override, begin, {}});
      edits.push_back({begin, end, {}, true});
      if (after == kEndOfOverride) edits.push_back({end, static_cast<std::uint32_t>(at), {}});
    }
    at = utf8.find(kOverride, end);
  }
}

}  // namespace akin
