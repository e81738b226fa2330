// What is read out of a file: its text, what each range of the text is and where it comes from, metadata,
// alerts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.h"
#include "base/text_range.h"
#include "extract/placed_words.h"

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
  hidden_text,         ///< text that a reader cannot see; it is in Document::hidden, not in Document::text
  unreadable_glyphs,   ///< glyphs of a PDF for which no character is known; they are U+FFFD in the text
  wrong_characters,    ///< glyphs of a PDF whose font names one letter and whose character map gives another
  pages_without_text,  ///< pages of a PDF, DOCX or ODT that pictures or shapes fill; of a DjVu without text
  mended_encoding,     ///< Cyrillic that was decoded as Latin; Document::text has what it should be
  type_contradicted,   ///< the file's name or Content-Type says another type than its content is
  ocr,                 ///< text that was recognized in a picture
  shown_otherwise,     ///< text of a PDF that is not what its page shows
  repeated_text,       ///< lines that the text has again and again (repeated_text.h)
  language_contradicted,  ///< the file declares another language than its text is in
  part_missing,           ///< something that the file should have is not there, or cannot be read
  text_left_out,          ///< text beside the text, as in page headers and remarks; from kLeastLeftOut on
  script_text,            ///< text of a page of HTML that its scripts may show; from kLeastLeftOut on
  interleaved_text,       ///< text whose words alternate in look (interleaved_text.h); from kLeastLeftOut on
};
inline constexpr std::array<std::string_view, 14> kFileAlertNames = {"hidden_text",
                                                                     "unreadable_glyphs",
                                                                     "wrong_characters",
                                                                     "pages_without_text",
                                                                     "mended_encoding",
                                                                     "type_contradicted",
                                                                     "ocr",
                                                                     "shown_otherwise",
                                                                     "repeated_text",
                                                                     "language_contradicted",
                                                                     "part_missing",
                                                                     "text_left_out",
                                                                     "script_text",
                                                                     "interleaved_text"};

/// What makes text invisible.
enum class Hiding : std::uint8_t {
  switched_off,  ///< by a property of its own: vanish, display:none, hidden, render mode 3
  colour,        ///< that of what is under it, or transparent
  size,          ///< under 2 points
  outside,       ///< of the page or of the area that is shown
  covered,       ///< by a picture
};
inline constexpr std::array<std::string_view, 5> kHidingNames = {"switched_off", "colour", "size", "outside",
                                                                 "covered"};
/// A set of them, a bit each.
using HidingSet = std::uint8_t;
[[nodiscard]] constexpr HidingSet set_of(Hiding way) noexcept {
  return static_cast<HidingSet>(1U << static_cast<unsigned>(way));
}

/// Something that a careful author would not cause, over the whole file.
struct FileAlert {
  FileAlertKind kind = FileAlertKind::hidden_text;
  std::uint64_t characters = 0;  ///< code points concerned; of pages_without_text: pages
  double share = 0;              ///< of all code points of the file, seen and hidden, or of all pages; of
                                 ///< shown_otherwise: of the letters that were compared; of
                                 ///< repeated_text and language_contradicted: of all letters; of
                                 ///< part_missing: of the parts, 0 if their number is unknown; 0 to 1
  std::string sample;  ///< the first of them, up to kSampleBytes; of glyphs, what the map gives; of a type,
                       ///< the name or Content-Type; of a language, what is declared; of a
                       ///< missing part, its name
  std::uint32_t page = 0;  ///< of the first, from 1; 0 if unknown
  std::uint32_t part = 0;  ///< of the first: Document::parts[part - 1]; 0 if unknown
  std::uint32_t at = 0;    ///< code points of Document::text before the paragraph or page of the first
  HidingSet ways = 0;      ///< hidden_text: everything that hides some of it
  friend bool operator==(const FileAlert&, const FileAlert&) = default;
};
inline constexpr std::size_t kSampleBytes = 200;
/// Code points, and the share of all, from which text_left_out, script_text and interleaved_text are
/// reported.
inline constexpr std::uint64_t kLeastLeftOut = 500;
inline constexpr double kLeastShareLeftOut = 0.05;
/// Whether an alert is of enough text to be reported.
[[nodiscard]] inline bool is_enough(const FileAlert& alert) noexcept {
  const bool may_be_little = alert.kind == FileAlertKind::text_left_out ||
                             alert.kind == FileAlertKind::script_text ||
                             alert.kind == FileAlertKind::interleaved_text;
  return !may_be_little || (alert.characters >= kLeastLeftOut && alert.share >= kLeastShareLeftOut);
}
inline constexpr std::size_t kMostPieces = 1U << 20U;
inline constexpr std::size_t kMostRecognizedWords = 500'000;
inline constexpr std::size_t kMostParts = 1U << 16U;  ///< the lists of the metadata are bounded by it too

/// What the file says about itself; each empty if it says nothing.
struct FileMetadata {
  std::string title;
  std::vector<std::string> authors;
  std::string language;                  ///< as written, mostly a tag of BCP 47
  std::string date;                      ///< of publication or creation, as written
  std::vector<std::string> identifiers;  ///< ISBN, UUID, URI, as written
  std::string site = {};                 ///< of a page: who publishes it
  std::string address = {};              ///< of a page: its own, absolute
  std::vector<std::string> links = {};   ///< of a page: absolute, without fragments, each once
  std::uint32_t images = 0;              ///< of a page: pictures and films
  friend bool operator==(const FileMetadata&, const FileMetadata&) = default;
};

/// Running heads, page numbers and hidden text are not part of `text`.
struct Document {
  std::string type;  ///< "pdf", "djvu", "docx", "doc", "odt", "epub", "fb2", "rtf", "mhtml", "mail",
                     ///< "xml", "picture"
  std::string text;  ///< UTF-8; paragraphs are separated by one blank line
  /// In the order of the text, without overlap; between them is white space only.
  std::vector<Piece> map;
  std::vector<std::string> parts;  ///< names of chapters or headings; may repeat
  std::uint32_t pages = 0;         ///< 0 if the format has none
  FileMetadata metadata;
  std::vector<FileAlert> alerts;  ///< one of a kind at most
  std::string hidden;             ///< all hidden text, runs separated by blanks; UTF-8
  /// The words that were recognized on a page, by its number from 1; of the first kMostRecognizedWords.
  std::map<std::uint32_t, PageWords> recognized = {};
  /// Of the bytes of the whole file; set by ingest::read_document and api::body_document.
  std::optional<Sha256> sha256 = {};
  friend bool operator==(const Document&, const Document&) = default;
};

/// The piece that holds the code point `at`, or else the last one before it; null if there is none.
[[nodiscard]] const Piece* piece_at(const Document& document, std::uint32_t at) noexcept;

}  // namespace akin::extract
