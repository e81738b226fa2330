// Messages of the Internet and their parts: fields of headers, codings, parts (RFC 5322, RFC 2045 to 2047,
// RFC 2231). All views are of the message.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace akin::extract {

/// A message or one of its parts.
struct MimePart {
  std::string header;  ///< its fields, in one line each
  std::string_view body;
};

[[nodiscard]] MimePart mime_part(std::string_view message);

/// The value of the first field of this name (in lower case), with its parameters; empty without one.
[[nodiscard]] std::string_view field_of(const MimePart& part, std::string_view name);

/// boundary="x" → x; empty without one. Of a parameter by RFC 2231 (`filename*`) its text in UTF-8.
[[nodiscard]] std::string parameter_of(std::string_view field, std::string_view name);

/// The bytes of a body, by its Content-Transfer-Encoding. What is not of the coding is passed over.
[[nodiscard]] std::string decoded_body(const MimePart& part);

/// Bytes in UTF-8: by their charset, or by a guess if it is empty, unknown or contradicted.
[[nodiscard]] std::string in_utf8(const std::string& bytes, std::string_view charset);

/// A text of a header in UTF-8: =?koi8-r?B?…?= is decoded; bytes beyond ASCII without that are guessed.
[[nodiscard]] std::string decoded_words(std::string_view text);

/// The parts between the lines that begin with "--" and the boundary. `closed`: whether the last line of them
/// ends the last part.
struct MimeParts {
  std::vector<std::string_view> parts;
  bool closed = false;
};
[[nodiscard]] MimeParts parts_of(std::string_view body, std::string_view boundary);

/// Nested deeper, a message is not read.
inline constexpr int kMostNestedParts = 8;

}  // namespace akin::extract
