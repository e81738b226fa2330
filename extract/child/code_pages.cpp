#include "extract/child/code_pages.h"

#include <unicode/ucnv.h>

#include <algorithm>

namespace akin::extract {

CodePages::CodePages() = default;

CodePages::~CodePages() {
  for (const auto& [page, converter] : converters_) ucnv_close(converter);
}

UConverter* CodePages::converter(std::uint32_t page) {
  const auto [found, added] = converters_.emplace(page, nullptr);
  if (!added) return found->second;
  UErrorCode code = U_ZERO_ERROR;
  constexpr std::uint32_t kMac = 10000, kMacCyrillic = 10007;
  std::string name = "windows-" + std::to_string(page);
  if (page == kMac) name = "macintosh";
  if (page == kMacCyrillic) name = "x-mac-cyrillic";
  if (page < 1250 && page > 0) name = "cp" + std::to_string(page);
  UConverter* opened = ucnv_open(name.c_str(), &code);
  if (U_FAILURE(code) != 0) {
    code = U_ZERO_ERROR;
    opened = ucnv_open("windows-1252", &code);
  }
  return found->second = opened;
}

std::string CodePages::decode(std::string_view bytes, std::uint32_t page) {
  if (std::ranges::all_of(bytes, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
    return std::string(bytes);
  UErrorCode code = U_ZERO_ERROR;
  std::string text(bytes.size() * 3 + 16, '\0');
  UConverter* from = converter(page);
  if (from == nullptr) return {};
  ucnv_reset(from);
  const std::int32_t made =
      ucnv_toAlgorithmic(UCNV_UTF8, from, text.data(), static_cast<std::int32_t>(text.size()), bytes.data(),
                         static_cast<std::int32_t>(bytes.size()), &code);
  text.resize(U_FAILURE(code) != 0 ? 0 : static_cast<std::size_t>(made));
  return text;
}

}  // namespace akin::extract
