#include "dict/read/encoding.h"

#include <unicode/ucnv.h>

#include <algorithm>

#include "base/decoder.h"
#include "base/utf8.h"

namespace akin {
namespace {

/// Decodes one code point of UTF-8 that may be malformed; false if it is.
bool decode_strictly(std::string_view bytes, std::size_t& at, char32_t& out) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = byte(at);
  std::size_t length = 0;
  char32_t least = 0;
  if (lead < 0x80) {
    out = lead;
    ++at;
    return true;
  }
  if (lead >= 0xc2 && lead < 0xe0) {
    length = 2;
    least = 0x80;
    out = lead & 0x1fU;
  } else if (lead >= 0xe0 && lead < 0xf0) {
    length = 3;
    least = 0x800;
    out = lead & 0x0fU;
  } else if (lead >= 0xf0 && lead < 0xf5) {
    length = 4;
    least = 0x10000;
    out = lead & 0x07U;
  } else {
    return false;
  }
  if (at + length > bytes.size()) return false;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xc0U) != 0x80U) return false;
    out = (out << 6) | (byte(at + i) & 0x3fU);
  }
  at += length;
  return out >= least && out <= 0x10ffff && (out < 0xd800 || out > 0xdfff);
}

}  // namespace

Encoding::Encoding() {
  for (std::size_t i = 0; i < to_unicode_.size(); ++i) to_unicode_[i] = static_cast<char32_t>(i);
  for (std::size_t i = 0; i < to_unicode_.size(); ++i) {
    from_unicode_.emplace_back(static_cast<char32_t>(i), static_cast<unsigned char>(i));
  }
}

std::optional<Encoding> Encoding::named(std::string_view name) {
  Encoding encoding;
  if (ucnv_compareNames(std::string(name).c_str(), "UTF-8") == 0) {
    encoding.utf8_ = true;
    return encoding;
  }
  constexpr std::string_view kVendor = "microsoft-cp";
  std::string icu_name(name);
  if (name.starts_with(kVendor)) icu_name = "windows-" + std::string(name.substr(kVendor.size()));
  if (name.starts_with("cp125")) icu_name = "windows-" + std::string(name.substr(2));
  if (name.starts_with("TIS620")) icu_name = "TIS-620";
  const auto characters = characters_of_bytes(icu_name);
  if (!characters) return std::nullopt;
  encoding.to_unicode_ = *characters;
  encoding.from_unicode_.clear();
  for (std::size_t i = 0; i < characters->size(); ++i) {
    if (encoding.to_unicode_[i] != kNoCharacter) {
      encoding.from_unicode_.emplace_back(encoding.to_unicode_[i], static_cast<unsigned char>(i));
    }
  }
  std::sort(encoding.from_unicode_.begin(), encoding.from_unicode_.end());
  return encoding;
}

bool Encoding::decode(std::string_view bytes, std::u32string& letters) const {
  letters.clear();
  if (utf8_) {
    for (std::size_t at = 0; at < bytes.size();) {
      char32_t c = 0;
      if (!decode_strictly(bytes, at, c)) return false;
      letters.push_back(c);
    }
    return true;
  }
  for (const char byte : bytes) {
    const char32_t c = to_unicode_[static_cast<unsigned char>(byte)];
    if (c == kNoCharacter) return false;
    letters.push_back(c);
  }
  return true;
}

bool Encoding::encode(std::u32string_view letters, std::string& bytes) const {
  bytes.clear();
  for (const char32_t c : letters) {
    if (utf8_) {
      append_utf8(bytes, c);
      continue;
    }
    const auto found = std::lower_bound(from_unicode_.begin(), from_unicode_.end(), std::pair(c, '\0'),
                                        [](const auto& a, const auto& b) { return a.first < b.first; });
    if (found == from_unicode_.end() || found->first != c) return false;
    bytes.push_back(static_cast<char>(found->second));
  }
  return true;
}

}  // namespace akin
