#include "extract/child/office/docx_values.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

#include "base/ascii.h"
#include "base/utf8.h"

namespace akin::extract {

double centimetres(std::string_view emu) {
  constexpr double kEmuPerCentimetre = 360000;
  std::uint64_t length = 0;
  std::from_chars(emu.data(), emu.data() + emu.size(), length);
  return static_cast<double>(length) / kEmuPerCentimetre;
}

int twentieths(std::string_view written) {
  int number = 0;
  std::from_chars(written.data(), written.data() + written.size(), number);
  return number;
}

bool is_low(std::string_view height) {
  constexpr int kLowest = 40;
  return twentieths(height) > 0 && twentieths(height) <= kLowest;
}

bool has_left_indent(const XmlAttributes& indent) {
  return !indent.get("left").empty() || !indent.get("start").empty();
}

bool is_set_off_by(const XmlAttributes& indent) {
  constexpr int kLeast = 283;
  return std::max(twentieths(indent.get("left")), twentieths(indent.get("start"))) >= kLeast &&
         twentieths(indent.get("hanging")) == 0;
}

bool is_of_the_past(std::string_view name) {
  return name == "delText" || name == "del" || name == "moveFrom" || name.ends_with("PrChange");
}

bool is_separator_of_notes(const XmlAttributes& note) {
  const std::string_view type = note.get("type");
  return !type.empty() && type != "normal";
}

bool shows_its_code(std::string_view code) {
  constexpr std::array<std::string_view, 5> kNames = {"eq ", "macrobutton ", "gotobutton ", "quote ", "if "};
  constexpr std::size_t kLongest = 12;
  const std::string_view from = code.substr(std::min(code.find_first_not_of(' '), code.size()));
  const std::string begin = ascii_lower(from.substr(0, kLongest));
  return std::ranges::any_of(kNames, [&](std::string_view name) { return begin.starts_with(name); });
}

std::string symbol_of(const XmlAttributes& attributes) {
  constexpr std::uint32_t kFirst = 0xF000, kLast = 0xF0FF, kHexadecimal = 16;
  constexpr std::u32string_view kGreek = U"ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ";
  std::uint32_t code = 0;
  const std::string_view written = attributes.get("char");
  std::from_chars(written.data(), written.data() + written.size(), code, kHexadecimal);
  if (code >= kFirst && code <= kLast) code -= kFirst;
  const std::string font = ascii_lower(attributes.get("font"));
  const bool symbols = font.starts_with("wingdings") || font.starts_with("webdings");
  if (symbols || code < ' ' || code > 0x10FFFF || (code >= 0xD800 && code < 0xF000)) return " ";
  if (font == "symbol" && code >= 'A' && code - 'A' < kGreek.size()) code = kGreek[code - 'A'];
  std::string utf8;
  append_utf8(utf8, code);
  return utf8;
}

}  // namespace akin::extract
