// Assembles a document from the pieces that a reader finds, one after another.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "extract/document.h"
#include "extract/html/html.h"
#include "extract/interleaved_text.h"
#include "extract/text_layout.h"

namespace akin::extract {

/// The text grows by TextLayout's rules, its map with it.
class DocumentBuilder {
 public:
  /// `most_bytes`: of the text. More sets `full()`, and take() is then an error.
  DocumentBuilder(std::string type, std::uint64_t most_bytes) : most_bytes_(most_bytes) {
    document_.type = std::move(type);
  }

  [[nodiscard]] FileMetadata& metadata() noexcept { return document_.metadata; }

  /// What follows is of this kind. Ends a paragraph if the kind changes.
  void kind(PieceKind kind);
  /// What follows is on this page. A paragraph may run over pages.
  void page(std::uint32_t page);
  /// These words were recognized on this page; ignored where the format has no pages.
  void place(PageWords recognized);
  /// What follows belongs to a new part. A name is cut to kMostPartName bytes; an empty one is none.
  void begin_part(std::string_view name);

  /// Text that is seen (TextLayout::flow). Bytes must be UTF-8; control characters become spaces.
  void flow(std::string_view utf8);
  void verbatim(std::string_view utf8);
  /// A whole paragraph; a line feed in it ends a line. A heading begins a part of its name. `set_off`: its
  /// lines are (TextLayout::set_off).
  void paragraph(PieceKind kind, std::string_view utf8, bool set_off = false);
  void line_break() { layout_.line_break(); }
  void border() { layout_.border(); }
  /// Text that a reader cannot see, and what hides it: counted and kept apart.
  void hide(std::string_view utf8, HidingSet ways);
  /// Text that a reader sees beside the text, as in page headers: only counted, each line once, whatever
  /// numbers are in it.
  void leave_out(std::string_view utf8);
  /// A page of HTML: its text, and what it hides.
  void web_page(const Page& page);
  /// The looks of a paragraph's letters, for formats that have them. `paragraph` ends it.
  void look(std::size_t look, std::string_view utf8) {
    if (utf8 == "\n") return looks_.end_line();
    looks_.take(look, utf8);
  }
  /// Something else to report, from here on: `count` more characters, or pages.
  void report(FileAlertKind kind, std::uint64_t count, std::string_view sample = {});

  /// The same with a share of its own, 0 to 1: of what was looked at.
  void report_share(FileAlertKind kind, std::uint64_t count, double share, std::string_view sample);

  [[nodiscard]] std::uint64_t most_bytes() const noexcept { return most_bytes_; }
  /// Over most_bytes: reading may stop.
  [[nodiscard]] bool full() const noexcept {
    return layout_.mark().size > most_bytes_ || document_.hidden.size() > most_bytes_;
  }

  /// The document. Error: file_too_large.
  [[nodiscard]] Result<Document> take(const std::string& name) &&;

 private:
  struct Start {
    std::size_t byte;
    Piece piece;
  };

  struct Noted {
    FileAlert alert;
    std::size_t byte = 0;  ///< size of the text before the first
  };

  void begin_piece();
  FileAlert& note(FileAlertKind kind, std::uint64_t count);
  void make_map();
  void place(Noted& noted) const;

  const std::uint64_t most_bytes_;
  Document document_;
  TextLayout layout_;
  InterleavedText looks_;
  Piece now_;
  std::vector<Start> starts_;
  std::array<Noted, kFileAlertNames.size()> noted_;
  std::set<std::string> left_out_;        ///< lines without their digits
  std::uint64_t unread_script_text_ = 0;  ///< code points
  std::size_t placed_words_ = 0;
};
inline constexpr std::size_t kMostPartName = 200;

}  // namespace akin::extract
