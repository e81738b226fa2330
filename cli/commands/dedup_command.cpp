#include <algorithm>
#include <chrono>
#include <cstdio>
#include <system_error>

#include "cli/commands/commands.h"
#include "cli/commands/dedup_output.h"
#include "cli/commands/dedup_run.h"
#include "cli/commands/load_memory.h"
#include "cli/dedup/scratch.h"
#include "cli/frame/format.h"
#include "server/ingest/input.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;
using json::Json;

constexpr const char* kDedupExamples =
    "  akin dedup crawl.jsonl.gz --out kept.jsonl.gz         every line that no kept line covers\n"
    "  akin dedup shards/*.jsonl.zst --out kept.jsonl.zst    several files are one corpus\n"
    "  zcat crawl.jsonl.gz | akin dedup - --out - > kept.jsonl\n"
    "\n"
    "Documents are taken in their order, or as --keep says. One is dropped if a kept document has at least\n"
    "80 % of its words (--min-containment); each dropped document is covered by a kept one.";

/// What a kept document must have of another one, unless the command line says otherwise.
constexpr double kDefaultContainment = 0.8;

struct DedupOptions {
  std::vector<fs::path> paths;
  fs::path out;
  std::optional<double> min_containment;
  std::optional<double> min_resemblance;
  std::string keep = "first";
  std::string text_field = "text", id_field;
  fs::path scratch;
  bool resume = false;
  std::uint64_t memory = kDefaultLoadMemory;
  bool exit_code = false;
};

Result<DedupCondition> condition_of(const DedupOptions& options) {
  if (options.min_containment && options.min_resemblance) {
    return Error{Errc::invalid_argument, "--min-resemblance", "cannot be combined with --min-containment",
                 "leave one of them out"};
  }
  if (options.min_resemblance) return DedupCondition{dedup::Measure::resemblance, *options.min_resemblance};
  return DedupCondition{dedup::Measure::containment, options.min_containment.value_or(kDefaultContainment)};
}

dedup::LineFields fields_of(const DedupOptions& options) {
  dedup::LineFields fields;
  fields.text = options.text_field;
  fields.id = options.id_field;
  dedup::set_keep(fields, options.keep);
  return fields;
}

/// What a run is about: an interrupted one may be continued if this is equal.
Json subject_of(const DedupOptions& options, const DedupCondition& condition, const CommonOptions& common) {
  Json inputs = Json::array();
  for (const fs::path& path : options.paths) {
    std::error_code failure;
    const auto bytes = fs::file_size(path, failure);
    const auto changed = fs::last_write_time(path, failure);
    inputs.push_back({fs::absolute(path, failure).string(), failure ? 0 : bytes,
                      failure ? 0 : changed.time_since_epoch().count()});
  }
  return {{"akin", AKIN_VERSION},
          {"inputs", std::move(inputs)},
          {"measure", condition.measure == dedup::Measure::containment ? "containment" : "resemblance"},
          {"least", condition.least},
          {"keep", options.keep},
          {"text_field", options.text_field},
          {"scheme", common.scheme.value_or("")},
          {"languages", common.languages}};
}

Result<dedup::Scratch> open_scratch(const DedupOptions& options, const DedupCondition& condition,
                                    const CommonOptions& common) {
  if (options.resume && options.scratch.empty()) {
    return Error{Errc::invalid_argument, "--resume", "needs the folder of the run that it continues",
                 "give --scratch DIR in both runs"};
  }
  const auto folder = options.scratch.empty() ? std::nullopt : std::optional(options.scratch);
  return dedup::Scratch::open(folder, options.resume, subject_of(options, condition, common));
}

Json summary_object(const dedup::Tally& tally, const std::vector<Error>& refused, std::uint64_t all_refused,
                    const dedup::Selection& selection) {
  Json errors = Json::array();
  for (const Error& error : refused) errors.push_back(error.message());
  return {{"read", tally.read},
          {"kept", tally.kept},
          {"near_duplicates", tally.near},
          {"equal", tally.equal},
          {"words_read", tally.words_read},
          {"words_kept", tally.words_kept},
          {"aligned_pairs", selection.measured()},
          {"refused", all_refused},
          {"errors", std::move(errors)}};
}

Result<Exit> run_dedup(const DedupOptions& options, Session& session) {
  const auto begin = std::chrono::steady_clock::now();
  AKIN_TRY(const DedupCondition condition, condition_of(options));
  AKIN_TRY(dedup::Scratch scratch, open_scratch(options, condition, session.options));
  const bool from_pipe = std::ranges::find(options.paths, fs::path("-")) != options.paths.end();
  const fs::path copy = scratch.path() / "input.zst";
  std::unique_ptr<LineWriter> copy_writer;
  if (from_pipe) {
    AKIN_TRY(copy_writer, LineWriter::open(copy, Compression::zstd));
  }
  dedup::LineInput input(options.paths, fields_of(options), &StopOnSignal::asked(), std::move(copy_writer));
  AKIN_TRY(DedupRun run,
           DedupRun::open(session.options, scratch.path(), scratch.is_resumed(), options.memory));
  {
    const StopOnSignal signals;
    AKIN_CHECK(run.load(input));
  }
  AKIN_TRY(const dedup::Selection selection, run.select(condition));
  DedupOutcome outcome{&run.corpus(), {}};
  for (std::uint32_t document = 0; document < run.corpus().size(); ++document)
    outcome.verdicts.push_back(dedup::verdict_of(document, run.corpus(), selection));
  const DedupLines lines{from_pipe ? std::vector{copy} : options.paths, input.is_document()};
  AKIN_CHECK(write_kept(options.out, outcome, &lines, false));

  std::vector<Error> refused = input.told();
  refused.insert(refused.end(), run.refused().begin(), run.refused().end());
  const std::uint64_t all_refused = input.refused() + run.refused().size();
  const dedup::Tally tally = dedup::count(run.corpus(), outcome.verdicts);
  if (session.options.json) {
    const std::string object = summary_object(tally, refused, all_refused, selection).dump() + "\n";
    options.out == "-" ? void(std::fputs(object.c_str(), stderr)) : void(session.out << object);
  } else {
    for (const Error& error : refused) report(error, false);
    const std::string line = summary_line(tally, all_refused, std::chrono::steady_clock::now() - begin);
    options.out == "-" ? void(std::fputs(line.c_str(), stderr)) : void(session.out << line);
  }
  scratch.remove();
  return all_refused > 0 ? Exit::error : exit_of(tally.kept < tally.read, options.exit_code);
}

void add_condition_options(Command command, DedupOptions& options) {
  command
      .add_option("--min-containment", options.min_containment,
                  "A document is dropped if a kept one has at least this share (0 to 1) of its words or\n"
                  "features; default: 0.8")
      .type_name("SHARE")
      .check(check_share);
  command
      .add_option("--min-resemblance", options.min_resemblance,
                  "Instead: if both share at least this part (0 to 1) of the words or features of both\n"
                  "together")
      .type_name("SHARE")
      .check(check_share);
  command
      .add_option("--keep", options.keep,
                  "Which documents come first: first (in the input), longest, oldest (by its date, time,\n"
                  "timestamp, published or created), or those with the greatest number or time in a field\n"
                  "of this name")
      .type_name("first|longest|oldest|FIELD")
      .capture_default_str();
}

}  // namespace

void add_dedup_command(Program& program) {
  Command command =
      program.command("dedup", "Drop the documents of a corpus that other documents cover", kDedupExamples);
  auto options = std::make_shared<DedupOptions>();
  command
      .add_option("PATH", options->paths,
                  "Lines of JSON (.jsonl, .ndjson, .json, also .gz or .zst); - is standard input")
      .required()
      .type_name("");
  command
      .add_option("--out", options->out, "File for what is kept; - is standard output; .gz and .zst compress")
      .required()
      .type_name("FILE");
  add_condition_options(command, *options);
  command.add_option("--text-field", options->text_field, "Field that has the text")
      .type_name("NAME")
      .capture_default_str();
  command
      .add_option("--id-field", options->id_field,
                  "Field that has the id; default: id, else url, else FILE:LINE")
      .type_name("NAME");
  command
      .add_option("--scratch", options->scratch,
                  "Folder for the temporary index, which stays there until the run has ended well; default:\n"
                  "a new one in TMPDIR that is always removed")
      .type_name("DIR");
  command.add_flag("--resume", options->resume,
                   "Continue the interrupted run of the same command, if --scratch has one");
  add_load_memory(command, options->memory);
  add_exit_code(command, options->exit_code, "a document was dropped");
  program.on(command, [options](Session& session) { return run_dedup(*options, session); });
}

}  // namespace akin::cli
