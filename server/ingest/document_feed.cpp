#include "server/ingest/document_feed.h"

#include <algorithm>
#include <array>
#include <system_error>
#include <thread>
#include <utility>

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "extract/text_layout.h"
#include "server/ingest/input.h"
#include "server/ingest/read_document.h"
#include "server/ingest/wiki_markup.h"

namespace akin::ingest {

namespace {

std::string stem_of(const InputFile& file) {
  return std::filesystem::path(file.path == "-" ? file.id : file.path.native()).stem().native();
}

/// Whether a file is worth a thread of its own, by its name: its content decides how it is read.
bool is_slow(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 10> kEnds = {".pdf", ".djvu", ".djv", ".docx", ".doc",
                                                      ".odt", ".epub", ".fb2", ".rtf",  ".zip"};
  const std::string name = ascii_lower(path.filename().native());
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return name.ends_with(end); });
}

/// JSON of numbers and a time only, so that nothing needs escaping.
std::string metadata_of(const DumpPage& page) {
  std::string metadata =
      "{\"page\":" + std::to_string(page.id) + ",\"revision\":" + std::to_string(page.revision);
  if (parse_rfc3339(page.time)) metadata += ",\"time\":\"" + page.time + "\"";
  return metadata + "}";
}

}  // namespace

DocumentFeed::DocumentFeed(const std::vector<InputFile>& files, Reading reading,
                           std::function<void(Error)> refused)
    : files_(files), reading_(std::move(reading)), refused_(std::move(refused)) {}

std::uint64_t DocumentFeed::bytes_ahead() const noexcept {
  return dump_ != nullptr || next_ == files_.size() ? 0 : files_[next_].bytes;
}

std::optional<OwnedDocument> DocumentFeed::next() {
  for (;;) {
    if (dump_ != nullptr) {
      if (auto page = read_page(); page && is_described(*page)) return page;
      continue;
    }
    if (next_ == files_.size()) return std::nullopt;
    read_ahead();
    const InputFile& file = files_[next_++];
    if (auto document = read_file(file); document && is_described(*document)) return document;
  }
}

bool DocumentFeed::is_described(OwnedDocument& document) const {
  if (!reading_.describe) return true;
  Result<void> described = reading_.describe(document);
  if (!described.has_error()) return true;
  refused_(std::move(described).error());
  return false;
}

void DocumentFeed::read_ahead() {
  if (reading_.format != Format::automatic) return;
  const std::size_t last = std::min(files_.size(), next_ + std::max(1U, std::thread::hardware_concurrency()));
  for (std::size_t i = next_; i < last; ++i) {
    if (ahead_.contains(i) || !is_slow(files_[i].path)) continue;
    const DocumentReading reading{reading_.format, reading_.encoding};
    try {
      auto read = std::async(std::launch::async,
                             [path = files_[i].path, reading] { return read_document(path, reading); });
      ahead_.emplace(i, std::move(read));
    } catch (const std::system_error&) {
      return;  // without another thread the file is read when its turn comes
    }
  }
}

std::optional<OwnedDocument> DocumentFeed::read_file(const InputFile& file) {
  const Format format = reading_.format == Format::automatic ? format_of(file.path) : reading_.format;
  auto document = format == Format::mediawiki ? read_wiki(file) : read_single(file);
  if (document.has_error()) refused_(document.error());
  if (dump_ != nullptr) return std::nullopt;
  bytes_before_ += file.bytes;
  bytes_read_ = bytes_before_;
  if (document.has_error()) return std::nullopt;
  (*document)->place = next_ - 1;
  return *std::move(document);
}

Result<std::optional<OwnedDocument>> DocumentFeed::read_single(const InputFile& file) {
  auto ahead = ahead_.extract(next_ - 1);
  AKIN_TRY(extract::Document read, ahead.empty()
                                       ? read_document(file.path, {reading_.format, reading_.encoding})
                                       : ahead.mapped().get());
  std::string metadata = file_metadata(read);
  if (metadata.size() > kMaxMetadataBytes) metadata.clear();
  OwnedDocument document{file.id, reading_.title, std::move(metadata), std::move(read.text)};
  if (document.title.empty()) document.title = extract::whole_characters(read.metadata.title, kMaxTitleBytes);
  if (document.title.empty()) document.title = stem_of(file);
  return std::optional(std::move(document));
}

Result<std::optional<OwnedDocument>> DocumentFeed::read_wiki(const InputFile& file) {
  const std::string name = display_name(file.path);
  AKIN_TRY(auto source, ByteSource::open(file.path));
  AKIN_TRY(const std::string_view begin, source->peek());
  if (begins_as_dump(begin)) {
    AKIN_TRY(dump_, DumpReader::open(std::move(source), name, reading_.namespaces));
    return std::optional<OwnedDocument>();
  }
  AKIN_TRY(const std::string markup, read_text(*source, name));
  OwnedDocument document{file.id, reading_.title, {}, read_wiki_markup(markup)};
  if (document.title.empty()) document.title = stem_of(file);
  return std::optional(std::move(document));
}

std::optional<OwnedDocument> DocumentFeed::read_page() {
  const InputFile& file = files_[next_ - 1];
  Result<std::optional<DumpPage>> page = dump_->next();
  bytes_read_ = bytes_before_ + dump_->bytes_read();
  if (page.has_error() || !*page) {
    if (page.has_error()) refused_(page.error());
    const DumpSkips& skips = dump_->skips();
    skips_.redirects += skips.redirects;
    skips_.other_namespaces += skips.other_namespaces;
    skips_.other_models += skips.other_models;
    bytes_before_ += file.bytes;
    dump_.reset();
    return std::nullopt;
  }
  OwnedDocument document{file.id + "/" + (*page)->title, (*page)->title, metadata_of(**page),
                         read_wiki_markup((*page)->text)};
  document.place = next_ - 1;
  return document;
}

std::string document_name(const std::vector<InputFile>& files, const OwnedDocument& document) {
  const InputFile& file = files[document.place];
  std::string name = display_name(file.path);
  if (document.id.size() > file.id.size()) name += " page '" + document.id.substr(file.id.size() + 1) + "'";
  return name;
}

}  // namespace akin::ingest
