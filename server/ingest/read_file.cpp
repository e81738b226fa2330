#include "server/ingest/read_file.h"

#include <utility>
#include <variant>

#include "base/bytes.h"
#include "base/hex.h"
#include "extract/content.h"
#include "extract/formats/claimed_type.h"
#include "extract/formats/formats.h"
#include "extract/text_layout.h"
#include "server/ingest/input.h"
#include "server/ingest/places.h"
#include "server/ingest/read_document.h"
#include "server/ingest/wiki_dump.h"
#include "server/json/json.h"

namespace akin::ingest {

namespace {

/// A file, or a member of an archive.
struct Source {
  std::string id;
  std::filesystem::path path;  ///< of the file, or within the archive
  std::string name;            ///< the last part of the path; of standard input, of the id
  std::string shown;           ///< in messages
  unsigned depth = 0;          ///< archives around it
  const extract::Filter* filter = filter_of_name(name);
  std::string media = {};  ///< of a file that was sent

  /// Whether the media type claims what the name does not.
  [[nodiscard]] bool speaks_by_media() const {
    return extract::type_of_name(name).empty() && !extract::type_of_media(media).empty();
  }
};

std::string name_of(const std::filesystem::path& path) { return path.filename().native(); }

/// A hash of everything besides the bytes of a file that decides what is stored. Raise the number when akin
/// reads files or describes documents differently, so that an index is read again.
std::uint64_t reading_key(const Source& source, const Reading& reading) {
  constexpr int kVersion = 3;
  json::Json all =
      json::Json::array({kVersion, reading.format, reading.encoding, hex_of(reading.title),
                         hex_of(source.name), reading.description ? reading.description(source.id) : "",
                         source.filter == nullptr ? std::vector<std::string>() : source.filter->command});
  if (source.speaks_by_media()) all.push_back(hex_of(source.media));
  return load_u64(reinterpret_cast<const char*>(sha256(all.dump()).data()));
}

class FileReader {
 public:
  explicit FileReader(const Reading& reading) : reading_(reading) {}

  FileContent read(SentFile file) {
    sent_ = true;
    const std::filesystem::path path(file.name);
    Source source{file.id, path, name_of(path), display_name(path)};
    source.filter = filter_of(file);
    source.media = std::move(file.media);
    if (Result<void> taken = take(source, std::move(file.bytes)); taken.has_error())
      content_.refused.push_back(taken.error());
    return std::move(content_);
  }

  FileContent read(const InputFile& file) {
    const Source source{file.id, file.path,
                        name_of(file.path == "-" ? std::filesystem::path(file.id) : file.path),
                        display_name(file.path)};
    Result<std::string> bytes = read_bytes(file.path);
    Result<void> taken = bytes.has_error() ? Result<void>(bytes.error()) : take(source, *std::move(bytes));
    if (taken.has_error()) content_.refused.push_back(taken.error());
    return std::move(content_);
  }

 private:
  Result<void> take(const Source& source, std::string bytes) {
    FileDocument one{source.id, source.name, {sha256(bytes), reading_key(source, reading_)}, {}};
    if (reading_.stored != nullptr) {
      AKIN_TRY(const std::optional<FileOrigin> stored, reading_.stored->find(source.id));
      if (stored && stored->reads_the_same(one.origin)) {
        content_.documents.push_back(std::move(one));
        return {};
      }
    }
    if (reading_.format == Format::automatic && source.filter != nullptr) {
      const DocumentReading filtered{.filter = source.filter};
      AKIN_TRY(one.document, document_of(bytes, filtered, source.shown));
    } else if (reading_.format == Format::automatic && is_extracted(bytes)) {
      AKIN_TRY(extract::Content content, content_of(source, bytes));
      if (const auto* unpacked = std::get_if<extract::Unpacked>(&content)) {
        bytes = {};
        return enter(source, *unpacked);
      }
      one.document = std::get<extract::Document>(std::move(content));
    } else {
      AKIN_TRY(const Format format, format_in(source, bytes));
      AKIN_TRY(one.document, document_of(bytes, {format, reading_.encoding}, source.shown));
    }
    if (reading_.format == Format::automatic) check_claims(*one.document, source);
    if (reading_.keep_files && !bytes.empty())
      one.original = original_file(source.name, one.document->type, std::move(bytes));
    content_.documents.push_back(std::move(one));
    return {};
  }

  static Result<extract::Content> content_of(const Source& source, const std::string& bytes) {
    AKIN_TRY(extract::Content content, extracted_content(bytes, source.shown));
    if (source.depth < kMostArchiveDepth || std::holds_alternative<extract::Document>(content))
      return content;
    return Error{Errc::type_unsupported, source.shown,
                 "is an archive within " + std::to_string(kMostArchiveDepth) + " others, and is not read",
                 "unpack the outer ones"};
  }

  [[nodiscard]] Result<Format> format_in(const Source& source, const std::string& bytes) const {
    if (reading_.format != Format::automatic) return reading_.format;
    if (source.depth == 0 && !sent_) return format_of(source.path);
    const Format format = format_of_name(source.path);
    const bool page = source.speaks_by_media() && extract::type_of_media(source.media) == "html";
    if (!begins_as_dump(bytes)) return page ? Format::html : format;
    if (source.depth == 0) {
      return Error{Errc::type_unsupported, source.shown, "is a MediaWiki dump, and is not read here",
                   "store its pages with akin index"};
    }
    return Error{Errc::type_unsupported, source.shown, "is a MediaWiki dump in an archive, and is not read",
                 "unpack it"};
  }

  static void check_claims(extract::Document& document, const Source& source) {
    check_name(document, source.name);
    if (source.speaks_by_media())
      extract::check_claim(document, extract::type_of_media(source.media), source.media);
  }

  /// An error ends the reading of the outermost archive; that of a member is recorded.
  Result<void> enter(const Source& archive, const extract::Unpacked& unpacked) {
    if (!reading_.title.empty()) {
      return Error{Errc::invalid_argument, archive.shown,
                   "is an archive, whose documents have titles of their own", "leave the title out"};
    }
    content_.hidden += unpacked.hidden;
    members_ += unpacked.members.size();
    for (const extract::Member& member : unpacked.members) bytes_ += member.bytes.size();
    for (const extract::Member& member : unpacked.members) {
      if (members_ > extract::kMostMembers || bytes_ > extract::kMostUnpacked) return too_much(archive);
      const Source source{archive.id + std::string(kMemberMark) + member.name, member.name,
                          name_of(member.name), archive.shown + std::string(kMemberMark) + member.name,
                          archive.depth + 1};
      Result<void> taken = member.error ? Result<void>(*member.error) : take(source, member.bytes);
      if (!taken.has_error()) continue;
      Error error = taken.error();
      if (error.code == Errc::file_too_large || error.code == Errc::extraction_timed_out)
        bytes_ += kCostOfExcess;
      error.what = source.shown;
      content_.refused.push_back(std::move(error));
    }
    if (!unpacked.broken) return {};
    Error error = *unpacked.broken;
    error.what = archive.shown;
    return error;
  }

  static Error too_much(const Source& archive) {
    return {Errc::file_too_large, archive.shown,
            "the archives in it have together more than " + std::to_string(extract::kMostMembers) +
                " members or " + std::to_string(extract::kMostUnpacked >> 20U) + " MiB; the rest is not read",
            "unpack it"};
  }

  /// What a member that is too large, or takes too long, counts as: few of them end the reading.
  static constexpr std::uint64_t kCostOfExcess = extract::kMostUnpacked / 16;

  const Reading& reading_;
  bool sent_ = false;  ///< the file is in memory only
  FileContent content_;
  std::uint64_t members_ = 0, bytes_ = 0;  ///< of all archives in the file
};

}  // namespace

FileContent read_file(const InputFile& file, const Reading& reading) {
  return FileReader(reading).read(file);
}

FileContent read_sent_file(SentFile file, const Reading& reading) {
  return FileReader(reading).read(std::move(file));
}

const extract::Filter* filter_of(const SentFile& file) {
  const extract::Filter* of_name = filter_of_name(name_of(file.name));
  return of_name != nullptr ? of_name : filter_of_media(file.media);
}

OwnedDocument owned_document(FileDocument read, const std::string& title) {
  OwnedDocument document{std::move(read.id), title, {}, {}};
  document.metadata = file_metadata(*read.document);
  if (document.metadata.size() > kMaxMetadataBytes) document.metadata.clear();
  document.places = encode_places(*read.document);
  document.text = std::move(read.document->text);
  document.file = read.origin;
  document.original = std::move(read.original);
  if (document.title.empty())
    document.title = extract::whole_characters(read.document->metadata.title, kMaxTitleBytes);
  if (document.title.empty()) document.title = std::filesystem::path(read.name).stem().native();
  return document;
}

}  // namespace akin::ingest
