// One file, or the body of a request, as a document: of every format that akin reads, always by the same
// rules.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "extract/content.h"
#include "extract/document.h"
#include "extract/filter.h"
#include "extract/formats/text_encoding.h"
#include "extract/ocr_options.h"
#include "index/codec/stored_file.h"
#include "server/ingest/format.h"

namespace akin::ingest {

/// How the bytes of one document are read.
struct DocumentReading {
  Format format = Format::automatic;
  std::string encoding =
      std::string(extract::kUtf8Name);  ///< of plain text, and of HTML that declares none (decode_text)
  extract::Sampling sampling = extract::Sampling::off;
  /// Of the administrator, with `automatic`: it decides before the bytes do. Null: none.
  const extract::Filter* filter = nullptr;
};

/// The administrator's filter of files with this name; null without one.
[[nodiscard]] const extract::Filter* filter_of_name(std::string_view name);
/// The same of a media type.
[[nodiscard]] const extract::Filter* filter_of_media(std::string_view media);

/// The document in these bytes. `automatic`: what akin-extract reads, by its first bytes, if it is installed;
/// else plain text. Its `type` is then "text", "html" or "mediawiki" (wikitext), and it has no map. Cyrillic
/// that was decoded as Latin is restored (extract/plain/mended_encoding.h). `name` is the file's name in
/// errors. Errors: the five of reading files; as decode_text and read_html.
[[nodiscard]] Result<extract::Document> document_of(std::string_view bytes, const DocumentReading& reading,
                                                    const std::string& name);

/// Whether akin-extract reads bytes that begin so, and is installed.
[[nodiscard]] bool is_extracted(std::string_view bytes);

/// What is in these bytes: as document_of, but of an archive its members. `automatic` only.
[[nodiscard]] Result<extract::Content> extracted_content(const std::string& bytes, const std::string& name);

/// Restores what was decoded wrongly, and adds the alerts that take the whole text: mended_encoding,
/// repeated_text, language_contradicted. Everything that reads a document does so.
void examine_text(extract::Document& document);

/// Makes a file's name that contradicts the document's type an alert of the document. A name that is not
/// UTF-8 claims nothing.
void check_name(extract::Document& document, const std::string& name);

/// The document in a file; "-" is standard input. `automatic`: as above, then by the file's name (format_of),
/// with check_name. `original` gets the file's bytes, if it is given. Errors: invalid_argument (an unknown
/// encoding), as read_bytes and document_of.
[[nodiscard]] Result<extract::Document> read_document(const std::filesystem::path& path,
                                                      const DocumentReading& reading = {},
                                                      std::string* original = nullptr);

/// A document of a file, or why it cannot be read.
struct Submission {
  std::string name;  ///< as messages show it; "a.zip!/b.txt" of the member of an archive
  Result<extract::Document> document;
};

/// The same of all documents in a file: the members of an archive, but for archives among them, or else the
/// file's own. An empty one is an error of its own: invalid_argument. Errors, of the whole file: as
/// read_document.
[[nodiscard]] Result<std::vector<Submission>> read_submissions(const std::filesystem::path& path,
                                                               const DocumentReading& reading);

/// The file that a document of this type was read from, as a collection keeps it. It gets the name unless
/// that is not UTF-8 or has control characters.
[[nodiscard]] StoredFile original_file(std::string_view name, std::string_view type, std::string bytes);

/// What is stored about a file's document, as JSON: {"format", "pages", "author", "language", "date" (of a
/// book or page, of publication), "created" (of any other file), "identifiers", of a page "site", "url",
/// "links" and "images", and the share of each kind of alert}, without what is unknown. Empty for text and
/// wikitext without alerts, and for a page that says nothing about itself (page_metadata.h).
[[nodiscard]] std::string file_metadata(const extract::Document& document);

}  // namespace akin::ingest
