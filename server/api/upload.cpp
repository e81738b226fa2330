// Many files in one request: a line of the answer for each document in them.
#include <atomic>
#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/exceptions.h"
#include "base/run_permits.h"
#include "base/utf8.h"
#include "morph/text/has_word.h"
#include "server/api/body.h"
#include "server/api/document_queue.h"
#include "server/api/file_object.h"
#include "server/api/handlers.h"
#include "server/api/metadata.h"
#include "server/api/uploaded_files.h"
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

struct UploadTally {
  std::uint64_t files = 0, created = 0, replaced = 0, unchanged = 0, errors = 0, hidden = 0, bytes = 0;
  std::uint64_t no_words = 0;  ///< stored, and without a word
};

/// Writes the outcomes in the order in which the documents were read. Writes nothing more after a write to
/// the client has failed. Thread-safe.
class UploadReport {
 public:
  explicit UploadReport(AnswerSink& sink) noexcept : sink_(sink) {}

  /// The place of a document that will be stored.
  [[nodiscard]] std::uint64_t await(UploadEntry entry) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(entry));
    return first_ + entries_.size() - 1;
  }
  void refused(UploadEntry entry, const Error& error) {
    const std::lock_guard lock(mutex_);
    fail(entries_.emplace_back(std::move(entry)), error);
    write();
  }
  void unchanged(UploadEntry entry) {
    const std::lock_guard lock(mutex_);
    Json line = begin_line(entry, "unchanged");
    ++tally_.unchanged;
    finish(entries_.emplace_back(std::move(entry)), line);
    write();
  }
  void count_file(std::uint64_t hidden) {
    const std::lock_guard lock(mutex_);
    ++tally_.files;
    tally_.hidden += hidden;
  }
  /// After an exception nothing more is reported, and the client sees that the answer is incomplete.
  void stored(std::span<const OwnedDocument> documents, std::span<const Result<PutResult>> results) noexcept {
    const std::lock_guard lock(mutex_);
    Result<void> written = without_exceptions([&]() -> Result<void> {
      for (std::size_t i = 0; i < documents.size(); ++i) {
        UploadEntry& entry = entries_.at(documents[i].place - first_);
        if (results[i].has_error()) {
          fail(entry, results[i].error());
        } else {
          succeed(entry, documents[i], *results[i]);
        }
      }
      write();
      return {};
    });
    if (written.has_error()) give_up(std::move(written).failure());
  }
  /// The body is malformed from here on; the answer ends with this line.
  void broken(const Error& error) {
    const std::lock_guard lock(mutex_);
    Json line;
    line["name"] = nullptr;
    line["id"] = nullptr;
    line["status"] = "error";
    line["error"] = error_object(error);
    if (!gone_) static_cast<void>(sink_.write(line.dump() + "\n"));
  }
  Result<void> summary() {
    const std::lock_guard lock(mutex_);
    if (failure_) return *failure_;
    Json entry;
    entry["files"] = tally_.files;
    entry["created"] = tally_.created;
    entry["replaced"] = tally_.replaced;
    entry["unchanged"] = tally_.unchanged;
    entry["errors"] = tally_.errors;
    entry["hidden"] = tally_.hidden;
    entry["no_words"] = tally_.no_words;
    entry["bytes"] = tally_.bytes;
    Json object;
    object["summary"] = std::move(entry);
    return sink_.write(object.dump() + "\n");
  }
  [[nodiscard]] bool client_is_gone() const noexcept { return gone_; }

 private:
  static Json begin_line(const UploadEntry& entry, std::string_view status) {
    Json line;
    line["name"] = entry.name;
    line["id"] = entry.id.empty() ? Json(nullptr) : Json(entry.id);
    line["status"] = status;
    return line;
  }
  static void finish(UploadEntry& entry, const Json& line) { entry.line = line.dump() + "\n"; }

  void fail(UploadEntry& entry, const Error& error) {
    ++tally_.errors;
    Json line = begin_line(entry, "error");
    line["error"] = error_object(error);
    finish(entry, line);
  }
  void succeed(UploadEntry& entry, const OwnedDocument& document, const PutResult& result) {
    ++(result.replaced ? tally_.replaced : tally_.created);
    if (!has_word(document.text)) ++tally_.no_words;
    tally_.bytes += document.text.size();
    Json line = begin_line(entry, result.replaced ? "replaced" : "created");
    add_stored(line, result.revision, *document.findings, std::move(entry.file));
    finish(entry, line);
  }
  /// Sends the lines up to the first document whose outcome is not known.
  void write() {
    std::string lines;
    for (; !entries_.empty() && !entries_.front().line.empty(); ++first_) {
      lines += entries_.front().line;
      entries_.pop_front();
    }
    if (lines.empty() || gone_) return;
    if (Result<void> sent = sink_.write(lines); sent.has_error()) give_up(std::move(sent).failure());
  }
  void give_up(Failure failure) noexcept {
    failure_ = std::move(failure);
    gone_ = true;
  }

  std::mutex mutex_;  ///< guards the rest
  AnswerSink& sink_;
  std::deque<UploadEntry> entries_;
  std::uint64_t first_ = 0;  ///< the place of the first of them
  UploadTally tally_;
  std::optional<Failure> failure_;
  std::atomic<bool> gone_ = false;
};

/// Adds what the request says to the metadata of the file itself.
Result<void> describe_upload(OwnedDocument& document, const std::string& given) {
  if (document.metadata.size() > kMaxMetadata) document.metadata.clear();
  if (given.empty()) return {};
  Json metadata = Json::object();
  if (!document.metadata.empty()) {
    AKIN_TRY(metadata, parse_json(document.metadata));
  }
  AKIN_TRY(const Json added, parse_json(given));
  metadata.update(added);
  AKIN_TRY(const Fields fields, Fields::read(Json{{"metadata", std::move(metadata)}}, {"metadata"}));
  AKIN_TRY(document.metadata, read_metadata(fields));
  return {};
}

/// Reads the documents in uploaded files, and hands them on to be stored.
class Upload {
 public:
  Upload(const Call& call, Collection& collection, DocumentQueue& documents, UploadReport& report)
      : call_(call), collection_(collection), documents_(documents), report_(report), known_(collection) {}

  /// False if documents are no longer stored.
  bool take(UploadedFile uploaded) {
    const std::string name = ingest::display_name(uploaded.file.name), id = uploaded.file.id;
    if (!uploaded.refused && !ids_.insert(id).second) {
      uploaded.refused =
          Error{Errc::already_exists, "id " + in_quotes(id), "two files of this request have it",
                "give one of them another name, or the form field 'id' before it"};
    }
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
      const RunPermits::Waiting waiting;
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
    if (const Result<void> described = describe_upload(document, uploaded.metadata); described.has_error()) {
      report_.refused(std::move(entry), described.error());
      return true;
    }
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
  std::set<std::string> ids_;  ///< of the files so far
};

}  // namespace

Result<std::optional<Response>> post_upload(const Call& call, BodySource& body, AnswerSink& sink) {
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
