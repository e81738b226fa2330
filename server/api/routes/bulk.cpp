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

/// Reads lines until the body ends or the client has disconnected. Returns the number of lines.
Result<std::uint64_t> read_lines(BodyLineReader& reader, std::size_t limit, DocumentQueue& documents,
                                 const OutcomeLines& outcomes) {
  std::uint64_t lines = 0;
  while (!outcomes.client_is_gone()) {
    AKIN_TRY(const std::optional<Line> line, reader.next());
    if (!line) break;
    lines = line->number;
    if (line->is_blank()) continue;
    if (!documents.add(document_of(*line, limit), line->text.size() + kDocumentOverhead)) break;
  }
  return lines;
}

}  // namespace

Result<std::optional<Response>> bulk_documents(const Call& call, BodySource& body, AnswerSink& sink) {
  AKIN_TRY(const bool array, is_array(call.request));
  AKIN_TRY(const auto collection, open_collection(call));
  ArrayLines elements(body);
  BodySource& source = array ? static_cast<BodySource&>(elements) : body;
  DocumentQueue documents;
  OutcomeLines outcomes(sink);
  std::uint64_t lines = 0;
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
        BodyLineReader reader(source, call.service.line_limit);
        AKIN_TRY(lines, read_lines(reader, call.service.line_limit, documents, outcomes));
        return {};
      });
  if (call.service.watches) call.service.watches->notify();
  AKIN_CHECK(stored);
  if (const std::uint64_t deleted = outcomes.tally().deleted; deleted > 0)
    AKIN_CHECK(record(call.service, {.by = actor_of(call.request),
                                     .action = "documents.deleted",
                                     .about = collection->name(),
                                     .details = {{"documents", deleted}}}));
  AKIN_CHECK(outcomes.summary(summary_of(lines, outcomes.tally())));
  return std::optional<Response>();
}

}  // namespace akin::api
