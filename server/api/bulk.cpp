// Many documents in one request: lines in, a line out for each.
#include "index/bulk.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "base/exceptions.h"
#include "base/rfc3339.h"
#include "morph/text/has_word.h"
#include "server/api/body.h"
#include "server/api/body_line_reader.h"
#include "server/api/document_line.h"
#include "server/api/handlers.h"
#include "server/api/parameters.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

/// Memory for the lines that were read or analysed but not yet reported.
constexpr std::uint64_t kMemory = std::uint64_t{128} << 20;
/// Memory for a line in addition to its bytes.
constexpr std::uint64_t kLineOverhead = 256;

OwnedDocument document_of(const Line& line, std::size_t limit) {
  OwnedDocument document;
  if (line.too_long) {
    document.error = too_long(line, limit);
  } else if (Result<OwnedDocument> read = read_document_line(line.text); read.has_error()) {
    document.error = read.error();
  } else {
    document = *std::move(read);
  }
  document.place = line.number;
  return document;
}

/// Documents between the thread that reads and those that store. A batch waits for more documents only while
/// another one is under way, so a client may wait for an answer before it sends more.
class Documents {
 public:
  explicit Documents(std::uint64_t most) noexcept : most_(most) {}

  /// Waits until there is room. False if the documents are no longer taken.
  bool add(OwnedDocument document, std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return bytes_ < most_ || refused_; });
    if (refused_) return false;
    waiting_.push_back(std::move(document));
    bytes_ += bytes;
    changed_.notify_all();
    return true;
  }
  /// No document will be taken any more.
  void refuse() {
    const std::lock_guard lock(mutex_);
    refused_ = true;
    changed_.notify_all();
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  /// Returns all waiting documents, at the latest when they have `bytes`; none at the end.
  std::vector<OwnedDocument> take(std::uint64_t bytes) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] {
      return ended_ || bytes_ >= std::min(bytes, most_) || (!waiting_.empty() && under_way_ == 0);
    });
    if (!waiting_.empty()) ++under_way_;
    bytes_ = 0;
    changed_.notify_all();
    return std::exchange(waiting_, {});
  }
  /// A batch has been reported.
  void done() {
    const std::lock_guard lock(mutex_);
    --under_way_;
    changed_.notify_all();
  }

 private:
  const std::uint64_t most_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<OwnedDocument> waiting_;
  std::uint64_t bytes_ = 0;  ///< of the waiting documents
  std::uint64_t under_way_ = 0;
  bool ended_ = false;    ///< none will be added
  bool refused_ = false;  ///< none will be taken
};

struct EndOfDocuments {
  Documents& documents;
  ~EndOfDocuments() { documents.end(); }
};

struct Tally {
  std::uint64_t lines = 0, created = 0, replaced = 0, deleted = 0, errors = 0, bytes = 0;
  std::uint64_t no_words = 0;  ///< stored, and without a word
};

/// Reports the outcome of each line. Writes nothing more after a write to the client has failed.
class Reporter {
 public:
  explicit Reporter(AnswerSink& sink) noexcept : sink_(sink) {}

  /// After an exception nothing more is reported, and the client sees that the answer is incomplete.
  void report(std::span<const OwnedDocument> documents, std::span<const Result<PutResult>> results) noexcept {
    Result<void> written = without_exceptions([&] {
      std::string lines;
      for (std::size_t i = 0; i < documents.size(); ++i)
        lines += result_line(documents[i], results[i]).dump() + "\n";
      return write(lines);
    });
    if (written.has_error()) give_up(std::move(written).failure());
  }

  Result<void> summary(std::uint64_t lines) {
    Json entry;
    entry["lines"] = lines;
    entry["created"] = tally_.created;
    entry["replaced"] = tally_.replaced;
    entry["deleted"] = tally_.deleted;
    entry["errors"] = tally_.errors;
    entry["no_words"] = tally_.no_words;
    entry["bytes"] = tally_.bytes;
    Json object;
    object["summary"] = std::move(entry);
    if (failure_) return *failure_;
    return write(object.dump() + "\n");
  }

  [[nodiscard]] bool client_is_gone() const noexcept { return gone_; }

 private:
  Result<void> write(std::string_view lines) {
    if (gone_) return {};
    return sink_.write(lines);
  }
  void give_up(Failure failure) noexcept {
    failure_ = std::move(failure);
    gone_ = true;
  }

  Json result_line(const OwnedDocument& document, const Result<PutResult>& result) {
    Json line;
    line["line"] = document.place;
    line["id"] = document.id.empty() ? Json(nullptr) : Json(document.id);
    if (result.has_error()) return failed(std::move(line), result.error());
    if (document.remove) {
      if (!result->replaced) {
        return failed(std::move(line),
                      {Errc::not_found, "document " + in_quotes(document.id), "does not exist", ""});
      }
      ++tally_.deleted;
      line["status"] = "deleted";
      return line;
    }
    ++(result->replaced ? tally_.replaced : tally_.created);
    if (!has_word(document.text)) ++tally_.no_words;
    tally_.bytes += document.text.size();
    line["status"] = result->replaced ? "replaced" : "created";
    line["stored"] = format_rfc3339(result->revision.value);
    return line;
  }

  Json failed(Json line, const Error& error) {
    ++tally_.errors;
    line["status"] = "error";
    line["error"] = error_object(error);
    return line;
  }

  AnswerSink& sink_;
  Tally tally_;
  std::optional<Failure> failure_;
  std::atomic<bool> gone_ = false;
};

/// Reads lines until the body ends or the client has disconnected. Returns the number of lines.
Result<std::uint64_t> read_lines(BodyLineReader& reader, std::size_t limit, Documents& documents,
                                 const Reporter& reporter) {
  std::uint64_t lines = 0;
  while (!reporter.client_is_gone()) {
    AKIN_TRY(const std::optional<Line> line, reader.next());
    if (!line) break;
    lines = line->number;
    if (line->is_blank()) continue;
    if (!documents.add(document_of(*line, limit), line->text.size() + kLineOverhead)) break;
  }
  return lines;
}

}  // namespace

Result<std::optional<Response>> post_bulk(const Call& call, BodySource& body, AnswerSink& sink) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_CHECK(require_lines(call.request));
  AKIN_TRY(const auto collection, open_collection(call));
  Documents documents(kMemory / 8);
  Reporter reporter(sink);
  BulkOptions options;
  options.memory = kMemory;
  options.report = [&](std::span<const OwnedDocument> stored, std::span<const Result<PutResult>> results) {
    reporter.report(stored, results);
    documents.done();
  };
  Result<void> loaded;
  Result<std::uint64_t> lines = std::uint64_t{0};
  {
    const std::jthread storing([&] {
      BulkResult result;
      loaded = without_exceptions([&] {
        return bulk_load(
            *collection,
            [&](std::uint64_t bytes) -> Result<std::vector<OwnedDocument>> { return documents.take(bytes); },
            options, result);
      });
      documents.refuse();
    });
    const EndOfDocuments end{documents};  // runs before the thread is joined, on every path
    // A failure up to here still gets an answer of its own.
    AKIN_CHECK(sink.begin(Response{200, {{"Content-Type", std::string(kLinesType)}}, ""}));
    BodyLineReader reader(body, call.service.line_limit);
    lines = read_lines(reader, call.service.line_limit, documents, reporter);
  }
  if (lines.has_error()) return lines.error();
  if (call.service.watches) call.service.watches->notify();
  AKIN_CHECK(loaded);
  AKIN_CHECK(reporter.summary(*lines));
  return std::optional<Response>();
}

}  // namespace akin::api
