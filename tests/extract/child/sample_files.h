// Small files that tests read.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace akin::extract {

/// A PDF with these lines on each page, in 12 points, from the top of the page.
[[nodiscard]] std::string make_pdf(const std::vector<std::vector<std::string>>& pages);

/// One page with this content stream, and the fonts F (Helvetica).
[[nodiscard]] std::string make_pdf_of(const std::vector<std::string>& contents);

/// One page with this content stream, and a text field that shows two lines of 60 letters of its text.
[[nodiscard]] std::string make_pdf_with_field(const std::string& content, const std::string& text);

/// One page with this content stream, in which "/X Do" shows a grey picture of one by one by way of a form.
[[nodiscard]] std::string make_pdf_with_picture_in_form(const std::string& content);
/// One whose name /X is a JPEG 2000 of 20,000 by 20,000 points in 82 bytes.
[[nodiscard]] std::string make_pdf_with_huge_jpeg_2000(const std::string& content);

/// One page with this content stream, whose font has these names of its glyphs ("/Differences"), and no
/// character map if `map` is empty.
[[nodiscard]] std::string make_pdf_with_names(const std::string& content, const std::string& names,
                                              const std::vector<std::pair<std::string, std::string>>& map);

/// One page with this content stream, whose font F is this dictionary without its end.
[[nodiscard]] std::string make_pdf_of_font(const std::string& content, const std::string& font,
                                           const std::vector<std::pair<std::string, std::string>>& map);

/// One page with this content stream, whose font maps codes to characters, each in hexadecimal digits.
[[nodiscard]] std::string make_pdf_with_map(const std::string& content,
                                            const std::vector<std::pair<std::string, std::string>>& map);

/// One page with this content stream, whose font F has two bytes for a character of Adobe's collection Japan1
/// and no character map.
[[nodiscard]] std::string make_japanese_pdf(const std::string& content);

/// One page that is this picture, a JPEG of 800 by 400 pixels in colour.
[[nodiscard]] std::string make_scanned_pdf(const std::string& jpeg);

/// The same as a DjVu without a text layer, of 100 dots per inch.
[[nodiscard]] std::string make_scanned_djvu(const std::string& jpeg);

/// One page of these lines of ASCII in the embedded font `truetype`, whose glyphs are numbered as DejaVu's
/// are and have no names. The character map calls each small letter by the one that follows it so many places
/// later in the alphabet; without `mapped` there is none.
[[nodiscard]] std::string make_pdf_with_font(const std::vector<std::string>& lines,
                                             const std::string& truetype, int later, bool mapped = true);

/// One that takes minutes to read.
[[nodiscard]] std::string make_endless_pdf();

/// A ZIP archive of members: name and content.
[[nodiscard]] std::string make_zip(const std::vector<std::pair<std::string, std::string>>& members);

/// An archive of these members in a format and with a filter of libarchive: "zip", "ustar", "7zip"; "gzip",
/// "bzip2", "xz", "zstd", "none".
[[nodiscard]] std::string make_archive(const char* format, const char* filter,
                                       const std::vector<std::pair<std::string, std::string>>& members);

/// A DOCX whose body has this content, and whose styles and lists are those.
[[nodiscard]] std::string make_docx(const std::string& body, const std::string& styles = "",
                                    const std::string& numbering = "");
/// An ODT with these automatic styles and this body.
[[nodiscard]] std::string make_odt(const std::string& body, const std::string& styles = "");

inline const std::string kBook =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<FictionBook xmlns=\"http://www.gribuser.ru/xml/fictionbook/2.0\"><description><title-info>\n"
    "<author><first-name>Ada</first-name><last-name>Byron</last-name></author>\n"
    "<book-title>The Mill</book-title><annotation><p>Left "
    "out.</p></annotation><lang>en</lang></title-info></description>\n"
    "<body><section><title><p>Chapter One</p></title>\n"
    "<p>It stood by\nthe river<a type=\"note\">1</a>.</p>\n"
    "<poem><stanza><v>A line</v>\n<v>and another</v></stanza></poem></section></body>\n"
    "<body name=\"notes\"><section><p>A note.</p></section></body>\n"
    "<binary>QUJD</binary></FictionBook>";

}  // namespace akin::extract
