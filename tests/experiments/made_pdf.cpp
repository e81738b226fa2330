#include "tests/experiments/made_pdf.h"

#include <array>
#include <cstdio>

#include "tests/experiments/text_changes.h"

namespace akin::experiments {

namespace {

constexpr unsigned kBlank = 32, kFirstCode = 33;
/// Objects: catalogue, list of pages, then fonts, then pages.
constexpr std::size_t kFirstFont = 3;
constexpr std::size_t kObjectsOfFont = 2, kObjectsOfPage = 2;

std::string hexadecimal(unsigned value, int width) {
  std::array<char, 16> digits{};
  std::snprintf(digits.data(), digits.size(), "%0*X", width, value);
  return digits.data();
}

std::string decimal(double value) {
  std::array<char, 32> digits{};
  std::snprintf(digits.data(), digits.size(), "%.2f", value);
  return digits.data();
}

std::string object(std::size_t number, const std::string& content) {
  return std::to_string(number) + " 0 obj" + content + "endobj\n";
}

std::string stream(const std::string& content) {
  return "<</Length " + std::to_string(content.size()) + ">>stream\n" + content + "\nendstream ";
}

/// The next letter of the alphabet, which is not a look-alike of the first.
char32_t another(char32_t c) { return is_letter(c) ? c + 1 : c; }

std::string character_map(const std::u32string& characters, FontMap map) {
  std::string lines;
  for (std::size_t i = 0; i < characters.size(); ++i) {
    const char32_t given = map == FontMap::wrong ? another(characters[i]) : characters[i];
    lines += "1 beginbfchar\n<" + hexadecimal(kFirstCode + static_cast<unsigned>(i), 2) + "> <" +
             hexadecimal(given, 4) + ">\nendbfchar\n";
  }
  return "begincmap\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n1 beginbfchar\n<20> "
         "<0020>\nendbfchar\n" +
         lines + "endcmap";
}

std::string font_dictionary(const std::u32string& characters, FontMap map, std::size_t map_object) {
  std::string names = "/space", widths = "600";
  for (const char32_t c : characters) {
    names += map == FontMap::none ? "/nothing.said" : "/uni" + hexadecimal(c, 4);
    widths += " 600";
  }
  const std::string last = std::to_string(kBlank + characters.size());
  return "<</Type/Font/Subtype/Type1/BaseFont/Courier/FirstChar 32/LastChar " + last + "/Widths[" + widths +
         "]/Encoding<</Type/Encoding/Differences[32" + names + "]>>" +
         (map == FontMap::none ? "" : "/ToUnicode " + std::to_string(map_object) + " 0 R") + ">>";
}

}  // namespace

MadePdf::Glyph MadePdf::glyph_of(char32_t c, FontMap map) {
  const auto known = glyphs_.find({map, c});
  if (known != glyphs_.end()) return known->second;
  std::size_t font = fonts_.size();
  for (std::size_t i = 0; i < fonts_.size(); ++i) {
    if (fonts_[i].map == map && fonts_[i].characters.size() < kCodes) font = i;
  }
  if (font == fonts_.size()) fonts_.push_back({map, {}});
  fonts_[font].characters += c;
  const auto code = static_cast<unsigned>(kBlank + fonts_[font].characters.size());
  return glyphs_[{map, c}] = {font, code};
}

void MadePdf::add_text(double x, double y, double size, std::u32string_view text,
                       const std::vector<FontMap>& maps) {
  constexpr std::size_t kNone = ~std::size_t{0};
  std::string shown = "BT " + decimal(x) + " " + decimal(y) + " Td ";
  std::size_t font = kNone;
  for (std::size_t i = 0; i < text.size(); ++i) {
    Glyph glyph{font, kBlank};
    if (text[i] != U' ' || font == kNone) {
      const char32_t c = text[i] == U' ' ? U'.' : text[i];
      glyph = glyph_of(c, maps.empty() ? FontMap::right : maps[i]);
      if (text[i] == U' ') glyph.code = kBlank;
    }
    if (glyph.font != font) {
      if (font != kNone) shown += "> Tj ";
      shown += "/F" + std::to_string(glyph.font) + " " + decimal(size) + " Tf <";
      font = glyph.font;
    }
    shown += hexadecimal(glyph.code, 2);
  }
  add(shown + (font == kNone ? "ET" : "> Tj ET"));
}

std::string MadePdf::bytes() const {
  const std::size_t first_page = kFirstFont + kObjectsOfFont * fonts_.size();
  std::string fonts, resources, kids, pages;
  for (std::size_t i = 0; i < fonts_.size(); ++i) {
    const std::size_t number = kFirstFont + kObjectsOfFont * i;
    resources += "/F" + std::to_string(i) + " " + std::to_string(number) + " 0 R";
    fonts += object(number, font_dictionary(fonts_[i].characters, fonts_[i].map, number + 1));
    fonts += object(number + 1, stream(character_map(fonts_[i].characters, fonts_[i].map)));
  }
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    const std::size_t number = first_page + kObjectsOfPage * i;
    kids += std::to_string(number) + " 0 R ";
    pages +=
        object(number, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents " +
                           std::to_string(number + 1) + " 0 R/Resources<</Font<<" + resources + ">>>>>>");
    pages += object(number + 1, stream(pages_[i]));
  }
  return "%PDF-1.4\n" + object(1, "<</Type/Catalog/Pages 2 0 R>>") +
         object(2, "<</Type/Pages/Kids[" + kids + "]/Count " + std::to_string(pages_.size()) + ">>") + fonts +
         pages + "trailer<</Root 1 0 R>>\n";
}

}  // namespace akin::experiments
