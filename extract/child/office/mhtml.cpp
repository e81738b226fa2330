#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/readers.h"
#include "extract/formats/text_encoding.h"
#include "extract/html/html.h"

namespace akin::extract {

namespace {

/// A message or one of its parts (RFC 2045): the fields of its header in one line each, and its body.
struct Part {
  std::string header;
  std::string_view body;
};

/// Takes the next line off, without its end.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

Part part_of(std::string_view message) {
  Part part;
  while (!message.empty()) {
    const std::string_view line = take_line(message);
    if (line.empty()) break;
    if (!part.header.empty() && line.front() != ' ' && line.front() != '\t') part.header += '\n';
    part.header += line;
  }
  part.body = message;
  return part;
}

/// The value of a field, with its parameters.
std::string_view field_of(const Part& part, std::string_view name) {
  std::string_view rest = part.header;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (ascii_lower(line.substr(0, name.size())) == name && line.substr(name.size()).starts_with(':'))
      return trimmed(line.substr(name.size() + 1));
  }
  return {};
}

/// boundary="x" → x; empty without one.
std::string_view parameter_of(std::string_view field, std::string_view name) {
  for (std::string_view one : split(field, ';')) {
    one = trimmed(one);
    if (ascii_lower(one.substr(0, name.size())) != name || !one.substr(name.size()).starts_with('='))
      continue;
    return trimmed(one.substr(name.size() + 1), "\"");
  }
  return {};
}

std::string from_quoted_printable(std::string_view body) {
  constexpr int kHexadecimal = 16;
  std::string bytes;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] != '=') {
      bytes += body[at];
      continue;
    }
    const std::string_view after = body.substr(at + 1, 2);
    unsigned value = 0;
    const auto [end, failure] =
        std::from_chars(after.data(), after.data() + after.size(), value, kHexadecimal);
    if (failure == std::errc() && end == after.data() + 2) {
      bytes += static_cast<char>(value);
      at += 2;
    } else if (after.starts_with('\n') || after == "\r\n") {
      at += after.starts_with('\n') ? 1 : 2;  // the line continues
    } else {
      bytes += '=';
    }
  }
  return bytes;
}

std::string from_base64(std::string_view body) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : body) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) continue;
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU);
  }
  return bytes;
}

/// Reads the first page of HTML in a message, or in its parts.
Result<void> read_message(std::string_view message, DocumentBuilder& builder, int depth) {
  constexpr int kMostNested = 8;
  const Part part = part_of(message);
  const std::string_view type = field_of(part, "content-type");
  const std::string kind = ascii_lower(type);
  if (kind.starts_with("text/html") || kind.starts_with("application/xhtml")) {
    const std::string coding = ascii_lower(field_of(part, "content-transfer-encoding"));
    const std::string_view charset = parameter_of(type, "charset");
    const std::string_view undeclared = charset.empty() ? kUtf8Name : charset;
    if (coding == "quoted-printable") return read_page(from_quoted_printable(part.body), undeclared, builder);
    if (coding == "base64") return read_page(from_base64(part.body), undeclared, builder);
    return read_page(part.body, undeclared, builder);
  }
  const std::string border = "--" + std::string(parameter_of(type, "boundary"));
  if (!kind.starts_with("multipart/") || border.size() == 2 || depth == kMostNested)
    return damaged("is an MHTML archive without a page");
  std::string_view rest = part.body;
  const auto next_border = [&](std::size_t from) {
    std::size_t at = rest.find(border, from);
    while (at != std::string_view::npos && at > 0 && rest[at - 1] != '\n') at = rest.find(border, at + 1);
    return at;
  };
  for (std::size_t at = next_border(0); at != std::string_view::npos;) {
    const std::size_t begin = std::min(rest.find('\n', at), rest.size() - 1) + 1;
    const std::size_t end = next_border(begin);
    const std::string_view one = rest.substr(begin, end == std::string_view::npos ? end : end - begin);
    if (Result<void> read = read_message(one, builder, depth + 1); read.has_value()) return read;
    at = end;
  }
  return damaged("is an MHTML archive without a page");
}

}  // namespace

Result<void> read_page(std::string_view bytes, std::string_view undeclared, DocumentBuilder& builder) {
  const Result<Page> page = read_html(bytes, "file", undeclared);
  if (page.has_error()) return page.error();
  builder.web_page(*page);
  if (builder.metadata().title.empty()) builder.metadata().title = page->title;
  return {};
}

Result<void> read_mhtml(std::string_view bytes, DocumentBuilder& builder) {
  return read_message(bytes, builder, 0);
}

}  // namespace akin::extract
