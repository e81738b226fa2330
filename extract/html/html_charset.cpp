#include "extract/html/html_charset.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/decoder.h"
#include "base/utf8.h"
#include "extract/formats/text_encoding.h"

namespace akin::extract {

namespace {

constexpr std::size_t kPrescan = 4096;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kSpaces = " \t\r\n\f";

/// The value after `key`, white space and "=": quoted, or up to the end of the word.
std::optional<std::string> value_after(std::string_view tag, std::string_view key) {
  for (std::size_t at = tag.find(key); at != std::string_view::npos; at = tag.find(key, at + 1)) {
    std::string_view rest = tag.substr(at + key.size());
    const std::size_t equals = rest.find_first_not_of(kSpaces);
    if (equals == std::string_view::npos || rest[equals] != '=') continue;
    rest.remove_prefix(equals + 1);
    const std::size_t begin = rest.find_first_not_of(" \t\r\n\f\"'");
    if (begin == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(begin);
    return std::string(rest.substr(0, rest.find_first_of(" \t\r\n\f\"';>/?")));
  }
  return std::nullopt;
}

std::optional<std::string> charset_of_meta(std::string_view head) {
  for (std::size_t at = 0; at < head.size();) {
    at = head.find('<', at);
    if (at == std::string_view::npos) break;
    const std::string_view rest = head.substr(at);
    if (rest.starts_with("<!--")) {
      const std::size_t end = rest.find("-->", 4);
      if (end == std::string_view::npos) break;
      at += end;
      continue;
    }
    const std::size_t end = rest.find('>');
    if (rest.starts_with("<meta") && end != std::string_view::npos) {
      auto charset = value_after(rest.substr(0, end), "charset");
      if (charset && !charset->empty()) return charset;
    }
    ++at;
  }
  return std::nullopt;
}

/// Labels that the Encoding standard maps to other encodings than their names suggest.
std::string meant_by(std::string label) {
  constexpr std::array<std::string_view, 7> kWestern = {"iso-8859-1", "iso8859-1", "latin1",    "ascii",
                                                        "us-ascii",   "latin-1",   "iso_8859-1"};
  if (std::ranges::find(kWestern, label) != kWestern.end()) return "windows-1252";
  if (label.starts_with("utf-16") || label == "utf8" || label == "unicode") return "utf-8";
  if (label == "win-1251") return "windows-1251";
  return label;
}

std::size_t count_of(std::string_view part, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + part.size()))
    ++count;
  return count;
}

Result<std::string> convert(std::string_view bytes, const std::string& charset, const std::string& name) {
  auto decoder = Decoder::open(charset);
  if (!decoder) {
    return Error{Errc::type_unsupported, name,
                 "declares the encoding '" + charset.substr(0, 40) + "', which is unknown",
                 "convert it to UTF-8"};
  }
  if (bytes.size() > Decoder::kMostBytes) return too_long_to_convert(name);
  std::optional<std::string> text = decoder->decode(bytes);
  if (!text)
    return Error{Errc::type_unsupported, name, "its encoding cannot be converted", "convert it to UTF-8"};
  const std::size_t replaced = count_of(kReplacement, *text);
  if (replaced > 0 && replaced * 100 > count_code_points(*text)) {
    return Error{Errc::file_damaged, name,
                 "is not written in " + charset + ", contrary to its declaration: " +
                     std::to_string(replaced) + " of its characters are invalid in that encoding",
                 "correct its declaration, or convert it to UTF-8"};
  }
  return *std::move(text);
}

/// The page as it declares to be written, or else as its bytes show.
Result<std::string> or_by_its_bytes(std::string_view bytes, const std::string& name,
                                    std::string_view undeclared, const Result<std::string>& as_declared) {
  if (as_declared.has_value() || as_declared.error().code == Errc::too_large) return as_declared;
  if (validate_utf8(bytes, name).has_value()) return std::string(bytes);
  if (undeclared != kAutoName) return as_declared;
  Result<std::string> found = decode_text(std::string(bytes), undeclared, name);
  return found.has_value() ? found : as_declared;
}

}  // namespace

std::optional<std::string> declared_charset(std::string_view bytes) {
  if (bytes.starts_with(kUtf8Mark)) return "utf-8";
  if (bytes.starts_with("\xFF\xFE")) return "utf-16le";
  if (bytes.starts_with("\xFE\xFF")) return "utf-16be";
  const std::string head = ascii_lower(bytes.substr(0, kPrescan));
  if (head.starts_with("<?xml")) {
    if (auto charset = value_after(head.substr(0, head.find("?>")), "encoding")) return meant_by(*charset);
  }
  auto charset = charset_of_meta(head);
  if (!charset) return std::nullopt;
  return meant_by(*std::move(charset));
}

Result<std::string> to_utf8(std::string_view bytes, const std::string& name, std::string_view undeclared) {
  const std::optional<std::string> charset = declared_charset(bytes);
  if (!charset && undeclared != kUtf8Name) return decode_text(std::string(bytes), undeclared, name);
  if (!charset || *charset == "utf-8") {
    if (bytes.starts_with(kUtf8Mark)) bytes.remove_prefix(kUtf8Mark.size());
    Result<void> valid = validate_utf8(bytes, name);
    if (!valid.has_error()) return std::string(bytes);
    if (!charset) {
      Error error = valid.error();
      error.reason += ", and it declares no encoding";
      error.remedy = encoding_remedy(bytes) + ", or declare its encoding in a meta element";
      return error;
    }
  }
  if (charset->starts_with("utf-16")) bytes.remove_prefix(2);
  return or_by_its_bytes(bytes, name, undeclared, convert(bytes, *charset, name));
}

}  // namespace akin::extract
