#include "server/api/read/array_lines.h"

#include <string_view>

namespace akin::api {

namespace {

bool is_json_blank(char c) noexcept { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

}  // namespace

Result<std::size_t> ArrayLines::read(std::span<char> into) {
  while (at_ == lines_.size() && !ended_) {
    lines_.clear();
    at_ = 0;
    AKIN_TRY(const std::size_t count, body_.read(into));
    for (const char c : into.first(count)) take(c);
    if (count == 0) finish();
  }
  const std::size_t count = std::string_view(lines_).substr(at_).copy(into.data(), into.size());
  at_ += count;
  return count;
}

void ArrayLines::take(char c) {
  if (place_ == Place::in_element) {
    take_in_element(c);
  } else if (place_ == Place::no_array) {
    lines_ += c == '\n' ? ' ' : c;
  } else if (is_json_blank(c)) {
    return;
  } else if (place_ == Place::before_array) {
    place_ = c == '[' ? Place::before_element : Place::no_array;
    if (c != '[') lines_ += c;
  } else if (place_ == Place::after_array) {
    place_ = Place::no_array;
    lines_ += {']', c};
  } else if (c == ']') {
    if (elements_ > 0) lines_ += "]\n";
    place_ = Place::after_array;
  } else {
    ++elements_;
    place_ = Place::in_element;
    if (c == ',') lines_ += ',';
    take_in_element(c);
  }
}

void ArrayLines::take_in_element(char c) {
  if (in_string_) {
    in_string_ = escaped_ || c != '"';
    escaped_ = !escaped_ && c == '\\';
    lines_ += c == '\n' ? '\r' : c;  // neither may be in a string
    return;
  }
  const bool ends = depth_ == 0 && (c == ',' || c == ']');
  if (ends) {
    lines_ += '\n';
    place_ = c == ',' ? Place::before_element : Place::after_array;
    return;
  }
  if (c == '"') in_string_ = true;
  if (c == '{' || c == '[') ++depth_;
  if ((c == '}' || c == ']') && depth_ > 0) --depth_;
  lines_ += c == '\n' ? ' ' : c;
}

void ArrayLines::finish() {
  ended_ = true;
  if (place_ == Place::in_element) lines_ += '\n';
  if (place_ == Place::in_element || place_ == Place::before_element) lines_ += "[\n";
}

}  // namespace akin::api
