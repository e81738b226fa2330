#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <system_error>

#include "cli/commands/commands.h"
#include "cli/commands/dedup/dedup_options.h"
#include "cli/commands/dedup/dedup_output.h"
#include "cli/commands/dedup/dedup_paragraphs.h"
#include "cli/commands/dedup/dedup_run.h"
#include "cli/dedup/scratch.h"
#include "cli/frame/format.h"
#include "cli/frame/stop_signal.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;
using json::Json;
using Clock = std::chrono::steady_clock;

constexpr const char* kDedupExamples =
    "  akin dedup crawl.jsonl.gz --out kept.jsonl.gz         the lines that no kept line covers\n"
    "  akin dedup shards/*.jsonl.zst --out kept.jsonl.zst    several files are one corpus\n"
    "  zcat crawl.jsonl.gz | akin dedup - --out - > kept.jsonl\n"
    "  akin dedup crawl.jsonl --out marked.jsonl --mark      all lines, with cluster, duplicate_of, share\n"
    "  akin dedup books/ --out kept.txt --keep longest       names of files\n"
    "  akin dedup new.jsonl --against old.jsonl --out new-only.jsonl\n"
    "  akin dedup crawl.jsonl --out kept.jsonl --why page-17 the passages that decided\n"
    "  akin dedup crawl.jsonl --out kept.jsonl --scratch /big --resume    again after Ctrl-C or a crash\n"
    "  akin dedup crawl.jsonl --out kept.jsonl --by line --min-words 8    repeated lines of texts\n"
    "  akin dedup crawl.jsonl --out kept.jsonl --by passage --cut '[…]'   runs of 50 words or more\n"
    "\n"
    "Documents are taken in the order of --keep. One is dropped if a document that was kept before has at\n"
    "least 80 % of its words (--min-containment), so each dropped document is covered by a kept one. Lines\n"
    "that are not documents are reported and left out; the exit code is then 2. The last line printed says\n"
    "how many documents and words are left.";

/// What a kept document must have of another one, unless the command line says otherwise.
constexpr double kDefaultContainment = 0.8;
constexpr std::uint64_t kLeastPieceWords = 10, kLeastPassageWords = 50;

Result<dedup::Condition> condition_of(const DedupOptions& options) {
  if (options.min_containment && options.min_resemblance) {
    return Error{Errc::invalid_argument, "--min-resemblance", "cannot be combined with --min-containment",
                 "leave one of them out"};
  }
  const bool resemblance = options.min_resemblance.has_value();
  const dedup::Condition condition{
      resemblance ? dedup::Measure::resemblance : dedup::Measure::containment,
      resemblance ? *options.min_resemblance : options.min_containment.value_or(kDefaultContainment)};
  if (condition.least > 0.0) return condition;
  return Error{Errc::invalid_argument, resemblance ? "--min-resemblance" : "--min-containment",
               "0 would drop all documents but one", "give a share over 0"};
}

DedupSource source_of(const DedupOptions& options) {
  DedupSource source = options.source;
  source.fields.text = options.text_field;
  source.fields.id = options.id_field;
  dedup::set_keep(source.fields, options.keep);
  if (options.mark) source.fields.refused = kMarkFields;
  return source;
}

/// The path of an input, its size and the time of its last change.
Json identity_of(const fs::path& path) {
  std::error_code failure;
  const auto bytes = fs::file_size(path, failure);
  if (failure) return fs::absolute(path, failure).string();
  return {fs::absolute(path, failure).string(), bytes,
          fs::last_write_time(path, failure).time_since_epoch().count()};
}

/// What a run is about, by the arguments that say so: an interrupted one may be continued if this is equal.
Json subject_of(const DedupOptions& options, const dedup::Condition& condition, const CommonOptions& common) {
  Json inputs = Json::array();
  for (const fs::path& path : options.source.paths) inputs.push_back(identity_of(path));
  const auto share = [&](dedup::Measure measure) {
    return condition.measure == measure ? Json(condition.least) : Json();
  };
  return {{"version of akin", AKIN_VERSION},
          {"PATH, or content of it", std::move(inputs)},
          {"--against, or content of it", options.against.empty() ? Json() : identity_of(options.against)},
          {"--min-containment", share(dedup::Measure::containment)},
          {"--min-resemblance", share(dedup::Measure::resemblance)},
          {"--keep", options.keep},
          {"--text-field", options.text_field},
          {"--encoding", options.source.encoding},
          {"--scheme", common.scheme.value_or("")},
          {"--lang", common.languages}};
}

Result<dedup::Scratch> open_scratch(const DedupOptions& options, const dedup::Condition& condition,
                                    const CommonOptions& common) {
  const bool from_pipe = std::ranges::find(options.source.paths, fs::path("-")) != options.source.paths.end();
  if (options.resume && from_pipe) {
    return Error{Errc::invalid_argument, "--resume", "standard input cannot be read again",
                 "store it in a file first"};
  }
  if (options.resume && options.scratch.empty()) {
    return Error{Errc::invalid_argument, "--resume", "needs the folder of the run that it continues",
                 "give --scratch DIR in both runs"};
  }
  const auto folder = options.scratch.empty() ? std::nullopt : std::optional(options.scratch);
  return dedup::Scratch::open(folder, options.resume, subject_of(options, condition, common));
}

/// Prints an object or a line where no documents go.
void print_summary(const std::string& text, const fs::path& out, Session& session) {
  if (out == "-") {
    std::fputs(text.c_str(), stderr);
  } else {
    session.out << text;
  }
}

void report_refused(const std::vector<Error>& refused, std::uint64_t all, const Session& session) {
  if (session.options.json) return;
  for (const Error& error : refused) report(error, false);
  if (all > refused.size())
    std::fprintf(stderr, "akin: and %s more\n", grouped(all - refused.size()).c_str());
}

Json errors_object(const std::vector<Error>& refused) {
  Json errors = Json::array();
  for (const Error& error : refused) errors.push_back(error.message());
  return errors;
}

/// Prints why documents were kept or dropped; the number of ids that no document has.
Result<std::uint64_t> explain(const DedupOptions& options, const DedupOutcome& outcome, const DedupRun& run,
                              dedup::Measure measure, Session& session, Json& objects) {
  std::uint64_t missing = 0;
  for (const std::string& id : options.why) {
    const std::vector<std::uint32_t> found = documents_with_id(run.corpus(), id);
    if (found.empty()) {
      ++missing;
      report({Errc::not_found, "--why " + id, "no document of the input has this id", ""}, false);
    }
    for (const std::uint32_t document : found) {
      if (session.options.json) {
        objects.push_back(why_object(document, outcome));
      } else {
        AKIN_CHECK(print_why(document, outcome, run, measure, session.out));
      }
    }
  }
  return missing;
}

/// The files to write, opened before the work so that a wrong name shows at once.
struct Outputs {
  std::unique_ptr<LineWriter> kept, pairs, clusters;  ///< pairs, clusters: null if not wanted

  static Result<Outputs> open(const DedupOptions& options) {
    Outputs outputs;
    AKIN_TRY(outputs.kept, LineWriter::open(options.out, compression_of(options.out)));
    if (!options.pairs.empty()) {
      AKIN_TRY(outputs.pairs, LineWriter::open(options.pairs, compression_of(options.pairs)));
    }
    if (!options.clusters.empty()) {
      AKIN_TRY(outputs.clusters, LineWriter::open(options.clusters, compression_of(options.clusters)));
    }
    return outputs;
  }
};

/// Of all outputs and inputs. A device, such as /dev/null, may be written to twice.
Result<void> check_outputs(const DedupOptions& options) {
  std::vector<std::filesystem::path> read = options.source.paths;
  read.emplace_back(options.against);
  std::map<std::filesystem::path, std::string> written;
  for (const auto& [flag, out] : {std::pair("--out", &options.out), std::pair("--pairs", &options.pairs),
                                  std::pair("--clusters", &options.clusters)}) {
    if (out->empty()) continue;
    AKIN_CHECK(check_is_not_read(flag, *out, read));
    std::error_code failure;
    if (std::filesystem::is_other(*out, failure)) continue;
    const auto place = *out == "-" ? *out : std::filesystem::absolute(*out, failure).lexically_normal();
    const auto [other, is_new] = written.emplace(place, flag);
    if (!is_new)
      return Error{Errc::invalid_argument, std::string(flag) + " and " + other->second, "name the same file",
                   "name another one"};
  }
  return {};
}

Result<Exit> run_documents(const DedupOptions& options, Session& session) {
  const auto begin = Clock::now();
  if (!options.cut.empty())
    return Error{Errc::invalid_argument, "--cut", "is for --by passage", "leave it out"};
  AKIN_TRY(const dedup::Condition condition, condition_of(options));
  if (options.out == "-" && !options.why.empty()) {
    return Error{Errc::invalid_argument, "--why", "prints on standard output, where the documents go",
                 "give --out a file"};
  }
  const DedupSource source = source_of(options);
  AKIN_TRY(const bool lines, reads_lines(source.paths));
  AKIN_TRY(const Outputs outputs, Outputs::open(options));
  AKIN_TRY(dedup::Scratch scratch, open_scratch(options, condition, session.options));
  const fs::path copy = scratch.path() / "input.zst";
  AKIN_TRY(const DedupInput input, open_dedup_input(source, session.options, copy));
  const StopTokenOnSignal signals;
  AKIN_TRY(DedupRun run, DedupRun::open(session.options, scratch.path(), scratch.is_resumed(), options.memory,
                                        signals.token()));
  if (!options.against.empty()) {
    AKIN_TRY(const DedupInput known, open_known_documents(options.against, source, session.options));
    AKIN_CHECK(run.load(*known.input));
    run.all_are_known();
    if (known.input->refused() > 0) {
      return Error{Errc::invalid_argument, "--against " + options.against,
                   "has lines that are not documents: " + known.input->reported().front().message(),
                   "correct them: the comparison would not be complete"};
    }
  }
  AKIN_CHECK(run.load(*input.input));
  AKIN_TRY(const dedup::Selection selection, run.select(condition));

  DedupOutcome outcome{&run.corpus(), {}};
  for (std::uint32_t document = 0; document < run.corpus().size(); ++document)
    outcome.verdicts.push_back(dedup::verdict_of(document, run.corpus(), selection));
  std::optional<DedupLines> again;
  if (lines) {
    again = DedupLines{source.paths, input.lines->is_document()};
    std::ranges::replace(again->files, fs::path("-"), copy);
  }
  AKIN_CHECK(write_kept(*outputs.kept, outcome, again ? &*again : nullptr, options.mark));
  if (outputs.pairs) AKIN_CHECK(write_dedup_pairs(*outputs.pairs, outcome));
  if (outputs.clusters) AKIN_CHECK(write_clusters(*outputs.clusters, outcome));

  std::vector<Error> refused = input.input->reported();
  refused.insert(refused.end(), run.refused().begin(), run.refused().end());
  const std::uint64_t all_refused = input.input->refused() + run.refused().size();
  report_refused(refused, all_refused, session);
  Json why = Json::array();
  AKIN_TRY(const std::uint64_t missing, explain(options, outcome, run, condition.measure, session, why));
  const dedup::Tally tally = dedup::count(run.corpus(), outcome.verdicts);
  if (session.options.json) {
    Json summary = summary_object(tally, run.corpus(), selection.measured());
    summary["refused"] = all_refused;
    summary["errors"] = errors_object(refused);
    if (!options.why.empty()) summary["why"] = std::move(why);
    print_summary(summary.dump() + "\n", options.out, session);
  } else {
    print_summary(summary_line(tally, run.corpus(), all_refused, Clock::now() - begin), options.out, session);
  }
  scratch.remove();
  if (all_refused + missing > 0) return Exit::error;
  return exit_of(tally.kept < tally.read, options.exit_code);
}

Result<void> check_paragraphs(const DedupOptions& options) {
  const auto refuse = [](const char* flag) {
    return Error{Errc::invalid_argument, flag, "is for --by document", "leave it out"};
  };
  if (options.min_containment) return refuse("--min-containment");
  if (options.min_resemblance) return refuse("--min-resemblance");
  if (options.keep != "first") return refuse("--keep");
  if (options.mark) return refuse("--mark");
  if (!options.pairs.empty()) return refuse("--pairs");
  if (!options.clusters.empty()) return refuse("--clusters");
  if (!options.why.empty()) return refuse("--why");
  if (options.resume) return refuse("--resume");
  if (!options.cut.empty() && options.by != "passage")
    return Error{Errc::invalid_argument, "--cut", "is for --by passage", "leave it out"};
  AKIN_TRY(const bool lines, reads_lines(options.source.paths));
  if (lines) return {};
  return Error{Errc::invalid_argument, "--by", "paragraphs are left out of lines of JSON, not of files",
               "give files that end with .jsonl, .ndjson or .json"};
}

std::unique_ptr<dedup::TextCutter> open_cutter(const DedupOptions& options,
                                               std::shared_ptr<const Dictionary> dictionary) {
  if (options.by == "passage") {
    return dedup::cutter_of_runs(std::move(dictionary), options.min_words.value_or(kLeastPassageWords),
                                 options.cut);
  }
  const dedup::Cut cut = options.by == "line" ? dedup::Cut::lines : dedup::Cut::paragraphs;
  return dedup::cutter_of_pieces(std::move(dictionary), cut, options.min_words.value_or(kLeastPieceWords));
}

Result<Exit> run_paragraphs(const DedupOptions& options, Session& session) {
  const auto begin = Clock::now();
  AKIN_CHECK(check_paragraphs(options));
  AKIN_TRY(const auto out, LineWriter::open(options.out, compression_of(options.out)));
  AKIN_TRY(const auto dictionary, open_dictionary(session.options));
  ParagraphFilter filter(open_cutter(options, dictionary));
  const DedupSource source = source_of(options);
  if (!options.against.empty()) {
    DedupSource known = source;
    AKIN_TRY(known.paths, with_lines_of_folders({options.against}, session.options));
    AKIN_CHECK(filter.filter(known, nullptr));
  }
  AKIN_CHECK(filter.filter(source, out.get()));
  const ParagraphTally& tally = filter.tally();
  report_refused(filter.reported(), tally.refused, session);
  if (session.options.json) {
    Json summary = paragraphs_object(tally);
    summary["errors"] = errors_object(filter.reported());
    print_summary(summary.dump() + "\n", options.out, session);
  } else {
    print_summary(paragraphs_line(tally, options.by, Clock::now() - begin), options.out, session);
  }
  if (tally.refused > 0) return Exit::error;
  return exit_of(tally.repeated > 0, options.exit_code);
}

}  // namespace

void add_dedup_command(Program& program) {
  Command command =
      program.command("dedup", "Drop the documents of a corpus that others cover", kDedupExamples);
  auto options = std::make_shared<DedupOptions>();
  add_dedup_options(command, *options);
  program.on(command, [options](Session& session) -> Result<Exit> {
    AKIN_TRY(options->source.paths, with_lines_of_folders(options->source.paths, session.options));
    AKIN_CHECK(check_outputs(*options));
    return options->by == "document" ? run_documents(*options, session) : run_paragraphs(*options, session);
  });
}

}  // namespace akin::cli
