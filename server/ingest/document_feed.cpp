#include "server/ingest/document_feed.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <system_error>
#include <utility>

#include "base/ascii.h"
#include "base/parallel.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
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
  constexpr std::array<std::string_view, 16> kEnds = {".pdf",  ".djvu", ".djv", ".docx", ".doc", ".odt",
                                                      ".epub", ".fb2",  ".rtf", ".zip",  ".tar", ".gz",
                                                      ".tgz",  ".xz",   ".zst", ".7z"};
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
    if (!waiting_.empty()) {
      if (auto document = next_waiting(); document && is_described(*document)) return document;
      continue;
    }
    if (next_ == files_.size()) {
      if (reading_.stored != nullptr) reading_.stored->close();
      return std::nullopt;
    }
    read_ahead();
    const InputFile& file = files_[next_++];
    if (auto document = read_file(file); document && is_described(*document)) return document;
  }
}

bool DocumentFeed::is_described(OwnedDocument& document) const {
  if (!reading_.describe) return true;
  Result<void> described = reading_.describe(document);
  if (!described.has_error()) return true;
  Error error = std::move(described).error();
  error.what = document_name(files_, document) + ": " + error.what;
  refused_(std::move(error));
  return false;
}

void DocumentFeed::read_ahead() {
  if (reading_.format != Format::automatic) return;
  const std::size_t last = std::min(files_.size(), next_ + thread_count(0));
  for (std::size_t i = next_; i < last; ++i) {
    if (ahead_.contains(i) || !is_slow(files_[i].path)) continue;
    try {
      auto read =
          std::async(std::launch::async, [this, i] { return ingest::read_file(files_[i], reading_); });
      ahead_.emplace(i, std::move(read));
    } catch (const std::system_error&) {
      return;  // without another thread the file is read when its turn comes
    }
  }
}

std::optional<OwnedDocument> DocumentFeed::read_file(const InputFile& file) {
  const Format format = reading_.format == Format::automatic ? format_of(file.path) : reading_.format;
  std::optional<OwnedDocument> document;
  if (format == Format::mediawiki) {
    Result<std::optional<OwnedDocument>> read = read_wiki(file);
    if (read.has_error()) {
      refused_(read.error());
    } else {
      document = *std::move(read);
    }
  } else {
    read_single(file);
  }
  if (dump_ != nullptr) return std::nullopt;
  bytes_before_ += file.bytes;
  bytes_read_ = bytes_before_;
  if (document) document->place = next_ - 1;
  return document;
}

void DocumentFeed::read_single(const InputFile& file) {
  auto ahead = ahead_.extract(next_ - 1);
  FileContent content = ahead.empty() ? ingest::read_file(file, reading_) : ahead.mapped().get();
  for (Error& error : content.refused) refused_(std::move(error));
  hidden_ += content.hidden;
  std::ranges::move(content.documents, std::back_inserter(waiting_));
}

std::optional<OwnedDocument> DocumentFeed::next_waiting() {
  FileDocument read = std::move(waiting_.front());
  waiting_.pop_front();
  if (!read.document) {
    ++unchanged_;
    // Whatever describes documents counts those that it knows.
    OwnedDocument known{std::move(read.id), reading_.title, {}, {}};
    if (reading_.describe) static_cast<void>(reading_.describe(known));
    return std::nullopt;
  }
  OwnedDocument document = owned_document(std::move(read), reading_.title);
  document.place = next_ - 1;
  return document;
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
  if (document.id.size() <= file.id.size()) return name;
  const std::string rest = document.id.substr(file.id.size());
  name += rest.starts_with(kMemberMark) ? rest : " page '" + rest.substr(1) + "'";
  return name;
}

}  // namespace akin::ingest
