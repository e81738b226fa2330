#include "server/json/quoted.h"

#include "base/utf8.h"

namespace akin::json {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 80;
  const std::string_view shown = slice_code_points(text, 0, kShown);
  std::string result(1, '\'');
  result.append(shown).append(shown.size() < text.size() ? "…'" : "'");
  return result;
}

std::string quoted_list(std::span<const std::string_view> names) {
  if (names.empty()) return "none";
  std::string list;
  for (std::size_t at = 0; at < names.size(); ++at) {
    if (at > 0) list += at + 1 == names.size() ? " and " : ", ";
    list += in_quotes(names[at]);
  }
  return list;
}

}  // namespace akin::json
