#include "extract/file_type.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "extract/text_encoding.h"

namespace akin::extract {

namespace {

constexpr std::string_view kPdfMark = "%PDF-";

bool is_archive(std::string_view begin) {
  constexpr std::array<std::string_view, 5> kMarks = {"\x1F\x8B", "BZh",
                                                      "\xFD"
                                                      "7zXZ",
                                                      "\x28\xB5\x2F\xFD", "7z\xBC\xAF\x27\x1C"};
  constexpr std::size_t kTarMark = 257;  // POSIX.1-2001, "ustar Interchange Format"
  return std::ranges::any_of(kMarks, [&](std::string_view mark) { return begin.starts_with(mark); }) ||
         begin.substr(std::min(kTarMark, begin.size())).starts_with("ustar");
}

bool is_picture(std::string_view begin) {
  constexpr std::array<std::string_view, 4> kMarks = {
      "\x89PNG\r\n\x1A\n", "\xFF\xD8\xFF", std::string_view("II*\0", 4), std::string_view("MM\0*", 4)};
  return std::ranges::any_of(kMarks, [&](std::string_view mark) { return begin.starts_with(mark); });
}

}  // namespace

FileType type_of(std::string_view begin) noexcept {
  begin = begin.substr(0, kTypeBytes);
  if (begin.starts_with(kPdfMark)) return FileType::pdf;
  if (begin.starts_with("AT&TFORM")) return FileType::djvu;
  if (begin.starts_with("PK\x03\x04") || begin.starts_with("PK\x05\x06")) return FileType::zip;
  if (is_archive(begin)) return FileType::archive;
  if (is_picture(begin)) return FileType::picture;
  if (begin.starts_with("{\\rtf")) return FileType::rtf;
  if (begin.starts_with("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")) return FileType::compound;
  // Readers of PDF accept its mark anywhere in the first 1024 bytes; text may quote it, and an archive begin
  // with a PDF.
  constexpr std::size_t kMostBeforePdf = 1024;
  if (begin.substr(0, kMostBeforePdf).find(kPdfMark) != std::string_view::npos &&
      begin.find("obj") != std::string_view::npos)
    return FileType::pdf;
  if (begin.starts_with(kUtf8Mark)) begin.remove_prefix(kUtf8Mark.size());
  const bool markup = trimmed(begin, " \t\r\n").starts_with('<');
  return markup && begin.find("<FictionBook") != std::string_view::npos ? FileType::fb2 : FileType::other;
}

}  // namespace akin::extract
