// What is read out of a file: its text, what each range of the text is and where it comes from, metadata,
// alerts.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/text_range.h"

namespace akin::extract {

enum class PieceKind : std::uint8_t { body, heading, footnote, table };
inline constexpr std::array<std::string_view, 4> kPieceKindNames = {"body", "heading", "footnote", "table"};

/// A range of the text with one origin.
struct Piece {
  TextRange range;
  PieceKind kind = PieceKind::body;
  std::uint32_t page = 0;  ///< from 1, as the file counts its sheets; 0 if the format has no pages
  std::uint32_t part = 0;  ///< Document::parts[part - 1]; 0 if the file has no parts, or before the first
  friend bool operator==(const Piece&, const Piece&) = default;
};

enum class FileAlertKind : std::uint8_t {
  hidden_text,        ///< text that a reader cannot see; it is left out of Document::text
  unreadable_glyphs,  ///< glyphs of a PDF for which no character is known; they are U+FFFD in the text
};
inline constexpr std::array<std::string_view, 2> kFileAlertNames = {"hidden_text", "unreadable_glyphs"};

/// Something that a careful author would not cause, over the whole file.
struct FileAlert {
  FileAlertKind kind = FileAlertKind::hidden_text;
  std::uint64_t characters = 0;  ///< code points concerned
  double share = 0;              ///< of all code points of the file, seen and hidden; 0 to 1
  std::string sample;            ///< the first of them, up to kSampleBytes; empty for glyphs
  std::uint32_t page = 0;        ///< of the first, from 1; 0 if unknown
  friend bool operator==(const FileAlert&, const FileAlert&) = default;
};
inline constexpr std::size_t kSampleBytes = 200;
inline constexpr std::size_t kMostPieces = 1U << 24U;
inline constexpr std::size_t kMostParts = 1U << 16U;  ///< the lists of the metadata are bounded by it too

/// What the file says about itself; each empty if it says nothing.
struct FileMetadata {
  std::string title;
  std::vector<std::string> authors;
  std::string language;                  ///< as written, mostly a tag of BCP 47
  std::string date;                      ///< of publication or creation, as written
  std::vector<std::string> identifiers;  ///< ISBN, UUID, URI, as written
  friend bool operator==(const FileMetadata&, const FileMetadata&) = default;
};

/// Running heads, page numbers and hidden text are not part of `text`.
struct Document {
  std::string type;  ///< "pdf", "docx", "odt", "epub", "fb2", "rtf"
  std::string text;  ///< UTF-8; paragraphs are separated by one blank line
  /// In the order of the text, without overlap; between them is white space only.
  std::vector<Piece> map;
  std::vector<std::string> parts;  ///< names of chapters or headings; may repeat
  std::uint32_t pages = 0;         ///< 0 if the format has none
  FileMetadata metadata;
  std::vector<FileAlert> alerts;  ///< one of a kind at most
  friend bool operator==(const Document&, const Document&) = default;
};

/// The piece that holds the code point `at`, or else the last one before it; null if there is none.
[[nodiscard]] const Piece* piece_at(const Document& document, std::uint32_t at) noexcept;

}  // namespace akin::extract
