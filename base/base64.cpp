#include "base/base64.h"

#include <openssl/evp.h>

#include <algorithm>

namespace akin {
namespace {

unsigned char* of_openssl(const char* bytes) {
  return reinterpret_cast<unsigned char*>(const_cast<char*>(bytes));
}

}  // namespace

std::string base64(std::string_view bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');  // EVP_EncodeBlock ends with a zero
  EVP_EncodeBlock(of_openssl(text.data()), of_openssl(bytes.data()), static_cast<int>(bytes.size()));
  text.pop_back();
  return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  // EVP_DecodeBlock takes padding anywhere, and blanks at both ends.
  const bool is_plain = std::ranges::none_of(text, [](char one) { return one == '=' || one <= ' '; });
  if (!is_plain || text.size() % 4 == 1) return std::nullopt;
  const std::size_t padding = (4 - text.size() % 4) % 4;
  const std::string padded = std::string(text) + std::string(padding, '=');
  std::string bytes(padded.size() / 4 * 3, '\0');
  const int length =
      EVP_DecodeBlock(of_openssl(bytes.data()), of_openssl(padded.data()), static_cast<int>(padded.size()));
  if (length < 0) return std::nullopt;
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace akin
