#include <chrono>
#include <cstdio>
#include <filesystem>

#include "base/hex.h"
#include "base/parallel.h"
#include "cli/commands/commands.h"
#include "cli/dedup/input.h"
#include "cli/frame/format.h"
#include "cli/frame/line_writer.h"
#include "cli/frame/progress.h"
#include "cli/frame/stop_signal.h"
#include "index/codec/feature_counts.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr const char* kFeaturesExamples =
    "  akin features corpus.jsonl.zst --out features.jsonl\n"
    "  zcat corpus.jsonl.gz | akin features - > features.jsonl\n"
    "  akin features corpus.jsonl --scheme 'shingles(w=5)'\n"
    "\n"
    "Writes a line for each document: its id, the number of its words, its different features in ascending\n"
    "order as 16 hexadecimal digits each, and how often it has each. They are those that a collection of "
    "the\n"
    "same scheme and dictionaries stores, so that other programs can join documents by them. Lines that are\n"
    "not documents are reported and left out; the exit code is then 2. akin-lab features shows one text.";

/// Of lines that are analysed at once.
constexpr std::size_t kAnalysedAtOnce = std::size_t{8} << 20;

struct FeaturesOptions {
  std::vector<fs::path> paths;
  dedup::LineFields fields;
  fs::path out = "-";
};

/// A document's line of output. Errors: as read_corpus_line and extract_features.
Result<std::string> features_line(const dedup::CorpusLine& line, const std::string& place,
                                  const dedup::LineFields& fields, const Dictionary& dictionary,
                                  const Scheme& scheme) {
  AKIN_TRY(const dedup::CorpusDocument document, dedup::read_corpus_line(line.text, fields));
  AKIN_TRY(const FeatureSequence sequence, extract_features(document.text, dictionary, scheme));
  std::string features, counts;
  for (const auto& [feature, count] : count_features(sequence.hashes)) {
    features += (features.empty() ? "\"" : ",\"") + hex16(static_cast<std::uint64_t>(feature)) + '"';
    counts += (counts.empty() ? "" : ",") + std::to_string(count);
  }
  return "{\"id\":" + Json(document.id.empty() ? place : document.id).dump() +
         ",\"words\":" + std::to_string(sequence.words) + ",\"features\":[" + features + "],\"counts\":[" +
         counts + "]}\n";
}

/// Writes a line for each document; returns the number of lines that are not documents.
class FeaturesRun {
 public:
  FeaturesRun(const FeaturesOptions& options, std::shared_ptr<const Dictionary> dictionary,
              std::shared_ptr<const Scheme> scheme)
      : options_(options),
        dictionary_(std::move(dictionary)),
        scheme_(std::move(scheme)),
        input_(options.paths, &StopOnSignal::asked()) {}

  /// Errors: those of reading and writing; unsupported (stopped by a signal).
  [[nodiscard]] Result<std::uint64_t> write(LineWriter& out) {
    ProgressLine progress("analysing");
    std::uint64_t bytes = 0;
    for (;;) {
      AKIN_TRY(const std::vector<dedup::CorpusLine> lines, read_some());
      if (StopOnSignal::asked())
        return Error{Errc::unsupported, "features", "stopped by a signal", "run it again"};
      if (lines.empty() || out.lost()) return refused_;
      std::vector<Result<std::string>> written(lines.size(), std::string());
      for_each_index(lines.size(), [&](std::size_t number) {
        const dedup::CorpusLine& line = lines[number];
        written[number] = features_line(line, place_of(line, ":"), options_.fields, *dictionary_, *scheme_);
      });
      for (std::size_t number = 0; number < lines.size(); ++number) {
        bytes += lines[number].text.size();
        AKIN_CHECK(write(out, lines[number], written[number]));
      }
      progress.update(input_.share_read(), bytes, counted(documents_, "document"));
    }
  }

 private:
  [[nodiscard]] Result<std::vector<dedup::CorpusLine>> read_some() {
    std::vector<dedup::CorpusLine> lines;
    for (std::size_t bytes = 0; bytes < kAnalysedAtOnce; bytes += lines.back().text.size()) {
      AKIN_TRY(std::optional<dedup::CorpusLine> line, input_.next());
      if (!line) break;
      lines.push_back(std::move(*line));
    }
    return lines;
  }

  [[nodiscard]] Result<void> write(LineWriter& out, const dedup::CorpusLine& line,
                                   const Result<std::string>& written) {
    if (!written.has_error()) {
      ++documents_;
      return out.write(*written);
    }
    Error error = written.error();
    error.what = place_of(line, " line ") + ": " + error.what;
    if (++refused_ <= dedup::Input::kMostTold) report(error, false);
    return {};
  }

  [[nodiscard]] std::string place_of(const dedup::CorpusLine& line, const char* between) const {
    return ingest::display_name(options_.paths[line.file]) + between + std::to_string(line.number);
  }

  const FeaturesOptions& options_;
  const std::shared_ptr<const Dictionary> dictionary_;
  const std::shared_ptr<const Scheme> scheme_;
  dedup::CorpusLines input_;
  std::uint64_t documents_ = 0, refused_ = 0;
};

Result<Exit> run_features(const FeaturesOptions& options, Session& session) {
  for (const fs::path& path : options.paths) {
    if (!is_lines(path))
      return Error{Errc::invalid_argument, path.string(), "does not name lines of JSON",
                   "give files that end with .jsonl, .ndjson or .json (also .gz, .zst), or -"};
  }
  AKIN_CHECK(check_is_not_read("--out", options.out, options.paths));
  AKIN_TRY(auto scheme, open_scheme(session.options));
  AKIN_TRY(auto dictionary, open_dictionary(session.options));
  AKIN_CHECK(features_fingerprint(*scheme, *dictionary));
  AKIN_TRY(const auto out, LineWriter::open(options.out, compression_of(options.out)));
  const StopOnSignal signals;
  FeaturesRun run(options, std::move(dictionary), std::move(scheme));
  AKIN_TRY(const std::uint64_t refused, run.write(*out));
  if (refused > dedup::Input::kMostTold)
    std::fprintf(stderr, "akin: and %s more\n", grouped(refused - dedup::Input::kMostTold).c_str());
  AKIN_CHECK(out->finish());
  return refused > 0 ? Exit::error : Exit::ok;
}

}  // namespace

void add_features_command(Program& program) {
  Command command =
      program.command("features", "Write the features of documents, for other programs", kFeaturesExamples);
  auto options = std::make_shared<FeaturesOptions>();
  command
      .add_option("PATH", options->paths,
                  "Lines of JSON (.jsonl, .ndjson, .json, also .gz or .zst); - is standard input")
      .required()
      .type_name("");
  command
      .add_option("--out", options->out, "File for the features; .gz and .zst compress, - is standard output")
      .type_name("FILE")
      .capture_default_str();
  command.add_option("--text-field", options->fields.text, "Field of a line that has the text")
      .type_name("NAME")
      .capture_default_str();
  command
      .add_option("--id-field", options->fields.id,
                  "Field of a line that has the id; default: id, or else url, or else FILE:LINE")
      .type_name("NAME");
  program.on(command, [options](Session& session) { return run_features(*options, session); });
}

}  // namespace akin::cli
