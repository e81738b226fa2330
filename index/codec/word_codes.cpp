#include "index/codec/word_codes.h"

#include "index/codec/encoding.h"

namespace akin {

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

}  // namespace akin
