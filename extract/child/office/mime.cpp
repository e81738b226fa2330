#include "extract/child/office/mime.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/ascii.h"
#include "base/hex.h"
#include "base/utf8.h"
#include "extract/formats/text_encoding.h"

namespace akin::extract {

namespace {

/// Takes the next line off, without its end.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string from_quoted_printable(std::string_view body) {
  std::string bytes;
  for (std::size_t at = 0; at < body.size(); ++at) {
    if (body[at] != '=') {
      bytes += body[at];
      continue;
    }
    const std::string_view after = body.substr(at + 1, 2);
    if (const auto byte = byte_of_hex(after)) {
      bytes += *byte;
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

/// charset'language'a%20name → its text.
std::string extended_value(std::string_view value) {
  const std::size_t language = value.find('\'');
  const std::size_t text = language == std::string_view::npos ? language : value.find('\'', language + 1);
  if (text == std::string_view::npos) return std::string(value);
  std::string bytes;
  for (std::size_t at = text + 1; at < value.size(); ++at) {
    const auto byte = value[at] == '%' ? byte_of_hex(value.substr(at + 1, 2)) : std::nullopt;
    bytes += byte.value_or(value[at]);
    if (byte) at += 2;
  }
  return in_utf8(bytes, value.substr(0, language));
}

/// The fields between semicolons outside of quotation marks.
std::vector<std::string_view> parameters_of(std::string_view field) {
  std::vector<std::string_view> found;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < field.size(); ++at) {
    if (field[at] == '"') quoted = !quoted;
    if (field[at] != ';' || quoted) continue;
    found.push_back(trimmed(field.substr(begin, at - begin)));
    begin = at + 1;
  }
  found.push_back(trimmed(field.substr(begin)));
  return found;
}

/// An encoded word (RFC 2047) at the beginning of a text: its bytes, its charset, and how long it is.
struct EncodedWord {
  std::string bytes;
  std::string_view charset;
  std::size_t size = 0;
};

std::optional<EncodedWord> encoded_word(std::string_view text) {
  constexpr std::size_t kMostWord = 1024;
  if (!text.starts_with("=?")) return std::nullopt;
  const std::string_view head = text.substr(0, kMostWord);
  const std::size_t coding = head.find('?', 2);
  if (coding == std::string_view::npos || coding + 2 >= head.size() || head[coding + 2] != '?')
    return std::nullopt;
  const std::size_t begin = coding + 3, end = head.find("?=", begin);
  if (end == std::string_view::npos) return std::nullopt;
  EncodedWord word;
  const std::string_view charset = head.substr(2, coding - 2);
  word.charset = charset.substr(0, charset.find('*'));  // a language may follow
  word.size = end + 2;
  std::string coded(head.substr(begin, end - begin));
  if (ascii_lower(head[coding + 1]) == 'b') {
    word.bytes = from_base64(coded);
  } else {
    std::ranges::replace(coded, '_', ' ');
    word.bytes = from_quoted_printable(coded);
  }
  return word;
}

}  // namespace

std::string in_utf8(const std::string& bytes, std::string_view charset) {
  const bool known = !charset.empty() && check_encoding(charset).has_value();
  for (const std::string_view one :
       {known ? charset : kAutoName, kAutoName, std::string_view("iso-8859-1")}) {
    if (Result<std::string> text = decode_text(bytes, one, "file"); text.has_value()) return *std::move(text);
  }
  return {};
}

MimePart mime_part(std::string_view message) {
  MimePart part;
  while (!message.empty()) {
    const std::string_view line = take_line(message);
    if (line.empty()) break;
    if (!part.header.empty() && line.front() != ' ' && line.front() != '\t') part.header += '\n';
    part.header += line;
  }
  part.body = message;
  return part;
}

std::string_view field_of(const MimePart& part, std::string_view name) {
  std::string_view rest = part.header;
  while (!rest.empty()) {
    const std::string_view line = take_line(rest);
    if (ascii_lower(line.substr(0, name.size())) == name && line.substr(name.size()).starts_with(':'))
      return trimmed(line.substr(name.size() + 1));
  }
  return {};
}

std::string parameter_of(std::string_view field, std::string_view name) {
  std::string continued;
  for (const std::string_view one : parameters_of(field)) {
    const std::size_t equals = one.find('=');
    if (equals == std::string_view::npos || ascii_lower(one.substr(0, name.size())) != name) continue;
    const std::string_view ending = trimmed(one.substr(name.size(), equals - name.size()));
    const std::string_view value = trimmed(trimmed(one.substr(equals + 1)), "\"");
    if (ending.empty()) return std::string(value);
    if (ending == "*") return extended_value(value);
    if (ending.starts_with('*')) continued += value;  // of several (name*0*, name*1*), which are in order
  }
  return continued.find('\'') == std::string::npos ? continued : extended_value(continued);
}

std::string decoded_body(const MimePart& part) {
  const std::string coding = ascii_lower(field_of(part, "content-transfer-encoding"));
  if (coding == "quoted-printable") return from_quoted_printable(part.body);
  if (coding == "base64") return from_base64(part.body);
  return std::string(part.body);
}

std::string decoded_words(std::string_view text) {
  std::string whole;
  EncodedWord open;  // a character may run over words of one charset
  const auto close = [&] {
    if (!open.bytes.empty()) whole += in_utf8(open.bytes, open.charset);
    open = {};
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = text.find_first_not_of(" \t", at);
    const std::size_t begin = open.size > 0 && next != std::string_view::npos ? next : at;
    if (auto word = encoded_word(text.substr(begin))) {
      if (!equals_ignoring_case(word->charset, open.charset)) close();
      open.bytes += word->bytes;
      open.charset = word->charset;
      open.size = word->size;
      at = begin + word->size;
      continue;
    }
    close();
    const std::size_t end = std::max(text.find("=?", at + 1), at + 1);
    whole += text.substr(at, end - at);
    at = std::min(end, text.size());
  }
  close();
  return validate_utf8(whole, "").has_value() ? whole : in_utf8(whole, {});
}

MimeParts parts_of(std::string_view body, std::string_view boundary) {
  MimeParts found;
  const std::string border = "--" + std::string(boundary);
  const auto next_border = [&](std::size_t from) {
    std::size_t at = body.find(border, from);
    while (at != std::string_view::npos && at > 0 && body[at - 1] != '\n') at = body.find(border, at + 1);
    return at;
  };
  for (std::size_t at = next_border(0); at != std::string_view::npos && !found.closed;) {
    const std::size_t begin = std::min(body.find('\n', at), body.size() - 1) + 1;
    const std::size_t end = next_border(begin);
    found.parts.push_back(body.substr(begin, end == std::string_view::npos ? end : end - begin));
    found.closed = end != std::string_view::npos && body.substr(end + border.size()).starts_with("--");
    at = end;
  }
  return found;
}

}  // namespace akin::extract
