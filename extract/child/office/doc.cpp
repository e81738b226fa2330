#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/utf8.h"
#include "extract/child/code_pages.h"
#include "extract/child/errors.h"
#include "extract/child/office/compound_file.h"
#include "extract/child/office/doc_format.h"
#include "extract/child/office/doc_properties.h"
#include "extract/child/readers.h"

namespace akin::extract {

namespace {

/// Places in the file information block, with which the stream WordDocument begins (MS-DOC, 2.5).
constexpr std::size_t kVersion = 2, kLanguage = 6, kFlags = 10, kLetterSet = 20, kTextBegin = 24,
                      kTextEnd = 28;
constexpr std::uint16_t kWord97 = 0xA5EC, kWord6 = 0xA5DC;
/// Word 95 of Japan, Korea and China, which writes UTF-16 where this flag is set.
constexpr std::array<std::uint16_t, 3> kWordsOfEastAsia = {0xA697, 0xA698, 0xA699};
constexpr std::uint16_t kWide = 0x1000;

bool is_wide(std::string_view main, bool old) {
  return !old || (load_u16(main.data()) != kWord6 && (load_u16(main.data() + kFlags) & kWide) != 0);
}

/// Those that versions have in different places. `lengths`: of the texts.
struct BlockLayout {
  std::size_t lengths, letter_pages, style_pages, piece_table, end;
};
constexpr BlockLayout kBlock97 = {76, 250, 258, 418, 426};
constexpr BlockLayout kBlock6 = {52, 184, 192, 352, 360};

/// A range of the text, whose bytes are contiguous in WordDocument.
struct DocPiece {
  std::uint32_t begin = 0, end = 0;  ///< characters of the text
  std::uint32_t place = 0;           ///< of its first byte
  bool wide = false;                 ///< UTF-16; else a code page
  DocLetters letters;                ///< what holds for all of it
};

Error damaged_doc(const std::string& reason) { return damaged("is a DOC that " + reason); }

/// Bytes `list` of the table stream, by the place of their offset and length in the block.
std::string_view part_of(std::string_view table, const std::string& main, std::size_t place) {
  const std::uint32_t begin = load_u32(main.data() + place), size = load_u32(main.data() + place + 4);
  if (begin > table.size() || size > table.size() - begin) return {};
  return table.substr(begin, size);
}

/// The piece table, after the lists of properties that its pieces refer to. Those of Word 6 (`old`) have
/// letters of one width.
Result<std::vector<DocPiece>> read_pieces(std::string_view part, std::string_view main, bool old) {
  constexpr char kProperties = 1, kPieces = 2;
  constexpr std::size_t kPieceBytes = 8;
  std::vector<std::string_view> lists;
  while (part.size() > 2 && part.front() == kProperties) {
    const std::size_t size = load_u16(part.data() + 1);
    if (size > part.size() - 3) return damaged_doc("has a wrong piece table");
    lists.push_back(part.substr(3, size));
    part.remove_prefix(3 + size);
  }
  if (part.size() < 9 || part.front() != kPieces) return damaged_doc("has no piece table");
  part.remove_prefix(5);
  const std::size_t count = (part.size() - 4) / (4 + kPieceBytes);
  std::vector<DocPiece> pieces;
  for (std::size_t i = 0; i < count; ++i) {
    constexpr std::uint32_t kNarrow = 0x40000000;
    const char* entry = part.data() + 4 * (count + 1) + kPieceBytes * i;
    const std::uint32_t place = load_u32(entry + 2);
    const std::uint16_t properties = load_u16(entry + 6);
    DocPiece piece{
        load_u32(part.data() + 4 * i), load_u32(part.data() + 4 * (i + 1)), place, is_wide(main, old), {}};
    if (!old && (place & kNarrow) != 0) {
      piece.place = (place & (kNarrow - 1)) / 2;
      piece.wide = false;
    }
    const std::uint64_t size = std::uint64_t{piece.end - piece.begin} * (piece.wide ? 2 : 1);
    if (piece.end < piece.begin || piece.place > main.size() || size > main.size() - piece.place)
      return damaged_doc("has pieces of text outside of it; it was cut off");
    if (!pieces.empty() && pieces.back().end != piece.begin) return damaged_doc("has a wrong piece table");
    if ((properties & 1U) != 0 && properties / 2U < lists.size())
      apply_properties(lists[properties / 2U], old, piece.letters);
    pieces.push_back(piece);
  }
  return pieces;
}

bool is_cyrillic_language(std::uint16_t language) {
  constexpr std::array<std::uint16_t, 7> kCyrillic = {0x0402, 0x0419, 0x0422, 0x0423, 0x042F, 0x0C1A, 0x1C1A};
  return std::ranges::find(kCyrillic, language) != kCyrillic.end();
}

/// Word itself writes pieces of one byte for a letter in windows-1252, on a Macintosh once (`old`) in that of
/// its system, other programs in the page of their language: Cyrillic words consist of letters over 0xC0,
/// others have a few of them.
std::uint32_t page_of(std::string_view main, const std::vector<DocPiece>& pieces, bool old) {
  constexpr std::uint32_t kWestern = 1252, kCyrillic = 1251, kMacintosh = 10000;
  constexpr std::uint16_t kMacintoshLetters = 256;
  if (old && load_u16(main.data() + kLetterSet) == kMacintoshLetters) return kMacintosh;
  if (!is_cyrillic_language(load_u16(main.data() + kLanguage))) return kWestern;
  std::size_t high = 0, ascii = 0;
  for (const DocPiece& piece : pieces) {
    if (piece.wide) continue;
    for (const char c : main.substr(piece.place, piece.end - piece.begin)) {
      if (static_cast<unsigned char>(c) >= 0xC0) ++high;
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) ++ascii;
    }
  }
  return 2 * high > ascii ? kCyrillic : kWestern;
}

class DocReader {
 public:
  DocReader(std::string main, bool old, DocumentBuilder& builder)
      : main_(std::move(main)), old_(old), layout_(old ? kBlock6 : kBlock97), builder_(builder) {}

  Result<void> read(std::string_view table) {
    letters_ = read_letters(main_, part_of(table, main_, layout_.letter_pages), old_);
    const std::string_view style_pages = part_of(table, main_, layout_.style_pages);
    styles_ = read_styles(main_, style_pages, old_);
    has_grounds_ = old_ || has_shading(main_, style_pages);
    AKIN_TRY(pieces_, pieces(table));
    const std::uint32_t page = page_of(main_, pieces_, old_);
    for (std::size_t byte = 0; byte < narrow_.size(); ++byte) {
      const std::string decoded = code_pages_.decode(std::string(1, static_cast<char>(byte)), page);
      std::size_t at = 0;
      narrow_[byte] = decoded.empty() ? U'\uFFFD' : next_code_point(decoded, at);
    }
    return stories();
  }

 private:
  /// Word 6 writes a piece table only if it has saved only changes to a file.
  [[nodiscard]] Result<std::vector<DocPiece>> pieces(std::string_view table) const {
    constexpr std::uint16_t kPieces = 0x0004;
    if (!old_ || (load_u16(main_.data() + kFlags) & kPieces) != 0)
      return read_pieces(part_of(table, main_, layout_.piece_table), main_, old_);
    const std::uint32_t begin = load_u32(main_.data() + kTextBegin), end = load_u32(main_.data() + kTextEnd);
    if (begin > end || end > main_.size()) return damaged_doc("has its text outside of it; it was cut off");
    const bool wide = is_wide(main_, old_);
    return std::vector<DocPiece>{{0, (end - begin) / (wide ? 2 : 1), begin, wide, {}}};
  }

  /// The texts of the document, one after another; those without a kind are left out.
  Result<void> stories() {
    struct Story {
      std::size_t length;
      std::optional<PieceKind> kind;
    };
    constexpr std::size_t kBoxes = 24;
    constexpr std::array<Story, 6> kStories = {{{0, PieceKind::body},
                                                {4, PieceKind::footnote},
                                                {8, {}},   // headers and footers
                                                {16, {}},  // remarks
                                                {20, PieceKind::footnote},
                                                {kBoxes, PieceKind::body}}};
    std::uint64_t begin = 0;
    for (const Story& story : kStories) {
      const std::uint64_t end = begin + load_u32(main_.data() + layout_.lengths + story.length);
      if (end > (pieces_.empty() ? 0 : pieces_.back().end))
        return damaged_doc("has less text than it says; it was cut off");
      // The ground of a text box is not read.
      has_grounds_ = has_grounds_ || story.length == kBoxes;
      read_story(begin, end, story.kind);
      begin = end;
    }
    return {};
  }

  void read_story(std::uint64_t begin, std::uint64_t end, std::optional<PieceKind> kind) {
    story_ = kind;
    fields_.clear();
    for (const DocPiece& piece : pieces_) {
      const auto from = static_cast<std::uint32_t>(std::max<std::uint64_t>(begin, piece.begin));
      const auto to = static_cast<std::uint32_t>(std::min<std::uint64_t>(end, piece.end));
      if (from < to) read_range(piece, from, to);
      if (builder_.full() || text_.size() > builder_.most_bytes()) break;
    }
    end_paragraph(PieceKind::body);
  }

  void read_range(const DocPiece& piece, std::uint32_t from, std::uint32_t to) {
    const std::uint32_t width = piece.wide ? 2 : 1;
    DocRun<DocLetters> run;
    for (std::uint32_t at = from; at < to; ++at) {
      const std::uint32_t place = piece.place + (at - piece.begin) * width;
      if (place >= run.end) {
        run = letters_.at(place);
        run.value.hidden |= piece.letters.hidden;
        run.value.deleted = run.value.deleted || piece.letters.deleted;
        if (has_grounds_) run.value.hidden &= static_cast<HidingSet>(~set_of(Hiding::colour));
      }
      const char* bytes = main_.data() + place;
      character(piece.wide ? load_u16(bytes) : narrow_[static_cast<unsigned char>(*bytes)], run.value, place);
    }
  }

  void character(char32_t c, const DocLetters& letters, std::uint32_t place) {
    constexpr char32_t kCellEnd = 7, kLineEnd = 11, kPageEnd = 12, kColumnEnd = 14, kParagraphEnd = 13,
                       kFieldBegin = 19, kFieldText = 20, kFieldEnd = 21, kHyphen = 30, kSoftHyphen = 31;
    switch (c) {
      case kFieldBegin:
        return fields_.push_back(true);
      case kFieldText:
        if (!fields_.empty()) fields_.back() = false;
        return;
      case kFieldEnd:
        if (!fields_.empty()) fields_.pop_back();
        return;
      default:
        break;
    }
    // The code of a field comes before its text.
    if (std::ranges::find(fields_, true) != fields_.end()) return;
    switch (c) {
      case kCellEnd:
        return end_paragraph(PieceKind::table);
      case kPageEnd:
      case kColumnEnd:
      case kParagraphEnd:
        return end_paragraph(is_heading(place) ? PieceKind::heading : PieceKind::body);
      case kLineEnd:
        c = U'\n';
        break;
      case U'\t':
        c = U' ';
        break;
      case kHyphen:
        c = U'\u2011';
        break;
      case kSoftHyphen:
        c = U'\u00AD';
        break;
      default:
        if (c < U' ') return;  // marks of notes, pictures and drawn objects
    }
    letter(c, letters);
  }

  void letter(char32_t c, const DocLetters& letters) {
    if (letters.deleted) return;
    if (letters.hidden != hidden_ways_) flush_hidden();
    hidden_ways_ = letters.hidden;
    if (c >= 0xD800 && c < 0xDC00) {
      high_ = c;
      return;
    }
    if (c >= 0xDC00 && c < 0xE000) {
      if (high_ == 0) return;
      c = 0x10000 + ((high_ - 0xD800) << 10U) + (c - 0xDC00);
    }
    high_ = 0;
    append_utf8(letters.hidden != 0 ? hidden_ : text_, c);
  }

  [[nodiscard]] bool is_heading(std::uint32_t place) const {
    constexpr std::uint16_t kFirst = 1, kLast = 9;
    const std::uint16_t style = styles_.at(place).value;
    return style >= kFirst && style <= kLast;
  }

  void flush_hidden() {
    if (!hidden_.empty() && story_) builder_.hide(hidden_, hidden_ways_);
    hidden_.clear();
  }

  void end_paragraph(PieceKind kind) {
    flush_hidden();
    const std::string paragraph = std::exchange(text_, {});
    if (!story_) return builder_.leave_out(paragraph);
    builder_.paragraph(story_ == PieceKind::body ? kind : *story_, paragraph);
  }

  const std::string main_;
  const bool old_;  ///< of Word 6 or 95
  const BlockLayout layout_;
  DocumentBuilder& builder_;
  CodePages code_pages_;
  std::array<char32_t, 256> narrow_{};  ///< letters of the code page
  std::vector<DocPiece> pieces_;
  DocRuns<DocLetters> letters_;
  DocRuns<std::uint16_t> styles_;
  bool has_grounds_ = false;  ///< white letters may be seen
  std::optional<PieceKind> story_ = PieceKind::body;
  std::vector<bool> fields_;  ///< the open ones: whether their code is being read
  std::string text_, hidden_;
  HidingSet hidden_ways_ = 0;
  char32_t high_ = 0;
};

Error unknown_office(std::string what) {
  return Error{Errc::type_unsupported, "file", std::move(what),
               "convert it first: soffice --headless --convert-to pdf FILE"};
}

/// Whether the block is one of Word 6 or 95; else it is one of Word 97 to 2003.
Result<bool> is_old(std::string_view main) {
  if (main.size() < kVersion) return damaged_doc("has no text");
  const std::uint16_t word = load_u16(main.data());
  const bool of_east_asia = std::ranges::find(kWordsOfEastAsia, word) != kWordsOfEastAsia.end();
  const bool old = word == kWord6 || of_east_asia;
  if ((!old && word != kWord97) || main.size() < (old ? kBlock6 : kBlock97).end)
    return damaged_doc("does not begin as one of Word 6 to 2003");
  if (of_east_asia && !is_wide(main, old)) return unknown_office("is a document of the Word 6 of East Asia");
  return old;
}

}  // namespace

Result<void> read_doc(std::string_view bytes, DocumentBuilder& builder) {
  AKIN_TRY(const CompoundFile file, CompoundFile::read(bytes));
  if (file.has("EncryptedPackage")) return encrypted();
  if (!file.has("WordDocument"))
    return unknown_office("is a document of an old Office program, but not a DOC");
  AKIN_TRY(std::string main, file.stream("WordDocument"));
  AKIN_TRY(const bool old, is_old(main));
  constexpr std::uint16_t kEncrypted = 0x0100, kSecondTable = 0x0200;
  const std::uint16_t flags = load_u16(main.data() + kFlags);
  if ((flags & kEncrypted) != 0) return encrypted();
  read_doc_properties(file, builder.metadata());
  if (old) {
    const std::string table = main;
    return DocReader(std::move(main), old, builder).read(table);
  }
  AKIN_TRY(const std::string table, file.stream((flags & kSecondTable) != 0 ? "1Table" : "0Table"));
  return DocReader(std::move(main), old, builder).read(table);
}

}  // namespace akin::extract
