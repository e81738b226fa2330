#include "server/ingest/read_document.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <variant>

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "extract/client/extractor.h"
#include "extract/client/page_answer.h"
#include "extract/formats/claimed_type.h"
#include "extract/formats/formats.h"
#include "extract/plain/mended_encoding.h"
#include "extract/plain/repeated_text.h"
#include "extract/text_layout.h"
#include "server/ingest/declared_language.h"
#include "server/ingest/input.h"
#include "server/ingest/notebook.h"
#include "server/ingest/page_metadata.h"
#include "server/ingest/wiki_dump.h"
#include "server/ingest/wiki_markup.h"
#include "server/json/json.h"

namespace akin::ingest {

namespace {

constexpr std::string_view kTextType = "text", kHtmlType = "html", kWikiType = "mediawiki";

/// An archive or a ZIP that akin-extract does not read has a remedy of its own.
template <class T>
Result<T> or_remedy(Result<T> read, std::string_view bytes, const std::string& name) {
  if (read.has_error() && read.error().code == Errc::type_unsupported &&
      extract::type_of(bytes) != extract::FileType::compound) {
    if (auto known = extract::not_text(bytes, name)) return *std::move(known);
  }
  return read;
}

/// Parsers and converters of libraries read it in akin-extract, unless that is not installed or cannot close
/// its sandbox on this kernel.
Result<extract::Page> page_of(const extract::PageRequest& request, const std::string& name) {
  if (extract::installed_extractor().empty()) return extract::read_page(request, name);
  extract::Extractor& extractor = extract::Extractor::installed();
  const Result<extract::Sandbox> sandbox = extractor.sandbox();
  if (sandbox.has_value() && !sandbox->holds()) return extract::read_page(request, name);
  return extractor.page(request, name);
}

/// UTF-8 needs no converter.
Result<std::string> plain_text(std::string_view bytes, const std::string& encoding, const std::string& name) {
  const std::string wanted = ascii_lower(encoding);
  const bool automatic = wanted == extract::kAutoName;
  const bool may_switch = automatic && bytes.find('\x1B') != std::string_view::npos;  // ISO 2022
  if ((automatic || wanted == extract::kUtf8Name) && !may_switch && validate_utf8(bytes, name).has_value())
    return extract::decode_text(std::string(bytes), encoding, name);
  AKIN_TRY(extract::Page page, page_of({false, encoding, bytes}, name));
  return std::move(page.text);
}

Result<extract::Document> html_document(std::string_view bytes, const std::string& encoding,
                                        const std::string& name) {
  AKIN_TRY(extract::Page page, page_of({true, encoding, bytes}, name));
  extract::Document document;
  document.type = kHtmlType;
  describe_page(document.metadata, page.facts);
  document.metadata.title = std::move(page.title);
  document.metadata.language = std::move(page.language);
  const std::size_t seen = count_code_points(page.text);
  const auto report = [&](extract::FileAlertKind kind, std::size_t characters, std::size_t unread,
                          std::string_view text, std::uint32_t at, extract::HidingSet ways = 0) {
    if (characters == 0) return;
    const double all = static_cast<double>(std::max<std::size_t>(seen + unread, 1));
    extract::FileAlert alert{.kind = kind,
                             .characters = characters,
                             .share = std::min(static_cast<double>(characters) / all, 1.0),
                             .sample = std::string(extract::whole_characters(text, extract::kSampleBytes)),
                             .page = 0,
                             .part = 0,
                             .at = at,
                             .ways = ways};
    if (extract::is_enough(alert)) document.alerts.push_back(std::move(alert));
  };
  const std::size_t hidden = count_code_points(page.hidden), added = count_code_points(page.added);
  const extract::ScriptText& shown = page.script_text;
  report(extract::FileAlertKind::hidden_text, hidden, hidden, page.hidden, page.hidden_at, page.ways);
  report(extract::FileAlertKind::text_left_out, added, added, page.added, 0);
  report(extract::FileAlertKind::script_text, shown.characters, shown.is_read ? 0 : shown.characters,
         shown.sample, shown.at);
  report(extract::FileAlertKind::interleaved_text, page.interleaved, 0, page.interleaved_sample, 0);
  document.hidden = std::move(page.hidden);
  document.text = std::move(page.text);
  return document;
}

std::string joined(const std::vector<std::string>& all) {
  std::string line;
  for (const std::string& one : all) line += (line.empty() ? "" : "; ") + one;
  return line;
}

Result<extract::Document> document_as_written(std::string_view bytes, const DocumentReading& reading,
                                              const std::string& name) {
  if (reading.format == Format::automatic && reading.filter != nullptr)
    return extract::Extractor::installed().filtered(bytes, *reading.filter, name);
  if (reading.format == Format::automatic && is_extracted(bytes))
    return or_remedy(extract::Extractor::installed().read(bytes, name, reading.sampling), bytes, name);
  if (reading.format == Format::html) return html_document(bytes, reading.encoding, name);
  const bool wiki = reading.format == Format::mediawiki && !begins_as_dump(bytes);
  extract::Document document;
  document.type = wiki ? kWikiType : kTextType;
  AKIN_TRY(document.text, plain_text(bytes, reading.encoding, name));
  if (wiki) {
    document.text = read_wiki_markup(document.text);
  } else if (auto cells = text_of_notebook(document.text)) {
    document.text = *std::move(cells);
  }
  return document;
}

/// Of a file with this path, whose bytes these are.
Result<extract::Document> document_of_file(const std::string& bytes, const std::filesystem::path& path,
                                           const DocumentReading& reading, const std::string& shown) {
  DocumentReading known = reading;
  known.filter = filter_of_name(path.filename().native());
  if (known.format == Format::automatic && known.filter == nullptr && !is_extracted(bytes)) {
    known.format = format_of(path);
    if (known.format == Format::text && extract::begins_as_page(bytes)) known.format = Format::html;
  }
  AKIN_TRY(extract::Document document, document_of(bytes, known, shown));
  document.sha256 = sha256(bytes);
  if (reading.format == Format::automatic) check_name(document, path.filename().native());
  return document;
}

/// The members of an archive; nothing of any other file.
Result<std::optional<extract::Unpacked>> members_of(const std::string& bytes,
                                                    const std::filesystem::path& path,
                                                    const DocumentReading& reading) {
  const extract::FileType type = extract::type_of(bytes);
  const bool may_be = type == extract::FileType::zip || type == extract::FileType::archive;
  if (!may_be || reading.format != Format::automatic || !is_extracted(bytes) ||
      filter_of_name(path.filename().native()) != nullptr)
    return std::optional<extract::Unpacked>();
  AKIN_TRY(extract::Content content, extracted_content(bytes, display_name(path)));
  if (auto* unpacked = std::get_if<extract::Unpacked>(&content)) return std::optional(std::move(*unpacked));
  return std::optional<extract::Unpacked>();
}

Result<extract::Document> not_empty(Result<extract::Document> document, const std::string& bytes,
                                    const std::string& name) {
  if (!bytes.empty()) return document;
  return Error{Errc::invalid_argument, "file '" + name + "'", "is empty",
               "hand in the file again, and whole"};
}

}  // namespace

void examine_text(extract::Document& document) {
  extract::mend_encoding(document);
  extract::report_repeated_text(document);
  report_contradicted_language(document);
}

const extract::Filter* filter_of_name(std::string_view name) {
  return extract::filter_of_name(extract::Extractor::installed().filters(), name);
}

const extract::Filter* filter_of_media(std::string_view media) {
  return extract::filter_of_media(extract::Extractor::installed().filters(), media);
}

bool is_extracted(std::string_view bytes) {
  return extract::type_of(bytes) != extract::FileType::other && !extract::installed_extractor().empty();
}

Result<extract::Content> extracted_content(const std::string& bytes, const std::string& name) {
  auto content = extract::Extractor::installed().content(bytes, name);
  if (content.has_value()) {
    if (auto* document = std::get_if<extract::Document>(&*content)) examine_text(*document);
  }
  if (extract::type_of(bytes) == extract::FileType::archive) return content;
  return or_remedy(std::move(content), bytes, name);
}

void check_name(extract::Document& document, const std::string& name) {
  if (validate_utf8(name, "").has_value()) extract::check_claim(document, extract::type_of_name(name), name);
}

Result<extract::Document> document_of(std::string_view bytes, const DocumentReading& reading,
                                      const std::string& name) {
  AKIN_TRY(extract::Document document, document_as_written(bytes, reading, name));
  examine_text(document);
  return document;
}

StoredFile original_file(std::string_view name, std::string_view type, std::string bytes) {
  StoredFile file;
  const bool plain = validate_utf8(name, "").has_value() && std::ranges::none_of(name, [](char c) {
                       return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
                     });
  if (plain) file.name = extract::whole_characters(name, kMaxFileNameBytes);
  file.media_type = extract::media_of_type(type, bytes);
  file.bytes = std::move(bytes);
  return file;
}

Result<extract::Document> read_document(const std::filesystem::path& path, const DocumentReading& reading,
                                        std::string* original) {
  AKIN_CHECK(extract::check_encoding(reading.encoding));
  AKIN_TRY(std::string bytes, read_bytes(path));
  AKIN_TRY(extract::Document document, document_of_file(bytes, path, reading, display_name(path)));
  if (original != nullptr) *original = std::move(bytes);
  return document;
}

Result<std::vector<Submission>> read_submissions(const std::filesystem::path& path,
                                                 const DocumentReading& reading) {
  AKIN_CHECK(extract::check_encoding(reading.encoding));
  AKIN_TRY(const std::string bytes, read_bytes(path));
  const std::string shown = display_name(path);
  AKIN_TRY(const std::optional<extract::Unpacked> archive, members_of(bytes, path, reading));
  std::vector<Submission> submissions;
  if (!archive) {
    submissions.push_back({shown, not_empty(document_of_file(bytes, path, reading, shown), bytes, shown)});
    return submissions;
  }
  for (const extract::Member& member : archive->members) {
    const std::string name = shown + "!/" + member.name;
    if (member.error) {
      submissions.push_back(
          {name, Error{member.error->code, name, member.error->reason, member.error->remedy}});
      continue;
    }
    submissions.push_back(
        {name, not_empty(document_of_file(member.bytes, member.name, reading, name), member.bytes, name)});
  }
  if (archive->broken) submissions.push_back({shown, *archive->broken});
  return submissions;
}

std::string file_metadata(const extract::Document& document) {
  const bool extracted =
      document.type != kTextType && document.type != kHtmlType && document.type != kWikiType;
  const extract::FileMetadata& known = document.metadata;
  const bool described = document.type == kHtmlType && describes_page(known);
  if (!extracted && !described && document.alerts.empty()) return {};
  json::Json object;
  object["format"] = document.type;
  if (document.pages > 0) object["pages"] = document.pages;
  if (!known.authors.empty()) object["author"] = joined(known.authors);
  if (!known.language.empty()) object["language"] = known.language;
  constexpr std::array<std::string_view, 5> kPublished = {"djvu", "epub", "fb2", "html", "xml"};
  const bool published = std::ranges::find(kPublished, document.type) != kPublished.end();
  if (parse_rfc3339(known.date)) object[published ? "date" : "created"] = known.date;
  if (!known.identifiers.empty()) object["identifiers"] = known.identifiers;
  if (!known.site.empty()) object["site"] = known.site;
  if (!known.address.empty()) object["url"] = known.address;
  if (described) {
    object["links"] = known.links;
    object["images"] = known.images;
  }
  for (const extract::FileAlert& alert : document.alerts)
    object[std::string(extract::kFileAlertNames[static_cast<std::size_t>(alert.kind)])] = alert.share;
  return json::compact(object);
}

}  // namespace akin::ingest
