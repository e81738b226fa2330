// Many documents in one request: lines in, a line out for each.
#include "index/collection/bulk.h"

#include <cstdint>
#include <string>
#include <utility>

#include "base/rfc3339.h"
#include "server/api/handlers.h"
#include "server/api/read/array_lines.h"
#include "server/api/read/body.h"
#include "server/api/read/body_line_reader.h"
#include "server/api/read/document_line.h"
#include "server/api/read/document_queue.h"
#include "server/api/routes/outcome_lines.h"
#include "server/audit/audit_log.h"
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

/// The line of a document, with its outcome.
Json result_line(const OwnedDocument& document, const Result<PutResult>& result, OutcomeLines& outcomes) {
  Json line;
  line["line"] = document.place;
  line["id"] = document.id.empty() ? Json(nullptr) : Json(document.id);
  if (result.has_error()) {
    outcomes.failed(line, result.error());
  } else if (document.remove && !result->replaced) {
    outcomes.failed(line, {Errc::not_found, "document " + in_quotes(document.id), "does not exist", ""});
  } else if (document.remove) {
    outcomes.deleted(line);
  } else {
    outcomes.stored(line, document, *result);
    line["stored"] = format_rfc3339(result->revision.value);
  }
  return line;
}

Json summary_of(std::uint64_t lines, const Tally& tally) {
  return {{"lines", lines},           {"created", tally.created}, {"replaced", tally.replaced},
          {"deleted", tally.deleted}, {"errors", tally.errors},   {"no_words", tally.no_words},
          {"bytes", tally.bytes}};
}

/// What the audit log has of the deletions of a request: an entry before the first, and one with their
/// number.
class Deletions {
 public:
  Deletions(const Call& call, std::string collection) : call_(call), collection_(std::move(collection)) {}

  Result<void> begin() {
    if (std::exchange(begun_, true)) return {};
    return state::remove_for_room(call_.service.state.get(),
                                  [&] { return record(call_, "documents.deleting", collection_); });
  }
  Result<void> end(std::uint64_t deleted) const {
    if (!begun_) return {};
    return record(call_.service, {.by = actor_of(call_.request),
                                  .action = "documents.deleted",
                                  .about = collection_,
                                  .details = {{"documents", deleted}}});
  }

 private:
  const Call& call_;
  std::string collection_;
  bool begun_ = false;
};

/// Reads lines until the body ends or the client has disconnected.
Result<void> read_lines(BodyLineReader& reader, std::size_t limit, DocumentQueue& documents,
                        const OutcomeLines& outcomes, Deletions& deletions) {
  while (!outcomes.client_is_gone()) {
    AKIN_TRY(const std::optional<Line> line, reader.next());
    if (!line) break;
    if (line->is_blank()) continue;
    OwnedDocument document = document_of(*line, limit);
    if (document.remove) AKIN_CHECK(deletions.begin());
    if (!documents.add(std::move(document), line->text.size() + kDocumentOverhead)) break;
  }
  return {};
}

/// The last line of an answer to a body that cannot be read on.
std::string broken_line(std::uint64_t number, const Error& error, OutcomeLines& outcomes) {
  Json line{{"line", number}, {"id", nullptr}};
  outcomes.failed(line, error);
  return line.dump() + "\n";
}

}  // namespace

Result<std::optional<Response>> bulk_documents(const Call& call, BodySource& body, AnswerSink& sink) {
  AKIN_TRY(const bool array, is_array(call.request));
  AKIN_TRY(const auto collection, open_collection(call));
  ArrayLines elements(body);
  BodySource& source = array ? static_cast<BodySource&>(elements) : body;
  DocumentQueue documents;
  OutcomeLines outcomes(sink);
  Deletions deletions(call, collection->name());
  BodyLineReader reader(source, call.service.line_limit);
  Result<void> read;
  Result<void> stored = store_while_reading(
      *collection, documents,
      [&](std::span<const OwnedDocument> batch, std::span<const Result<PutResult>> results) {
        outcomes.write([&] {
          std::string answer;
          for (std::size_t i = 0; i < batch.size(); ++i)
            answer += result_line(batch[i], results[i], outcomes).dump() + "\n";
          return answer;
        });
      },
      [&]() -> Result<void> {
        // A failure up to here still gets an answer of its own.
        AKIN_CHECK(sink.begin(Response{200, {{"Content-Type", std::string(kLinesType)}}, ""}));
        read = read_lines(reader, call.service.line_limit, documents, outcomes, deletions);
        return read;
      });
  if (call.service.watches) call.service.watches->notify();
  AKIN_CHECK(deletions.end(outcomes.tally().deleted));
  if (read.has_error())
    outcomes.write([&] { return broken_line(reader.lines() + 1, read.error(), outcomes); });
  AKIN_CHECK(stored);
  AKIN_CHECK(outcomes.summary(summary_of(reader.lines(), outcomes.tally())));
  return std::optional<Response>();
}

}  // namespace akin::api
