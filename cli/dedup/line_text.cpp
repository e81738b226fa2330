#include "cli/dedup/line_text.h"

#include <cassert>

#include "base/ascii.h"
#include "server/json/json.h"

namespace akin::dedup {

namespace {

/// The position after the string that begins at `at`.
std::size_t after_string(std::string_view json, std::size_t at) {
  for (++at; json[at] != '"'; ++at)
    if (json[at] == '\\') ++at;
  return at + 1;
}

std::size_t after_blanks(std::string_view json, std::size_t at) {
  return json.find_first_not_of(" \t\r\n", at);
}

/// The position after the value that begins at `at`.
std::size_t after_value(std::string_view json, std::size_t at) {
  if (json[at] == '"') return after_string(json, at);
  for (int depth = 0;; ++at) {
    const char byte = json[at];
    if (depth == 0 && (byte == ',' || byte == '}' || byte == ']')) return at;
    if (byte == '{' || byte == '[') ++depth;
    if (byte == '}' || byte == ']') --depth;
    if (byte == '"') at = after_string(json, at) - 1;
    if (depth == 0 && (byte == '}' || byte == ']')) return at + 1;
  }
}

}  // namespace

std::vector<std::string_view> cut_text(std::string_view text, Cut cut) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  bool ends = false;  // the piece ends before the next line that is not blank
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t feed = text.find('\n', at);
    const std::size_t next = feed == std::string_view::npos ? text.size() : feed + 1;
    const bool blank = trimmed(text.substr(at, next - at), " \t\r\n").empty();
    if (ends && !blank) {
      pieces.push_back(text.substr(begin, at - begin));
      begin = at;
      ends = false;
    }
    if (cut == Cut::lines || blank) ends = true;
    at = next;
  }
  if (begin < text.size()) pieces.push_back(text.substr(begin));
  return pieces;
}

std::string with_string(std::string_view line, std::string_view field, std::string_view value) {
  for (std::size_t at = after_blanks(line, line.find('{') + 1); line[at] == '"';) {
    const std::size_t name_end = after_string(line, at);
    const json::Json name = json::Json::parse(line.substr(at, name_end - at));
    const std::size_t begin = after_blanks(line, after_blanks(line, name_end) + 1);
    const std::size_t end = after_value(line, begin);
    if (name.get_ref<const std::string&>() == field) {
      std::string changed(line.substr(0, begin));
      changed += json::Json(value).dump();
      changed += line.substr(end);
      return changed;
    }
    at = after_blanks(line, after_blanks(line, end) + 1);
  }
  assert(false);  // the field is there
  return std::string(line);
}

}  // namespace akin::dedup
