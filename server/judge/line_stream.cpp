#include "server/judge/line_stream.h"

#include <chrono>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/time.h"
#include "server/judge/document_json.h"
#include "server/judge/ordered_pipeline.h"

namespace akin::judge {

namespace {

/// Lines on their way at once.
constexpr std::size_t kCapacity = 1024;

struct PreparedDocument {
  std::string id;
  std::optional<std::int64_t> time;
  JudgedDocument document;
};

struct PreparedLine {
  std::uint64_t number = 0;
  std::variant<Error, PreparedDocument> content;
};

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(time_now().time_since_epoch()).count();
}

Result<PreparedDocument> prepare(std::string_view line, Preparer& preparer) {
  AKIN_TRY(Document document, document_of_line(line));
  if (document.id.empty()) {
    return Error{Errc::invalid_argument, "field 'id'", "is missing or empty", "give each document an id"};
  }
  if (document.time && *document.time > seconds_now() + kMostAhead) {
    return Error{Errc::invalid_argument, "field 'time'", "is more than a day ahead of now", "correct it"};
  }
  AKIN_TRY(JudgedDocument prepared, preparer.prepare(document));
  return PreparedDocument{std::move(document.id), document.time, std::move(prepared)};
}

PreparedLine prepare_line(const NumberedLine& line, Preparer& preparer) {
  auto prepared = prepare(line.text, preparer);
  if (prepared.has_error()) return {line.number, std::move(prepared).error()};
  return {line.number, *std::move(prepared)};
}

void count(Verdict verdict, StreamTally& tally) {
  ++tally.documents;
  ++(verdict == Verdict::yes ? tally.duplicates : verdict == Verdict::no ? tally.fresh : tally.undecided);
}

}  // namespace

Result<void> LineStream::run(const Read& read, const Write& write, StreamTally& tally) const {
  const NumberWords numbers(dictionary_);
  const CollectionStatistics none;
  const CollectionStatistics& statistics = models_.empty() ? none : models_.front().statistics;
  std::vector<std::unique_ptr<Preparer>> preparers;
  for (unsigned i = 0; i < options_.threads; ++i) {
    preparers.push_back(std::make_unique<Preparer>(dictionary_, numbers, statistics));
  }
  StreamJudge judge(models_, options_.stream);
  const auto answer = [&](PreparedLine line) {
    if (auto* error = std::get_if<Error>(&line.content)) {
      ++tally.refused;
      return error_line(line.number, *error);
    }
    auto& document = std::get<PreparedDocument>(line.content);
    const std::int64_t time = document.time ? *document.time : seconds_now();
    const StreamAnswer found = judge.take(std::move(document.id), time, std::move(document.document));
    count(found.decisive().judgement.verdict, tally);
    return answer_line(line.number, found, models_, options_.verbose);
  };
  OrderedPipeline<NumberedLine, PreparedLine> pipeline(options_.threads, kCapacity);
  return pipeline.run(
      read, [&](unsigned thread, const NumberedLine& line) { return prepare_line(line, *preparers[thread]); },
      [&](PreparedLine line, bool idle) { return write(answer(std::move(line)), idle); });
}

}  // namespace akin::judge
