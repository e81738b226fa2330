#include "cli/commands/dedup/dedup_paragraphs.h"

#include <array>
#include <cstring>
#include <utility>

#include "base/parallel.h"
#include "base/sha256.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "cli/frame/progress.h"
#include "cli/frame/stop_signal.h"
#include "morph/align/word_sequence.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;

/// Of lines whose words are read at once.
constexpr std::size_t kReadAtOnce = std::size_t{8} << 20;

}  // namespace

struct ParagraphFilter::Line {
  std::string json;
  Result<dedup::CorpusDocument> document = dedup::CorpusDocument();
  std::vector<Piece> pieces;
  std::string place;  ///< for errors
};

Result<void> ParagraphFilter::read_pieces(std::vector<Line>& lines) const {
  std::vector<std::optional<Error>> failures(lines.size());
  for_each_index(lines.size(), [&](std::size_t number) {
    Line& line = lines[number];
    if (line.document.has_error()) return;
    for (const std::string_view piece : dedup::cut_text(line.document->text, cut_)) {
      line.pieces.push_back({piece, {}});
      const auto words = read_words(piece, *dictionary_);
      if (words.has_error()) {
        failures[number] = words.error();
        return;
      }
      if (words->classes.size() < least_words_) continue;
      const std::string_view bytes(reinterpret_cast<const char*>(words->classes.data()),
                                   words->classes.size() * sizeof(std::uint64_t));
      const Sha256 whole = sha256(bytes);
      Digest digest;
      std::memcpy(digest.data(), whole.data(), sizeof digest);
      line.pieces.back().digest = digest;
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

std::optional<std::string> ParagraphFilter::rest_of(const Line& line) {
  const std::string& text = line.document->text;
  std::string rest;
  std::uint64_t repeated = 0;
  for (const Piece& piece : line.pieces) {
    if (piece.digest && !seen_.insert(*piece.digest).second) {
      ++repeated;
    } else {
      rest += piece.text;
    }
  }
  const std::uint64_t words = dedup::count_words(text), words_left = dedup::count_words(rest);
  ++tally_.read;
  tally_.pieces += line.pieces.size();
  tally_.repeated += repeated;
  tally_.words_read += words;
  if (repeated > 0 && words_left == 0) return std::nullopt;
  ++tally_.kept;
  tally_.changed += repeated > 0 ? 1 : 0;
  tally_.words_kept += words_left;
  return rest;
}

Result<void> ParagraphFilter::filter(const DedupSource& source, const fs::path* out) {
  const StopOnSignal signals;
  ProgressLine progress("reading");
  dedup::CorpusLines input(source.paths, &StopOnSignal::asked());
  std::unique_ptr<LineWriter> writer;
  if (out != nullptr) {
    AKIN_TRY(writer, LineWriter::open(*out, compression_of(*out)));
  }
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
    AKIN_CHECK(read_pieces(lines));
    for (const Line& line : lines) {
      if (line.document.has_error()) {
        Error error = line.document.error();
        error.what = line.place + ": " + error.what;
        ++tally_.refused;
        if (reported_.size() < dedup::Input::kMostTold) reported_.push_back(std::move(error));
        continue;
      }
      const std::optional<std::string> rest = rest_of(line);
      if (writer == nullptr || !rest) continue;
      const bool same = rest->size() == line.document->text.size();
      AKIN_CHECK(writer->write((same ? line.json : dedup::with_string(line.json, source.fields.text, *rest)) +
                               "\n"));
    }
    progress.update(input.share_read(), 0, counted(tally_.read, "document"));
  }
  if (writer == nullptr) {
    tally_ = {.refused = tally_.refused};
    return {};
  }
  return writer->finish();
}

}  // namespace akin::cli
