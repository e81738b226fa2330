// Many files in one request: a line of the answer for each document in them.
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/sha256.h"
#include "base/utf8.h"
#include "base/waiting.h"
#include "server/api/handlers.h"
#include "server/api/read/body.h"
#include "server/api/read/document_queue.h"
#include "server/api/read/metadata.h"
#include "server/api/read/uploaded_files.h"
#include "server/api/routes/outcome_lines.h"
#include "server/api/write/file_object.h"
#include "server/ingest/input.h"
#include "server/ingest/read_document.h"
#include "server/ingest/stored_files.h"

namespace akin::api {

namespace {

/// A document of the upload on its way to its line of the answer.
struct UploadEntry {
  std::string name;       ///< of its file, in messages
  std::string id;         ///< empty: not known
  Json file = nullptr;    ///< file_object, if the file is described
  std::string line = {};  ///< set: the outcome is known
};

/// Writes the outcomes in the order in which the documents were read. Thread-safe.
class UploadReport {
 public:
  explicit UploadReport(AnswerSink& sink) noexcept : sink_(sink), outcomes_(sink) {}

  /// The place of a document that will be stored.
  [[nodiscard]] std::uint64_t await(UploadEntry entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
    return first_ + entries_.size() - 1;
  }
  void refused(UploadEntry entry, const Error& error) {
    const std::lock_guard lock(mutex_);
    fail(entries_.emplace_back(std::move(entry)), error);
    outcomes_.write([this] { return known(); });
  }
  void unchanged(UploadEntry entry) {
    const std::lock_guard lock(mutex_);
    Json line = begin_line(entry);
    outcomes_.unchanged(line);
    finish(entries_.emplace_back(std::move(entry)), line);
    outcomes_.write([this] { return known(); });
  }
  void count_file(std::uint64_t hidden) {
    const std::lock_guard lock(mutex_);
    ++files_;
    hidden_ += hidden;
  }
  void stored(std::span<const OwnedDocument> documents, std::span<const Result<PutResult>> results) noexcept {
    const std::lock_guard lock(mutex_);
    outcomes_.write([&] {
      for (std::size_t i = 0; i < documents.size(); ++i) {
        UploadEntry& entry = entries_.at(documents[i].place - first_);
        if (results[i].has_error()) {
          fail(entry, results[i].error());
        } else {
          succeed(entry, documents[i], *results[i]);
        }
      }
      return known();
    });
  }
  /// The body is malformed from here on; the answer ends with this line.
  void broken(const Error& error) {
    const std::lock_guard lock(mutex_);
    Json line{{"name", nullptr}, {"id", nullptr}};
    outcomes_.failed(line, error);
    if (!client_is_gone()) static_cast<void>(sink_.write(line.dump() + "\n"));
  }
  Result<void> summary() {
    const std::lock_guard lock(mutex_);
    const Tally& tally = outcomes_.tally();
    return outcomes_.summary({{"files", files_},
                              {"created", tally.created},
                              {"replaced", tally.replaced},
                              {"unchanged", tally.unchanged},
                              {"errors", tally.errors},
                              {"hidden", hidden_},
                              {"no_words", tally.no_words},
                              {"bytes", tally.bytes}});
  }
  [[nodiscard]] bool client_is_gone() const noexcept { return outcomes_.client_is_gone(); }

 private:
  static Json begin_line(const UploadEntry& entry) {
    return {{"name", entry.name}, {"id", entry.id.empty() ? Json(nullptr) : Json(entry.id)}};
  }
  static void finish(UploadEntry& entry, const Json& line) { entry.line = line.dump() + "\n"; }

  void fail(UploadEntry& entry, const Error& error) {
    Json line = begin_line(entry);
    outcomes_.failed(line, error);
    finish(entry, line);
  }
  void succeed(UploadEntry& entry, const OwnedDocument& document, const PutResult& result) {
    Json line = begin_line(entry);
    outcomes_.stored(line, document, result);
    add_stored(line, result.revision, *document.findings, std::move(entry.file));
    finish(entry, line);
  }
  /// The lines up to the first document whose outcome is not known.
  std::string known() {
    std::string lines;
    for (; !entries_.empty() && !entries_.front().line.empty(); ++first_) {
      lines += entries_.front().line;
      entries_.pop_front();
    }
    return lines;
  }

  std::mutex mutex_;  ///< guards the rest
  AnswerSink& sink_;
  OutcomeLines outcomes_;
  std::deque<UploadEntry> entries_;
  std::uint64_t first_ = 0;  ///< the place of the first of them
  std::uint64_t files_ = 0, hidden_ = 0;
};

/// Reads the documents in uploaded files, and hands them on to be stored.
class Upload {
 public:
  Upload(const Call& call, Collection& collection, DocumentQueue& documents, UploadReport& report)
      : call_(call), collection_(collection), documents_(documents), report_(report), known_(collection) {}

  /// False if documents are no longer stored.
  bool take(UploadedFile uploaded) {
    const std::string name = ingest::display_name(uploaded.file.name), id = uploaded.file.id;
    if (!uploaded.refused) uploaded.refused = wrong_id(id);
    Result<ingest::FileContent> content = uploaded.refused ? *uploaded.refused : read(uploaded);
    report_.count_file(content.has_error() ? 0 : content->hidden);
    if (content.has_error()) {
      report_.refused({name, shown_id(id)}, content.error());
      return true;
    }
    for (ingest::FileDocument& document : content->documents) {
      UploadEntry entry{name + document.id.substr(id.size()), document.id};
      if (!store(std::move(entry), std::move(document), uploaded)) return false;
    }
    for (const Error& error : content->refused) {
      const bool member = error.what.starts_with(name);
      report_.refused(
          {member ? error.what : name, shown_id(id + (member ? error.what.substr(name.size()) : ""))}, error);
    }
    return true;
  }

 private:
  std::optional<Error> wrong_id(const std::string& id) {
    if (const Result<void> checked = check_document_id(id); checked.has_error()) return checked.error();
    if (ids_.insert(sha256(id)).second) return std::nullopt;
    return Error{Errc::already_exists, "id " + in_quotes(id), "two files of this request have it",
                 "give one of them another name, or the form field 'id' before it"};
  }

  /// Empty for one that is not UTF-8: JSON cannot contain it.
  static std::string shown_id(const std::string& id) { return validate_utf8(id, "").has_error() ? "" : id; }

  Result<ingest::FileContent> read(UploadedFile& uploaded) {
    ingest::Reading reading;
    reading.encoding = uploaded.encoding;
    reading.title = uploaded.title;
    reading.stored = &known_;
    reading.keep_files = collection_.keeps_files();
    if (!uploaded.metadata.empty())
      reading.description = [&uploaded](const std::string&) { return uploaded.metadata; };
    ingest::FileContent content;
    if (filter_of(uploaded.file) != nullptr || ingest::is_extracted(uploaded.file.bytes)) {
      const Waiting waiting;
      AKIN_TRY(const auto turn, turn_to_extract(call_.service, call_.request));
      content = read_sent_file(std::move(uploaded.file), reading);
    } else {
      content = read_sent_file(std::move(uploaded.file), reading);
    }
    known_.close();
    return content;
  }

  bool store(UploadEntry entry, ingest::FileDocument read, const UploadedFile& uploaded) {
    entry.id = shown_id(entry.id);
    if (!read.document) {
      report_.unchanged(std::move(entry));
      return true;
    }
    if (is_described(*read.document)) entry.file = file_object(*read.document);
    OwnedDocument document = owned_document(std::move(read), uploaded.title);
    Result<std::string> metadata = joined_metadata(document.metadata, uploaded.metadata);
    if (metadata.has_error()) {
      report_.refused(std::move(entry), metadata.error());
      return true;
    }
    document.metadata = *std::move(metadata);
    const std::uint64_t bytes =
        document.text.size() + (document.original ? document.original->bytes.size() : 0) + kDocumentOverhead;
    document.findings.emplace();
    document.place = report_.await(std::move(entry));
    return documents_.add(std::move(document), bytes);
  }

  const Call& call_;
  Collection& collection_;
  DocumentQueue& documents_;
  UploadReport& report_;
  ingest::StoredFiles known_;
  std::set<Sha256> ids_;  ///< digests of those of the files so far
};

}  // namespace

Result<std::optional<Response>> upload_files(const Call& call, BodySource& body, AnswerSink& sink) {
  AKIN_TRY(UploadedFiles files, UploadedFiles::open(call, body));
  AKIN_TRY(const auto collection, open_collection(call));
  // What is wrong up to the end of the first file still gets an answer of its own.
  AKIN_TRY(auto file, files.next());
  DocumentQueue documents;
  UploadReport report(sink);
  Result<void> stored = store_while_reading(
      *collection, documents,
      [&](std::span<const OwnedDocument> batch, std::span<const Result<PutResult>> results) {
        report.stored(batch, results);
      },
      [&]() -> Result<void> {
        AKIN_CHECK(sink.begin(Response{200, {{"Content-Type", std::string(kLinesType)}}, ""}));
        Upload upload(call, *collection, documents, report);
        while (file && !report.client_is_gone() && upload.take(*std::move(file))) {
          AKIN_TRY(file, files.next());
        }
        return {};
      });
  if (call.service.watches) call.service.watches->notify();
  if (stored.has_error()) report.broken(stored.error());
  AKIN_CHECK(stored);
  AKIN_CHECK(report.summary());
  return std::optional<Response>();
}

}  // namespace akin::api
