#include "extract/child/office/docx_parts.h"

#include <utility>

#include "base/ascii.h"
#include "extract/child/errors.h"
#include "extract/child/page/picture.h"
#include "extract/child/readers.h"
#include "extract/formats/formats.h"
#include "extract/formats/text_encoding.h"
#include "extract/text_layout.h"

namespace akin::extract {

namespace {

/// The paragraphs of DrawingML, and the names in a chart.
class DrawingHandler : public XmlHandler {
 public:
  void start(std::string_view name, const XmlAttributes&) override {
    if (name == "strCache") in_names_ = true;
    if (name == "p" || (name == "pt" && in_names_)) paragraphs_.emplace_back();
    in_text_ = !paragraphs_.empty() && (name == "t" || (name == "v" && in_names_));
  }
  void end(std::string_view name) override {
    if (name == "strCache") in_names_ = false;
    in_text_ = false;
  }
  void text(std::string_view utf8) override {
    if (in_text_) append_flat(paragraphs_.back(), utf8);
  }
  [[nodiscard]] std::vector<std::string> take() noexcept { return std::move(paragraphs_); }

 private:
  std::vector<std::string> paragraphs_;
  bool in_text_ = false, in_names_ = false;
};

Result<void> read_docx_chunk(std::string_view bytes, DocumentBuilder& builder) {
  AKIN_TRY(const Archive archive, Archive::read(bytes, [](std::string_view name) {
             return name.ends_with(".xml") || name.ends_with(".rels");
           }));
  return read_docx(archive, builder);
}

Result<void> read_text(std::string_view bytes, DocumentBuilder& builder) {
  AKIN_TRY(const std::string text, decode_text(std::string(bytes), kAutoName, "file"));
  builder.verbatim(text);
  return {};
}

}  // namespace

Result<void> DocxParts::open(const std::string& member) {
  const std::string folder = folder_of(member);
  const std::string file = folder + "_rels/" + member.substr(folder.size()) + ".rels";
  relations_ = RelationsHandler(folder);
  const std::string* found = archive_.find(file);
  return found == nullptr ? Result<void>() : read_xml(*found, file, relations_);
}

Result<void> DocxParts::read_chunk(std::string_view id, DocumentBuilder& builder) const {
  const std::string member = relations_.of_id(id);
  if (member.empty()) return {};
  const std::string name = ascii_lower(member);
  const auto ends = [&](std::string_view end) { return name.ends_with(end); };
  const bool packed = ends(".docx");
  if (packed && archive_.find(member) == nullptr)
    return {};  // within another chunk, where it is not unpacked
  AKIN_TRY(const std::string_view bytes, archive_.require(member));
  builder.kind(PieceKind::body);
  builder.border();
  Result<void> read;
  if (ends("html") || ends(".htm")) {
    read = read_page(bytes, kUtf8Name, builder);
  } else if (packed) {
    read = read_docx_chunk(bytes, builder);
  } else {
    switch (type_of(bytes)) {
      case FileType::rtf:
        read = read_rtf(bytes, builder);
        break;
      case FileType::mhtml:
        read = read_mhtml(bytes, builder);
        break;
      case FileType::xml:
        read = read_other_xml(bytes, builder);
        break;
      case FileType::other:
        read = read_text(bytes, builder);
        break;
      default:
        return Error{Errc::unsupported, "file", "has a part of another format, " + member,
                     "open it in the program that shows it, and save it again there"};
    }
  }
  builder.border();
  if (read.has_error()) return damaged(member + " " + read.error().reason);
  return {};
}

void DocxParts::read_object(std::string_view id, DocumentBuilder& builder) const {
  const std::string member = relations_.of_id(id);
  if (ascii_lower(member).ends_with(".docx") && read_chunk(id, builder).has_error())
    builder.report(FileAlertKind::part_missing, 1, member);
}

Result<std::vector<std::string>> DocxParts::words_of_drawing(std::string_view id) const {
  const std::string member = relations_.of_id(id);
  const std::string* xml = archive_.find(member);
  if (xml == nullptr) return std::vector<std::string>();
  DrawingHandler words;
  AKIN_CHECK(read_xml(*xml, member, words));
  return words.take();
}

void DocxParts::read_picture(std::string_view id, DocumentBuilder& builder) const {
  add_picture_of_page(archive_, relations_.of_id(id), builder);
}

}  // namespace akin::extract
