// Many documents in one request: lines in, a line out for each.
#include "index/bulk.h"

#include <atomic>
#include <string>
#include <utility>

#include "base/exceptions.h"
#include "base/rfc3339.h"
#include "morph/text/has_word.h"
#include "server/api/body.h"
#include "server/api/body_line_reader.h"
#include "server/api/document_line.h"
#include "server/api/document_queue.h"
#include "server/api/handlers.h"
#include "server/api/parameters.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

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
Result<std::uint64_t> read_lines(BodyLineReader& reader, std::size_t limit, DocumentQueue& documents,
                                 const Reporter& reporter) {
  std::uint64_t lines = 0;
  while (!reporter.client_is_gone()) {
    AKIN_TRY(const std::optional<Line> line, reader.next());
    if (!line) break;
    lines = line->number;
    if (line->is_blank()) continue;
    if (!documents.add(document_of(*line, limit), line->text.size() + kDocumentOverhead)) break;
  }
  return lines;
}

}  // namespace

Result<std::optional<Response>> post_bulk(const Call& call, BodySource& body, AnswerSink& sink) {
  AKIN_CHECK(Parameters::read(call.query, {}));
  AKIN_CHECK(require_lines(call.request));
  AKIN_TRY(const auto collection, open_collection(call));
  DocumentQueue documents;
  Reporter reporter(sink);
  std::uint64_t lines = 0;
  Result<void> stored = store_while_reading(
      *collection, documents,
      [&](std::span<const OwnedDocument> batch, std::span<const Result<PutResult>> results) {
        reporter.report(batch, results);
      },
      [&]() -> Result<void> {
        // A failure up to here still gets an answer of its own.
        AKIN_CHECK(sink.begin(Response{200, {{"Content-Type", std::string(kLinesType)}}, ""}));
        BodyLineReader reader(body, call.service.line_limit);
        AKIN_TRY(lines, read_lines(reader, call.service.line_limit, documents, reporter));
        return {};
      });
  if (call.service.watches) call.service.watches->notify();
  AKIN_CHECK(stored);
  AKIN_CHECK(reporter.summary(lines));
  return std::optional<Response>();
}

}  // namespace akin::api
