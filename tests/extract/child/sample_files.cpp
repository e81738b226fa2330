#include "tests/extract/child/sample_files.h"

#include <archive.h>
#include <archive_entry.h>

#include <algorithm>
#include <string_view>

namespace akin::extract {

namespace {

std::string object(std::size_t number, const std::string& content) {
  return std::to_string(number) + " 0 obj" + content + "endobj\n";
}

std::string stream(const std::string& content) {
  return "<</Length " + std::to_string(content.size()) + ">>stream\n" + content + "\nendstream ";
}

constexpr const char* kHelvetica = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding";

/// Pages of A4 with these content streams and the font F, whose dictionary is not closed.
std::string pdf_of(const std::vector<std::string>& contents, const std::string& font,
                   const std::string& further_objects) {
  std::string kids, pages;
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::size_t page = 10 + 2 * i;
    kids += std::to_string(page) + " 0 R ";
    pages +=
        object(page, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents " + std::to_string(page + 1) +
                         " 0 R/Resources<</Font<</F 3 0 R>>/XObject<</X 4 0 R>>>>>>");
    pages += object(page + 1, stream(contents[i]));
  }
  return "%PDF-1.4\n" + object(1, "<</Type/Catalog/Pages 2 0 R>>") +
         object(2, "<</Type/Pages/Kids[" + kids + "]/Count " + std::to_string(contents.size()) + ">>") +
         object(3, font + ">>") + further_objects + pages + "trailer<</Root 1 0 R>>\n";
}

}  // namespace

std::string make_pdf_of(const std::vector<std::string>& contents) { return pdf_of(contents, kHelvetica, ""); }

std::string make_pdf_with_field(const std::string& content, const std::string& text) {
  const std::string drawn = "/Tx BMC q BT /F 12 Tf 1 0 0 1 2 26 Tm 14 TL ";
  std::string lines;
  for (std::size_t at = 0; at < text.size(); at += 60) lines += "(" + text.substr(at, 60) + ") Tj T* ";
  const std::string appearance = drawn + lines + "ET Q EMC";
  std::string pdf = pdf_of(
      {content}, kHelvetica,
      object(5,
             "<</Type/Annot/Subtype/Widget/FT/Tx/Ff 4096/F 4/T(answer)/Rect[72 300 500 340]/P 10 0 R/DA(/F "
             "12 Tf 0 g)/V(" +
                 text + ")/AP<</N 6 0 R>>>>") +
          object(6, "<</Type/XObject/Subtype/Form/BBox[0 0 428 40]/Resources<</Font<</F 3 0 R>>>>/Length " +
                        std::to_string(appearance.size()) + ">>stream\n" + appearance + "\nendstream "));
  const auto insert = [&](const std::string& after, const std::string& what) {
    pdf.insert(pdf.find(after) + after.size(), what);
  };
  insert("/Type/Catalog", "/AcroForm<</Fields[5 0 R]/DR<</Font<</F 3 0 R>>>>>>");
  insert("/Type/Page/Parent 2 0 R", "/Annots[5 0 R]");
  return pdf;
}

std::string make_pdf_with_picture_in_form(const std::string& content) {
  const std::string form = "/I Do", picture(1, '\x80');
  return pdf_of(
      {content}, kHelvetica,
      object(4, "<</Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</I 5 0 R>>>>/Length " +
                    std::to_string(form.size()) + ">>stream\n" + form + "\nendstream ") +
          object(5,
                 "<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray"
                 "/BitsPerComponent 8/Length 1>>stream\n" +
                     picture + "\nendstream "));
}

std::string make_pdf_with_huge_jpeg_2000(const std::string& content) {
  const std::string picture =
      "ff4fff510029000000004e2000004e20000000000000000000004e2000004e2000000000000000000001070101ff52000c0000"
      "0001000004040001ff5c00044040ff90000a00000000000f0001ff9300ffd9>";
  return pdf_of({content}, kHelvetica,
                object(4,
                       "<</Type/XObject/Subtype/Image/Width 20000/Height 20000"
                       "/Filter[/ASCIIHexDecode/JPXDecode]/Length " +
                           std::to_string(picture.size()) + ">>stream\n" + picture + "\nendstream "));
}

std::string make_pdf_of_font(const std::string& content, const std::string& font,
                             const std::vector<std::pair<std::string, std::string>>& map) {
  std::string lines;
  for (const auto& [code, character] : map) lines += "<" + code + "> <" + character + ">\n";
  const std::string cmap = "begincmap\n1 begincodespacerange\n<00> <FF>\nendcodespacerange\n" +
                           std::to_string(map.size()) + " beginbfchar\n" + lines + "endbfchar\nendcmap";
  return pdf_of({content}, font + (map.empty() ? "" : "/ToUnicode 5 0 R"), object(5, stream(cmap)));
}

std::string make_pdf_with_names(const std::string& content, const std::string& names,
                                const std::vector<std::pair<std::string, std::string>>& map) {
  const std::string encoding = names.empty() ? "" : "/Encoding<</Type/Encoding/Differences[" + names + "]>>";
  const std::string font = names.empty() ? kHelvetica : "<</Type/Font/Subtype/Type1/BaseFont/Helvetica";
  return make_pdf_of_font(content, font + encoding, map);
}

std::string make_pdf_with_map(const std::string& content,
                              const std::vector<std::pair<std::string, std::string>>& map) {
  return make_pdf_with_names(content, "", map);
}

std::string make_pdf(const std::vector<std::vector<std::string>>& pages) {
  std::vector<std::string> contents;
  for (const auto& lines : pages) {
    std::string content = "BT /F 12 Tf 14 TL 72 770 Td ";
    for (const std::string& line : lines) content += "(" + line + ") Tj T* ";
    contents.push_back(content + "ET");
  }
  return make_pdf_of(contents);
}

std::string make_japanese_pdf(const std::string& content) {
  return pdf_of({content},
                "<</Type/Font/Subtype/Type0/BaseFont/Mincho/Encoding/Identity-H/DescendantFonts[5 0 R]",
                object(5,
                       "<</Type/Font/Subtype/CIDFontType0/BaseFont/Mincho/DW 1000/CIDSystemInfo"
                       "<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>>"));
}

std::string make_scanned_pdf(const std::string& jpeg) {
  return pdf_of(
      {"q 576 0 0 288 10 500 cm /X Do Q"}, kHelvetica,
      object(4,
             "<</Type/XObject/Subtype/Image/Width 800/Height 400/ColorSpace/DeviceRGB/BitsPerComponent 8"
             "/Filter/DCTDecode/Length " +
                 std::to_string(jpeg.size()) + ">>stream\n" + jpeg + "\nendstream "));
}

std::string make_scanned_djvu(const std::string& jpeg) {
  const auto chunk = [](const std::string& name, const std::string& content) {
    std::string bytes = name;
    for (unsigned shift = 32; shift > 0;) bytes += static_cast<char>(content.size() >> (shift -= 8));
    return bytes + content + std::string(content.size() % 2, '\0');
  };
  // Width, height, version 24, 100 dots per inch, gamma 2.2, upright.
  const std::string info("\x03\x20\x01\x90\x18\x00\x64\x00\x16\x01", 10);
  return "AT&T" + chunk("FORM", "DJVU" + chunk("INFO", info) + chunk("BGjp", jpeg));
}

std::string make_pdf_with_font(const std::vector<std::string>& lines, const std::string& truetype, int later,
                               bool mapped) {
  constexpr int kFirstGlyph = 29;  // of DejaVu: that of U+0020 is 3
  constexpr int kLetters = 26;
  const auto hex = [](int number) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string digits;
    for (unsigned shift = 16; shift > 0;)
      digits += kDigits[(static_cast<unsigned>(number) >> (shift -= 4)) & 0xFU];
    return "<" + digits + ">";
  };
  std::string content = "BT /F 12 Tf 16 TL 72 700 Td ", map;
  for (const std::string& line : lines) {
    content += "[";
    for (const char c : line) content += hex(c - kFirstGlyph);
    content += "] TJ T* ";
  }
  for (int c = ' '; c <= 'z'; ++c)
    map += hex(c - kFirstGlyph) + " " + hex(c < 'a' ? c : 'a' + (c - 'a' + later) % kLetters) + "\n";
  const std::string cmap = "begincmap\n1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n" +
                           std::to_string('z' - ' ' + 1) + " beginbfchar\n" + map + "endbfchar\nendcmap";
  const std::string font =
      "<</Type/Font/Subtype/Type0/BaseFont/ABCDEF+DejaVuSans/Encoding/Identity-H"
      "/DescendantFonts[5 0 R]";
  return pdf_of(
      {content + "ET"}, font + (mapped ? "/ToUnicode 7 0 R" : ""),
      object(5,
             "<</Type/Font/Subtype/CIDFontType2/BaseFont/ABCDEF+DejaVuSans/DW 600/CIDToGIDMap/Identity"
             "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 6 0 R>>") +
          object(6,
                 "<</Type/FontDescriptor/FontName/ABCDEF+DejaVuSans/Flags 4/FontBBox[0 -200 1000 900]"
                 "/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700/StemV 80/FontFile2 8 0 R>>") +
          object(7, stream(cmap)) + object(8, stream(truetype)));
}

std::string make_endless_pdf() {
  std::string content = "BT /F 12 Tf 72 770 Td ";
  for (int i = 0; i < 200000; ++i) content += "(words of a line) Tj 0 -0.001 Td ";
  content += "ET";
  return make_pdf_of(std::vector<std::string>(10, content));
}

std::string make_zip(const std::vector<std::pair<std::string, std::string>>& members) {
  return make_archive("zip", "none", members);
}

std::string make_archive(const char* format, const char* filter,
                         const std::vector<std::pair<std::string, std::string>>& members) {
  std::string bytes(std::max(std::size_t{1} << 24U, 1200 * members.size()), '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  archive_write_set_format_by_name(writer, format);
  if (std::string_view(filter) != "none") archive_write_add_filter_by_name(writer, filter);
  archive_write_set_bytes_in_last_block(writer, 1);
  archive_write_open_memory(writer, bytes.data(), bytes.size(), &used);
  for (const auto& [name, content] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(writer, entry);
    archive_write_data(writer, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

std::string make_docx(const std::string& body, const std::string& styles, const std::string& numbering) {
  const std::string w = " xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\"";
  return make_zip({{"[Content_Types].xml", "<Types/>"},
                   {"_rels/.rels",
                    "<Relationships><Relationship Target=\"word/document.xml\" "
                    "Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
                    "officeDocument\"/></Relationships>"},
                   {"word/numbering.xml", "<w:numbering" + w + ">" + numbering + "</w:numbering>"},
                   {"word/styles.xml", "<w:styles" + w + ">" + styles + "</w:styles>"},
                   {"word/document.xml", "<w:document" + w + "><w:body>" + body + "</w:body></w:document>"}});
}

std::string make_odt(const std::string& body, const std::string& styles) {
  return make_zip(
      {{"mimetype", "application/vnd.oasis.opendocument.text"},
       {"content.xml",
        "<office:document-content xmlns:office=\"o\" xmlns:text=\"t\" xmlns:style=\"s\" xmlns:fo=\"f\" "
        "xmlns:table=\"tb\"><office:automatic-styles>" +
            styles + "</office:automatic-styles><office:body><office:text>" + body +
            "</office:text></office:body></office:document-content>"}});
}

}  // namespace akin::extract
