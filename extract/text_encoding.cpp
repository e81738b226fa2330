#include "extract/text_encoding.h"

#include <uchardet/uchardet.h>
#include <unicode/ucnv.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>

#include "base/ascii.h"
#include "base/utf8.h"
#include "extract/file_kind.h"

namespace akin::extract {

namespace {

constexpr std::string_view kUtf16LeMark = "\xFF\xFE", kUtf16BeMark = "\xFE\xFF";
constexpr std::string_view kUtf16Le = "utf-16le", kUtf16Be = "utf-16be";
/// Bytes that are looked at to find an encoding, at most and at least.
constexpr std::size_t kDetected = std::size_t{1} << 16U;
constexpr std::size_t kLeastDetected = 32;

struct CloseDetector {
  void operator()(uchardet* detector) const noexcept { uchardet_delete(detector); }
};
struct CloseEncodingConverter {
  void operator()(UConverter* converter) const noexcept { ucnv_close(converter); }
};
using Converter = std::unique_ptr<UConverter, CloseEncodingConverter>;

Error unknown_encoding(std::string_view name) {
  return {Errc::invalid_argument, "encoding '" + std::string(name) + "'", "is not known",
          "give auto, utf-8, or a name such as windows-1251, koi8-r, cp866, utf-16"};
}

Result<Converter> open_converter(std::string_view encoding) {
  UErrorCode code = U_ZERO_ERROR;
  Converter converter(ucnv_open(std::string(encoding).c_str(), &code));
  if (U_FAILURE(code) != 0) return unknown_encoding(encoding);
  ucnv_setToUCallBack(converter.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &code);
  return converter;
}

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with(kUtf16LeMark) || bytes.starts_with(kUtf16BeMark);
}

std::string upper_name(std::string name) {
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return name;
}

Result<std::string> convert_text(std::string_view bytes, std::string_view encoding, const std::string& name) {
  AKIN_TRY(const Converter converter, open_converter(encoding));
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max() / 4))
    return Error{Errc::too_large, name, "is too long to be converted", "convert it to UTF-8, or split it"};
  std::string text(bytes.size() * 3 + 16, '\0');
  UErrorCode code = U_ZERO_ERROR;
  const std::int32_t made =
      ucnv_toAlgorithmic(UCNV_UTF8, converter.get(), text.data(), static_cast<std::int32_t>(text.size()),
                         bytes.data(), static_cast<std::int32_t>(bytes.size()), &code);
  if (U_FAILURE(code) != 0) {
    return Error{Errc::corrupt, name, "has bytes that are invalid in the encoding " + std::string(encoding),
                 "name its real encoding, or convert it to UTF-8"};
  }
  text.resize(static_cast<std::size_t>(made));
  if (text.starts_with(kUtf8Mark)) text.erase(0, kUtf8Mark.size());
  return text;
}

/// Latin, Cyrillic, blanks and the punctuation of both.
bool is_common_in_text(unsigned unit) {
  return (unit >= 0x20 && unit < 0x7F) || unit == '\t' || unit == '\n' || unit == '\r' ||
         (unit >= 0xA0 && unit < 0x250) || (unit >= 0x400 && unit < 0x530) ||
         (unit >= 0x2010 && unit < 0x2040);
}

/// The order of bytes of UTF-16 without a byte order mark: the one in which nearly all units are common in
/// text and one in fifty or more is a blank. Other scripts are not recognized. Nothing if it is not UTF-16.
std::optional<std::string_view> utf16_order(std::string_view bytes) {
  if (bytes.size() % 2 != 0 || bytes.size() < kLeastDetected) return std::nullopt;
  bytes = bytes.substr(0, kDetected);
  for (const bool little : {true, false}) {
    std::size_t common = 0, blanks = 0;
    for (std::size_t i = 0; i < bytes.size(); i += 2) {
      const auto low = static_cast<unsigned char>(bytes[little ? i : i + 1]);
      const auto high = static_cast<unsigned char>(bytes[little ? i + 1 : i]);
      const unsigned unit = high * 256U + low;
      common += is_common_in_text(unit) ? 1 : 0;
      blanks += unit == ' ' || unit == '\n' ? 1 : 0;
    }
    const std::size_t units = bytes.size() / 2;
    if (common * 100 >= units * 95 && blanks * 50 >= units) return little ? kUtf16Le : kUtf16Be;
  }
  return std::nullopt;
}

/// uchardet does not know KOI8-U, which has Ukrainian letters where KOI8-R has parts of frames.
bool has_ukrainian_of_koi8(std::string_view bytes) {
  constexpr std::string_view kUkrainian = "\xA4\xA6\xA7\xAD\xB4\xB6\xB7\xBD";
  const auto is_letter = [](char c) { return static_cast<unsigned char>(c) >= 0xC0; };
  for (std::size_t at = bytes.find_first_of(kUkrainian); at != std::string_view::npos;
       at = bytes.find_first_of(kUkrainian, at + 1)) {
    if ((at > 0 && is_letter(bytes[at - 1])) || (at + 1 < bytes.size() && is_letter(bytes[at + 1])))
      return true;
  }
  return false;
}

std::optional<std::string> guess_by_statistics(std::string_view bytes) {
  if (bytes.size() < kLeastDetected) return std::nullopt;
  bytes = bytes.substr(0, kDetected);
  const std::unique_ptr<uchardet, CloseDetector> detector(uchardet_new());
  if (uchardet_handle_data(detector.get(), bytes.data(), bytes.size()) != 0) return std::nullopt;
  uchardet_data_end(detector.get());
  std::string found = ascii_lower(uchardet_get_charset(detector.get()));
  if (found.empty() || found == kUtf8Name || found == "ascii") return std::nullopt;
  if (found == "koi8-r" && has_ukrainian_of_koi8(bytes)) found = "koi8-u";
  return open_converter(found).has_value() ? std::optional(std::move(found)) : std::nullopt;
}

/// UTF-16, with a byte order mark or by its zero bytes.
bool is_wide(std::string_view bytes) {
  if (is_utf16(bytes)) return true;
  return bytes.substr(0, kKindBytes).find('\0') != std::string_view::npos && utf16_order(bytes).has_value();
}

Result<std::string> decode_utf8(std::string bytes, const std::string& name) {
  if (is_wide(bytes)) return Error{Errc::unsupported, name, "is UTF-16, not UTF-8", encoding_remedy(bytes)};
  if (auto wrong = not_text(bytes, name)) return *std::move(wrong);
  if (const auto valid = validate_utf8(bytes, name); valid.has_error()) {
    Error error = valid.error();
    error.remedy = encoding_remedy(bytes);
    return error;
  }
  if (bytes.starts_with(kUtf8Mark)) bytes.erase(0, kUtf8Mark.size());
  return bytes;
}

}  // namespace

Result<void> check_encoding(std::string_view name) {
  if (name == kAutoName) return {};
  if (name.empty()) return unknown_encoding(name);
  AKIN_CHECK(open_converter(name));
  return {};
}

std::optional<std::string> guess_encoding(std::string_view bytes) {
  if (is_utf16(bytes)) return "utf-16";
  if (is_wide(bytes)) return std::string(*utf16_order(bytes));
  return guess_by_statistics(bytes);
}

std::string encoding_remedy(std::string_view bytes) {
  const auto probable = guess_encoding(bytes);
  if (!probable) return "convert it to UTF-8, for instance with iconv, or name its encoding: --encoding NAME";
  return "it is probably " + upper_name(*probable) + ": name it with --encoding " + *probable +
         ", or convert it: iconv -f " + upper_name(*probable) + " -t UTF-8";
}

Result<std::string> decode_text(std::string bytes, std::string_view encoding, const std::string& name) {
  const std::string wanted = ascii_lower(encoding);
  if (wanted == kUtf8Name || wanted == "utf8") {
    if (is_utf16(bytes)) return convert_text(bytes, "utf-16", name);
    return decode_utf8(std::move(bytes), name);
  }
  if (wanted != kAutoName) {
    const bool wide = wanted.starts_with("utf-16") || wanted.starts_with("utf-32");
    if (auto wrong = not_text(bytes, name); wrong && !wide) return *std::move(wrong);
    return convert_text(bytes, wanted, name);
  }
  if (is_wide(bytes)) return convert_text(bytes, *guess_encoding(bytes), name);
  if (validate_utf8(bytes, name).has_value()) return decode_utf8(std::move(bytes), name);
  if (auto wrong = not_text(bytes, name)) return *std::move(wrong);
  if (const auto probable = guess_encoding(bytes)) return convert_text(bytes, *probable, name);
  return Error{Errc::unsupported, name, "is not UTF-8, and its encoding cannot be found by its bytes",
               "name it with --encoding NAME"};
}

}  // namespace akin::extract
