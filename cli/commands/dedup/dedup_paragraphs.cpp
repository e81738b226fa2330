#include "cli/commands/dedup/dedup_paragraphs.h"

#include <functional>
#include <utility>

#include "base/parallel.h"
#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "cli/frame/stop_signal.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

/// Of lines whose words are read at once.
constexpr std::size_t kReadAtOnce = std::size_t{8} << 20;

}  // namespace

struct ParagraphFilter::Line {
  std::string json;
  Result<dedup::CorpusDocument> document = dedup::CorpusDocument();
  std::function<dedup::TextRest()> cut;
  std::string place;  ///< for errors
};

Result<void> ParagraphFilter::read_words(std::vector<Line>& lines) const {
  std::vector<std::optional<Error>> failures(lines.size());
  for_each_index(lines.size(), [&](std::size_t number) {
    Line& line = lines[number];
    if (line.document.has_error()) return;
    auto cut = cutter_->read(line.document->text);
    if (cut.has_error()) {
      failures[number] = cut.error();
    } else {
      line.cut = std::move(*cut);
    }
  });
  for (std::size_t number = 0; number < lines.size(); ++number) {
    if (!failures[number]) continue;
    Error error = *failures[number];
    error.what = lines[number].place + ": " + error.what;
    return error;
  }
  return {};
}

std::optional<std::string> ParagraphFilter::rest_of(const Line& line, const dedup::LineFields& fields) {
  const dedup::TextRest rest = line.cut();
  const std::uint64_t words_left = dedup::count_words(rest.text);
  ++tally_.read;
  tally_.pieces += rest.parts;
  tally_.repeated += rest.repeated;
  tally_.words_read += dedup::count_words(line.document->text);
  if (rest.repeated > 0 && words_left == 0) return std::nullopt;
  ++tally_.kept;
  tally_.changed += rest.repeated > 0 ? 1 : 0;
  tally_.words_kept += words_left;
  return rest.repeated == 0 ? line.json : dedup::with_string(line.json, fields.text, rest.text);
}

Result<void> ParagraphFilter::filter(const DedupSource& source, LineWriter* out) {
  const StopOnSignal signals;
  ProgressLine progress("reading");
  dedup::CorpusLines input(source.paths, &StopOnSignal::asked());
  for (bool ended = false; !ended;) {
    std::vector<Line> lines;
    for (std::size_t bytes = 0; bytes < kReadAtOnce;) {
      AKIN_TRY(std::optional<dedup::CorpusLine> line, input.next());
      ended = !line;
      if (ended) break;
      bytes += line->text.size();
      std::string place =
          ingest::display_name(source.paths[line->file]) + " line " + std::to_string(line->number);
      lines.push_back({std::move(line->text), dedup::CorpusDocument(), {}, std::move(place)});
    }
    if (StopOnSignal::asked())
      return Error{Errc::unsupported, "dedup", "stopped by a signal", "run it again"};
    for_each_index(lines.size(), [&](std::size_t number) {
      lines[number].document = dedup::read_corpus_line(lines[number].json, source.fields);
    });
    AKIN_CHECK(read_words(lines));
    for (const Line& line : lines) {
      if (line.document.has_error()) {
        Error error = line.document.error();
        error.what = line.place + ": " + error.what;
        ++tally_.refused;
        if (reported_.size() < dedup::Input::kMostTold) reported_.push_back(std::move(error));
        continue;
      }
      const std::optional<std::string> rest = rest_of(line, source.fields);
      if (out != nullptr && rest) AKIN_CHECK(out->write(*rest + "\n"));
    }
    progress.update(input.share_read(), 0, counted(tally_.read, "document"));
  }
  if (out == nullptr) {
    tally_ = {.refused = tally_.refused};
    return {};
  }
  return out->finish();
}

}  // namespace akin::cli
