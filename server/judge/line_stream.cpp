#include "server/judge/line_stream.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/ordered_work.h"
#include "base/time.h"
#include "server/judge/document_json.h"

namespace akin::judge {

namespace {

/// The maximum number of lines under way.
constexpr std::size_t kCapacity = 1024;

struct PreparedDocument {
  std::string id;
  std::optional<std::int64_t> time;
  JudgedDocument document;
  std::string model = {};  ///< the name of the one that decides, if there is a choice
};

struct PreparedLine {
  NumberedLine line;  ///< without its text, unless LineStreamOptions::taken is set
  std::variant<Error, PreparedDocument> content;
};

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(time_now().time_since_epoch()).count();
}

Result<PreparedDocument> prepare(std::string_view line, const std::optional<ModelChoice>& choice,
                                 Preparer& preparer) {
  AKIN_TRY(Document document, document_of_line(line));
  if (document.id.empty()) {
    return Error{Errc::invalid_argument, "field 'id'", "is missing or empty", "give each document an id"};
  }
  if (document.time && *document.time > seconds_now() + kMostAhead) {
    return Error{Errc::invalid_argument, "field 'time'", "is more than a day ahead of now", "correct it"};
  }
  AKIN_TRY(JudgedDocument prepared, preparer.prepare(document));
  std::string model = choice ? choice->of(document) : std::string();
  return PreparedDocument{std::move(document.id), document.time, std::move(prepared), std::move(model)};
}

PreparedLine prepare_line(NumberedLine line, const LineStreamOptions& options, Preparer& preparer) {
  if (line.error) return {line, *line.error};
  auto prepared = prepare(line.text, options.choice, preparer);
  if (!options.taken) line.text.clear();
  if (prepared.has_error()) return {std::move(line), std::move(prepared).error()};
  return {std::move(line), *std::move(prepared)};
}

std::int64_t arrival_of(const NumberedLine& line) {
  return line.stored ? static_cast<std::int64_t>(*line.stored / 1'000'000) : seconds_now();
}

std::size_t number_of(std::span<const Model> models, const std::string& name) {
  return static_cast<std::size_t>(std::ranges::find(models, name, &Model::name) - models.begin());
}

void count(const StreamAnswer& answer, StreamTally& tally) {
  const Classification classification = answer.decisive().judgement.classification;
  ++tally.documents;
  tally.narrowed += answer.generated > answer.compared ? 1 : 0;
  tally.cut += answer.cut_features > 0 ? 1 : 0;
  ++(classification == Classification::yes  ? tally.duplicates
     : classification == Classification::no ? tally.fresh
                                            : tally.undecided);
}

}  // namespace

Result<void> LineStream::run(const Read& read, const Write& write, StreamTally& tally) const {
  const NumberWords numbers(dictionary_);
  const CollectionStatistics none;
  const CollectionStatistics& given = options_.statistics == nullptr ? none : *options_.statistics;
  const CollectionStatistics& statistics = models_.empty() ? given : models_.front().statistics;
  std::vector<std::unique_ptr<Preparer>> preparers;
  for (unsigned i = 0; i < options_.threads; ++i) {
    preparers.push_back(std::make_unique<Preparer>(dictionary_, numbers, statistics));
  }
  StreamJudge judge(models_, options_.stream);
  /// Empty for a line that needs no answer.
  const auto answer = [&](PreparedLine prepared) -> std::string {
    const NumberedLine& line = prepared.line;
    if (auto* error = std::get_if<Error>(&prepared.content)) {
      if (line.known) return {};
      ++tally.refused;
      if (options_.taken) options_.taken(line, 0, nullptr);
      return error_line(line.number, line.file, *error);
    }
    auto& document = std::get<PreparedDocument>(prepared.content);
    const std::int64_t time = document.time ? *document.time : arrival_of(line);
    if (line.story) {
      judge.restore(std::move(document.id), time, std::move(document.document), *line.story);
      return {};
    }
    std::optional<std::size_t> model;
    if (options_.choice) model = number_of(models_, document.model);
    StreamAnswer found = judge.take(std::move(document.id), time, std::move(document.document), model);
    if (line.known) return {};
    found.stored = line.stored;
    found.file = line.file;
    if (options_.taken) options_.taken(line, time, &found.story);
    count(found, tally);
    return answer_line(line.number, found, models_, options_.verbose);
  };
  return OrderedWork<NumberedLine, PreparedLine>(options_.threads, kCapacity)
      .run(
          read,
          [&](unsigned thread, NumberedLine line) {
            return prepare_line(std::move(line), options_, *preparers[thread]);
          },
          [&](PreparedLine line, bool idle) -> Result<bool> { return write(answer(std::move(line)), idle); });
}

}  // namespace akin::judge
