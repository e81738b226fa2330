#include "index/codec/word_codes.h"

#include <array>

#include "index/codec/encoding.h"

namespace akin {

namespace {

constexpr std::size_t kCodes = 256;

constexpr std::array<std::uint64_t, kCodes> kClasses = [] {
  std::array<std::uint64_t, kCodes> classes{};
  for (std::size_t code = 0; code < kCodes; ++code) classes[code] = mix64(code + 1);
  return classes;
}();

}  // namespace

std::uint64_t class_of_code(std::uint8_t code) noexcept { return kClasses[code]; }

std::string encode_word_codes(std::string_view codes, const Dictionary& dictionary) {
  std::string encoded;
  encoded.reserve(kChecksumBytes + codes.size());
  append_u32(encoded, checksum(dictionary.synonym_fingerprint()));
  encoded += codes;
  return encoded;
}

Result<std::string> encode_codes_of(std::string_view utf8, const Dictionary& dictionary) {
  WordCodeReader reader;
  AKIN_CHECK(scan_text(utf8, dictionary, reader));
  return encode_word_codes(reader.codes(), dictionary);
}

std::optional<std::string_view> decode_word_codes(std::string_view encoded, const Dictionary& dictionary) {
  if (encoded.size() <= kChecksumBytes) return std::nullopt;
  if (load_u32(encoded.data()) != checksum(dictionary.synonym_fingerprint())) return std::nullopt;
  return encoded.substr(kChecksumBytes);
}

CodedWords::CodedWords(std::string_view codes) : numbers_(codes.size()) {
  for (std::size_t at = 0; at < codes.size(); ++at) numbers_[at] = static_cast<unsigned char>(codes[at]);
}

NumberedWords CodedWords::numbered() const noexcept { return {kClasses, numbers_}; }

}  // namespace akin
