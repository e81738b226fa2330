#include "base/decoder.h"

#include <unicode/ucnv.h>

namespace akin {

void Decoder::Close::operator()(UConverter* converter) const noexcept { ucnv_close(converter); }

std::optional<Decoder> Decoder::open(const std::string& encoding, Invalid invalid) {
  UErrorCode code = U_ZERO_ERROR;
  Decoder decoder;
  decoder.converter_.reset(ucnv_open(encoding.c_str(), &code));
  if (U_FAILURE(code) != 0) return std::nullopt;
  if (invalid == Invalid::refused) {
    ucnv_setToUCallBack(decoder.converter_.get(), UCNV_TO_U_CALLBACK_STOP, nullptr, nullptr, nullptr, &code);
  }
  return decoder;
}

std::optional<std::string> Decoder::decode(std::string_view bytes) {
  if (bytes.size() > kMostBytes) return std::nullopt;
  constexpr std::size_t kMostOfByte = 3;
  std::string text(bytes.size() * kMostOfByte + 16, '\0');
  UErrorCode code = U_ZERO_ERROR;
  ucnv_reset(converter_.get());
  const std::int32_t made =
      ucnv_toAlgorithmic(UCNV_UTF8, converter_.get(), text.data(), static_cast<std::int32_t>(text.size()),
                         bytes.data(), static_cast<std::int32_t>(bytes.size()), &code);
  if (U_FAILURE(code) != 0) return std::nullopt;
  text.resize(static_cast<std::size_t>(made));
  return text;
}

std::optional<CharactersOfBytes> characters_of_bytes(const std::string& encoding) {
  UErrorCode code = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> converter(ucnv_open(encoding.c_str(), &code),
                                                                     &ucnv_close);
  if (U_FAILURE(code) != 0 || ucnv_getMaxCharSize(converter.get()) != 1) return std::nullopt;
  CharactersOfBytes characters{};
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char byte = static_cast<char>(i);
    UChar unit[2] = {0, 0};
    UErrorCode converted = U_ZERO_ERROR;
    const std::int32_t length = ucnv_toUChars(converter.get(), unit, 2, &byte, 1, &converted);
    characters[i] = U_FAILURE(converted) != 0 || length != 1 ? kNoCharacter : char32_t{unit[0]};
  }
  return characters;
}

}  // namespace akin
