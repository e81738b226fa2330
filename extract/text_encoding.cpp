#include "extract/text_encoding.h"

#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

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
/// Bytes that the detector looks at, and the least that it must be sure of, from 0 to 100.
constexpr std::size_t kDetected = std::size_t{1} << 16U;
constexpr std::int32_t kSure = 20;

struct CloseDetector {
  void operator()(UCharsetDetector* detector) const noexcept { ucsdet_close(detector); }
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

/// What to do with a file that is not UTF-8.
std::string remedy_for(std::string_view bytes) {
  const auto probable = guess_encoding(bytes);
  if (!probable) return "convert it to UTF-8, for instance with iconv, or index it with --encoding NAME";
  return "it is probably " + upper_name(*probable) + ": index it with --encoding " + *probable +
         ", or convert it: iconv -f " + upper_name(*probable) + " -t UTF-8";
}

Result<std::string> decode_utf8(std::string bytes, const std::string& name) {
  if (is_utf16(bytes)) return Error{Errc::unsupported, name, "is UTF-16, not UTF-8", remedy_for(bytes)};
  if (auto wrong = not_text(bytes, name)) return *std::move(wrong);
  if (const auto valid = validate_utf8(bytes, name); valid.has_error()) {
    Error error = valid.error();
    error.remedy = remedy_for(bytes);
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
  UErrorCode code = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, CloseDetector> detector(ucsdet_open(&code));
  if (U_FAILURE(code) != 0) return std::nullopt;
  bytes = bytes.substr(0, kDetected);
  ucsdet_setText(detector.get(), bytes.data(), static_cast<std::int32_t>(bytes.size()), &code);
  const UCharsetMatch* match = ucsdet_detect(detector.get(), &code);
  if (U_FAILURE(code) != 0 || match == nullptr || ucsdet_getConfidence(match, &code) < kSure)
    return std::nullopt;
  const char* found = ucsdet_getName(match, &code);
  if (U_FAILURE(code) != 0 || found == nullptr) return std::nullopt;
  std::string encoding = ascii_lower(found);
  return encoding == kUtf8Name ? std::nullopt : std::optional(std::move(encoding));
}

Result<std::string> decode_text(std::string bytes, std::string_view encoding, const std::string& name) {
  const std::string wanted = ascii_lower(encoding);
  if (wanted == kUtf8Name || wanted == "utf8") return decode_utf8(std::move(bytes), name);
  if (wanted != kAutoName) {
    const bool wide = wanted.starts_with("utf-16") || wanted.starts_with("utf-32");
    if (auto wrong = not_text(bytes, name); wrong && !wide) return *std::move(wrong);
    return convert_text(bytes, wanted, name);
  }
  if (is_utf16(bytes)) return convert_text(bytes, "utf-16", name);
  if (validate_utf8(bytes, name).has_value()) return decode_utf8(std::move(bytes), name);
  if (auto wrong = not_text(bytes, name)) return *std::move(wrong);
  if (const auto probable = guess_encoding(bytes)) return convert_text(bytes, *probable, name);
  return Error{Errc::unsupported, name, "is not UTF-8, and its encoding cannot be found by its bytes",
               "name it with --encoding NAME"};
}

}  // namespace akin::extract
