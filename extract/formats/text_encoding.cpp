#include "extract/formats/text_encoding.h"

#include <uchardet/uchardet.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "base/ascii.h"
#include "base/decoder.h"
#include "base/utf8.h"
#include "extract/formats/formats.h"
#include "extract/formats/word_likeness.h"

namespace akin::extract {

namespace {

constexpr std::string_view kUtf16LeMark = "\xFF\xFE", kUtf16BeMark = "\xFE\xFF";
constexpr std::string_view kUtf16Le = "utf-16le", kUtf16Be = "utf-16be";
/// Bytes that are looked at to find an encoding, from the first that is not ASCII on, at most and at least.
constexpr std::size_t kDetected = std::size_t{1} << 16U;
constexpr std::size_t kLeastDetected = 32;
/// ASCII before them.
constexpr std::size_t kBefore = 1024;
/// Of those, bytes that are read in several encodings.
constexpr std::size_t kLooked = std::size_t{1} << 13U;

struct CloseDetector {
  void operator()(uchardet* detector) const noexcept { uchardet_delete(detector); }
};
Error unknown_encoding(std::string_view name) {
  return {Errc::invalid_argument, "encoding '" + std::string(name) + "'", "is not known",
          "give auto, utf-8, or a name such as windows-1251, koi8-r, cp866, utf-16"};
}

std::optional<Decoder> strict_decoder(std::string_view encoding) {
  return Decoder::open(std::string(encoding), Decoder::Invalid::refused);
}

/// Its mark begins as that of UTF-16 in the same order, and a zero character follows in no text.
bool is_utf32(std::string_view bytes) {
  return bytes.starts_with(std::string_view("\xFF\xFE\0\0", 4)) ||
         bytes.starts_with(std::string_view("\0\0\xFE\xFF", 4));
}

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with(kUtf16LeMark) || bytes.starts_with(kUtf16BeMark);
}

std::string upper_name(std::string name) {
  std::ranges::transform(name, name.begin(),
                         [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return name;
}

/// For commands and for clients over HTTP.
std::string how_to_name(const std::string& encoding) {
  return "name its encoding: --encoding " + encoding + ", over HTTP charset=" + encoding;
}

Result<std::string> convert_text(std::string_view bytes, std::string_view encoding, const std::string& name) {
  std::optional<Decoder> decoder = strict_decoder(encoding);
  if (!decoder) return unknown_encoding(encoding);
  if (bytes.size() > Decoder::kMostBytes) return too_long_to_convert(name);
  std::optional<std::string> text = decoder->decode(bytes);
  if (!text) {
    return Error{Errc::file_damaged, name,
                 "has bytes that are invalid in the encoding " + std::string(encoding),
                 "name its real encoding, or convert it to UTF-8"};
  }
  if (text->starts_with(kUtf8Mark)) text->erase(0, kUtf8Mark.size());
  return *std::move(text);
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

/// Of a few Russian words, for which statistics do not suffice: the encoding in which they look clearly more
/// like words than in the others.
std::optional<std::string> guess_by_words(std::string_view bytes) {
  bytes = bytes.substr(0, kBefore);
  constexpr double kLeast = 5;      // some letters
  constexpr double kClearly = .85;  // of the best, the most that another may have
  std::string best;
  double most = 0, second = 0;
  for (const char* const encoding : {"windows-1251", "koi8-r", "cp866", "windows-1252"}) {
    std::optional<Decoder> decoder = Decoder::open(encoding);
    const double like = decoder ? word_likeness(decoder->decode(bytes).value_or("")) : 0;
    second = std::max(second, std::min(like, most));
    if (like > most) {
      most = like;
      best = encoding;
    }
  }
  if (most < kLeast || second > kClearly * most || best == "windows-1252") return std::nullopt;
  return best;
}

/// ISO 2022 changes between sets by sequences of ASCII.
std::optional<std::string> iso_2022(std::string_view bytes) {
  bytes = bytes.substr(0, kDetected);
  const auto has = [&](std::string_view sequence) { return bytes.find(sequence) != std::string_view::npos; };
  if (has("\x1B$)C")) return "iso-2022-kr";
  if (has("\x1B$B") || has("\x1B$@")) return "iso-2022-jp";
  return std::nullopt;
}

/// Of the encodings of Latin letters, the one whose reading fits the letters of one language best: `found`
/// unless another is clearly better. Those of DOS uchardet hardly knows.
std::string best_of_latin(const std::string& found, std::string_view bytes) {
  constexpr std::array<const char*, 8> kLatin = {"windows-1252", "windows-1250", "windows-1254", "iso-8859-3",
                                                 "windows-1257", "iso-8859-2",   "ibm850",       "ibm852"};
  constexpr double kClearly = .3;
  const auto fit_as = [&](const std::string& encoding) {
    std::optional<Decoder> decoder = strict_decoder(encoding);
    const std::optional<std::string> text =
        decoder ? decoder->decode(bytes.substr(0, kLooked)) : std::nullopt;
    return text ? fit_of_letters(*text) : 0;
  };
  std::string best = found;
  double most = fit_as(found);
  for (const char* const encoding : kLatin) {
    const double fit = fit_as(encoding);
    if (fit <= most + (best == found ? kClearly * std::abs(most) : 0)) continue;
    most = fit;
    best = encoding;
  }
  return best;
}

/// The name under which ICU has what uchardet names; of the encodings of ISO that have controls where those
/// of Windows have quotation marks and dashes, that of Windows if the text has them.
std::string known_name(std::string found, std::string_view bytes) {
  using Pair = std::pair<std::string_view, std::string_view>;
  constexpr std::array<Pair, 2> kNames = {Pair{"uhc", "windows-949"}, {"iso-8859-16", "iso-8859-2"}};
  constexpr std::array<Pair, 9> kOfWindows = {
      Pair{"iso-8859-1", "windows-1252"}, {"iso-8859-15", "windows-1252"}, {"iso-8859-2", "windows-1250"},
      {"iso-8859-4", "windows-1257"},     {"iso-8859-6", "windows-1256"},  {"iso-8859-7", "windows-1253"},
      {"iso-8859-8", "windows-1255"},     {"iso-8859-9", "windows-1254"},  {"iso-8859-13", "windows-1257"}};
  const auto renamed = [&](const auto& pairs) {
    const auto* const pair = std::ranges::find(pairs, found, &Pair::first);
    if (pair != pairs.end()) found = pair->second;
  };
  renamed(kNames);
  const bool of_windows = std::ranges::any_of(bytes, [](char c) {
    return static_cast<unsigned char>(c) >= 0x80 && static_cast<unsigned char>(c) < 0xA0;
  });
  if (of_windows) renamed(kOfWindows);
  constexpr std::array<std::string_view, 12> kLatin = {
      "iso-8859-1",   "iso-8859-2",   "iso-8859-3",   "iso-8859-9",   "iso-8859-13", "iso-8859-15",
      "windows-1250", "windows-1252", "windows-1254", "windows-1257", "ibm850",      "ibm852"};
  const bool latin = std::ranges::find(kLatin, found) != kLatin.end();
  return latin ? best_of_latin(found, bytes) : found;
}

std::optional<std::string> guess_by_statistics(std::string_view bytes) {
  const auto other =
      std::ranges::find_if(bytes, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  const auto first = static_cast<std::size_t>(other - bytes.begin());
  bytes = bytes.substr(first - std::min(first, kBefore), kDetected);
  const std::unique_ptr<uchardet, CloseDetector> detector(uchardet_new());
  if (uchardet_handle_data(detector.get(), bytes.data(), bytes.size()) != 0) return std::nullopt;
  uchardet_data_end(detector.get());
  std::string found = ascii_lower(uchardet_get_charset(detector.get()));
  if (found.empty() || found == kUtf8Name || found == "ascii") return std::nullopt;
  if (found == "koi8-r" && has_ukrainian_of_koi8(bytes)) found = "koi8-u";
  found = known_name(std::move(found), bytes);
  return strict_decoder(found) ? std::optional(std::move(found)) : std::nullopt;
}

/// UTF-16, with a byte order mark or by its zero bytes.
bool is_wide(std::string_view bytes) {
  if (is_utf32(bytes) || is_utf16(bytes)) return true;
  return bytes.substr(0, kFormatBytes).find('\0') != std::string_view::npos && utf16_order(bytes).has_value();
}

/// UTF-8 in which some bytes were damaged, or cut: U+FFFD for each of them. Nothing if they are not few.
std::optional<std::string> mostly_utf8(std::string_view bytes) {
  constexpr std::size_t kSoundPerDamaged = 50;
  std::optional<Decoder> decoder = Decoder::open(std::string(kUtf8Name));
  std::optional<std::string> text = decoder ? decoder->decode(bytes) : std::nullopt;
  if (!text) return std::nullopt;
  std::size_t sound = 0, damaged = 0;
  for (std::size_t at = 0; at < text->size();) {
    const char32_t c = next_code_point(*text, at);
    (c == 0xfffd ? damaged : sound) += c >= 0x80 ? 1 : 0;
  }
  return sound >= kSoundPerDamaged * damaged ? text : std::nullopt;
}

Result<std::string> decode_utf8(std::string bytes, const std::string& name) {
  if (is_wide(bytes))
    return Error{Errc::type_unsupported, name, "is UTF-16, not UTF-8", encoding_remedy(bytes)};
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
  if (name.empty() || !strict_decoder(name)) return unknown_encoding(name);
  return {};
}

Error too_long_to_convert(const std::string& name) {
  return {Errc::too_large, name, "is too long to be converted", "convert it to UTF-8, or split it"};
}

std::optional<std::string> guess_encoding(std::string_view bytes) {
  if (is_utf32(bytes)) return "utf-32";
  if (is_utf16(bytes)) return "utf-16";
  if (is_wide(bytes)) return std::string(*utf16_order(bytes));
  std::optional<std::string> found;
  if (bytes.size() >= kLeastDetected) found = guess_by_statistics(bytes);
  return found ? found : guess_by_words(bytes);
}

std::string encoding_remedy(std::string_view bytes) {
  const auto probable = guess_encoding(bytes);
  if (!probable) return "convert it to UTF-8, for instance with iconv, or " + how_to_name("NAME");
  return "it is probably " + upper_name(*probable) + ": " + how_to_name(*probable) +
         ", or convert it: iconv -f " + upper_name(*probable) + " -t UTF-8";
}

Result<std::string> decode_text(std::string bytes, std::string_view encoding, const std::string& name) {
  const std::string wanted = ascii_lower(encoding);
  if (wanted == kUtf8Name || wanted == "utf8") {
    if (is_utf32(bytes)) return convert_text(bytes, "utf-32", name);
    if (is_utf16(bytes)) return convert_text(bytes, "utf-16", name);
    return decode_utf8(std::move(bytes), name);
  }
  if (wanted != kAutoName) {
    const bool wide = wanted.starts_with("utf-16") || wanted.starts_with("utf-32");
    if (auto wrong = not_text(bytes, name); wrong && !wide) return *std::move(wrong);
    return convert_text(bytes, wanted, name);
  }
  if (is_wide(bytes)) return convert_text(bytes, *guess_encoding(bytes), name);
  if (const auto sequences = iso_2022(bytes)) return convert_text(bytes, *sequences, name);
  if (validate_utf8(bytes, name).has_value()) return decode_utf8(std::move(bytes), name);
  if (auto wrong = not_text(bytes, name)) return *std::move(wrong);
  if (auto text = mostly_utf8(bytes)) return *std::move(text);
  if (const auto probable = guess_encoding(bytes)) return convert_text(bytes, *probable, name);
  return Error{Errc::type_unsupported, name, "is not UTF-8, and its encoding cannot be found by its bytes",
               how_to_name("NAME")};
}

}  // namespace akin::extract
