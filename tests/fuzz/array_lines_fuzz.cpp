// JSON arrays from anyone: the lines are the same whether a body arrives whole or byte by byte. If the body
// is an array, they are its elements; if it is not, one of them is not JSON, or it does not begin with a
// bracket.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/api/read/array_lines.h"
#include "server/json/strict_json.h"
#include "tests/fuzz/body_in_pieces.h"

namespace {

using namespace akin;

std::string lines_in(std::string_view bytes, std::size_t piece) {
  BodyInPieces body(bytes, piece);
  api::ArrayLines array(body);
  std::string lines;
  for (;;) {
    const auto read = array.append_to(lines, piece);
    if (read.has_error()) std::abort();
    if (*read == 0) return lines;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const std::string lines = lines_in(bytes, 1 << 16);
  if (lines_in(bytes, 1) != lines) std::abort();
  json::Json elements = json::Json::array();
  bool all_json = true;
  for (std::string_view rest = lines; !rest.empty();) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    auto element = json::parse_json(rest.substr(0, end));
    all_json = all_json && element.has_value();
    if (element.has_value()) elements.push_back(*std::move(element));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  const auto whole = json::parse_json(bytes);
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || bytes[first] != '[') return 0;
  // An element may be nested one level deeper than it may in an array.
  const bool is_deep = whole.has_error() && whole.error().reason.find("more than") != std::string::npos;
  if (whole.has_value() ? !all_json || *whole != elements : all_json && !is_deep) std::abort();
  return 0;
}
