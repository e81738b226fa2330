#include "base/spreadsheet_cell.h"
#include "cli/commands/commands.h"
#include "cli/commands/pairs/pairs_file.h"
#include "cli/commands/pairs/pairs_options.h"
#include "cli/commands/pairs/pairs_table.h"
#include "cli/frame/csv.h"
#include "cli/frame/format.h"
#include "cli/frame/stop_signal.h"
#include "server/api/write/objects.h"
#include "server/search/filtered_pairs.h"

namespace akin::cli {

namespace {

constexpr const char* kPairsExamples =
    "  akin pairs                                    pairs of which akin similar finds one by the other\n"
    "  akin pairs --bound 3                          pairs that share more than 3 features\n"
    "  akin pairs --min-containment 0.9              nearly all of one is in the other\n"
    "  akin pairs --min-resemblance 0.5 --bound 10   both conditions must hold\n"
    "  akin pairs --common-limit 5                   without passages that more than 5 documents have\n"
    "  akin pairs --bound 3 --json > pairs.ndjson    one JSON object per line, for programs\n"
    "  akin pairs --bound 3 --csv --memory 4G        more memory, fewer passes over the index\n"
    "  akin pairs --bound 3 --json --resume pairs.ndjson     run it again after Ctrl-C or a crash\n"
    "  akin pairs --min-resemblance 0.3 --table pairs.html   for an expert: both texts side by side\n"
    "  akin pairs --labels labels.tsv                stores an expert's labels, which tables show\n"
    "  akin pairs --deletions                        the documents that labels \"keep a\", \"keep b\" let "
    "go\n"
    "  akin pairs --filter 'language = \"krl\"'        pairs of one dialect\n"
    "\n"
    "Without --bound and --tier, pairs of a collection of the default scheme are found by\n"
    "sentence pairs or by passages, word by word. No X is estimated. Each pair is printed once, a's id "
    "before b's; the order of\n"
    "the pairs is the same in every run.";

std::string right(std::string text, std::size_t width) {
  // Percentages such as "< 0.1 %" are ASCII: bytes are columns.
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string table_line(const DocumentPair& pair) {
  const Overlap& overlap = pair.overlap;
  const auto share = [&](double of) { return right(overlap.has_containment ? percent(of) : "-", 9); };
  return right(grouped(overlap.x), 9) + share(overlap.containment()) + share(overlap.contained()) +
         right(percent(overlap.resemblance()), 13) +
         (pair.words ? right(percent(pair.words->a_share()), 12) + right(percent(pair.words->b_share()), 12)
                     : "") +
         "  " + one_line(pair.a, kMaxIdBytes) + "  " + one_line(pair.b, kMaxIdBytes) + "\n";
}

std::string table_head(bool words) {
  return std::string("        x     of a     of b  resemblance") + (words ? "  words of a  words of b" : "") +
         "  a  b\n";
}

std::string pair_csv(const DocumentPair& pair) {
  const auto number = [](double value) { return api::Json(value).dump(); };
  const auto share = [&](double of) { return pair.overlap.has_containment ? number(of) : std::string(); };
  std::vector<std::string> fields = {guarded_cell(pair.a),
                                     guarded_cell(pair.b),
                                     std::to_string(pair.overlap.x),
                                     share(pair.overlap.containment()),
                                     share(pair.overlap.contained()),
                                     number(pair.overlap.resemblance())};
  if (pair.words) {
    fields.push_back(number(pair.words->a_share()));
    fields.push_back(number(pair.words->b_share()));
  }
  return csv_line(fields);
}

std::string csv_head(bool words) {
  std::vector<std::string> fields = {"a", "b", "x", "containment", "contained", "resemblance"};
  if (words) fields.insert(fields.end(), {"a_words", "b_words"});
  return csv_line(fields);
}

/// One line of --json or --csv.
std::string data_line(const DocumentPair& pair, bool json) {
  return json ? api::pair_object(pair).dump() + "\n" : pair_csv(pair);
}

struct Options {
  std::shared_ptr<PairsOptions> pairs;
  std::string resume;  ///< the file of --resume; empty: none
  PairsTableOptions table;
};

Result<PairsReport> print_pairs(const PairsOptions& options, Session& session, const Snapshot& snapshot,
                                const PairsRequest& request, const std::optional<filter::Filter>& filter) {
  Output& out = session.out;
  const bool json = session.options.json;
  if (options.csv) out << csv_head(request.reuse);
  bool head_due = !options.csv && !json;
  const auto visit = [&](const DocumentPair& pair) -> Result<void> {
    if (head_due) out << table_head(request.reuse);
    head_due = false;
    out << (json || options.csv ? data_line(pair, json) : table_line(pair));
    return {};
  };
  AKIN_TRY(const PairsSummary summary, api::pairs_of(snapshot, request, filter, visit));
  return PairsReport{counted(summary.pairs, "pair") + of_candidates(summary.candidates) +
                         without_common(request, summary.common),
                     summary.pairs};
}

/// What the pairs in a file belong to: two runs that agree in this produce the same pairs in the same order.
Result<api::Json> subject(const PairsOptions& options, bool json, const Collection& collection,
                          const Snapshot& snapshot, const PairsRequest& request) {
  const PairCondition& condition = request.condition;
  AKIN_TRY(const api::Parameters parameters, options.flags.read());
  AKIN_TRY(const StoreStats stats, snapshot.stats());
  const Generation& generation = collection.generation();
  api::Json of{{"collection", collection.name()},
               {"generation", "gen-" + std::to_string(generation.number) + " " + generation.token},
               {"last_revision", stats.last_revision.value},
               {"documents", stats.documents},
               {"bound", condition.bound},
               {"min_containment", condition.min_containment},
               {"min_resemblance", condition.min_resemblance},
               {"tier", parameters.text("tier").value_or("")},
               {"format", json ? "json" : "csv"}};
  if (request.reuse) of["reuse"] = true;
  if (request.common_limit) of["common_limit"] = *request.common_limit;
  if (const auto filter = parameters.text("filter")) of["filter"] = *filter;
  return of;
}

Result<PairsReport> write_pairs_file(const Options& options, bool json, const Collection& collection,
                                     const Snapshot& snapshot, PairsRequest& request,
                                     const std::optional<filter::Filter>& filter) {
  AKIN_TRY(api::Json of, subject(*options.pairs, json, collection, snapshot, request));
  AKIN_TRY(const auto file, PairsFile::open(options.resume, std::move(of)));
  if (file->position().bytes == 0 && !json) AKIN_CHECK(file->write(csv_head(request.reuse)));
  const StopTokenOnSignal signals;
  std::uint64_t pairs = file->position().pairs;
  request.stop = signals.token();
  request.first = file->position().next;
  request.reached = [&](std::uint32_t next) { return file->reached(next, pairs); };
  request.progress = [&, show = request.progress](const PairsProgress& now) {
    show({now.share, pairs});
    // A failure occurs again when the next number is reached, and is reported then.
    (void)file->save_if_due();
  };
  const bool resumed = request.first > 0;
  AKIN_TRY(const PairsSummary summary,
           api::pairs_of(snapshot, request, filter, [&](const DocumentPair& pair) -> Result<void> {
             ++pairs;
             return file->write(data_line(pair, json));
           }));
  if (!summary.complete) {
    AKIN_CHECK(file->save());
    return Error{Errc::unsupported, options.resume,
                 "stopped by a signal after " + counted(file->position().pairs, "pair"),
                 "run the same command again: it continues from there"};
  }
  AKIN_CHECK(file->finish());
  return PairsReport{counted(pairs, "pair") + (resumed ? std::string() : of_candidates(summary.candidates)) +
                         without_common(request, summary.common),
                     pairs};
}

Result<void> check_forms(const Options& options, bool json) {
  const bool table = !options.table.file.empty();
  if (table && (options.pairs->csv || json)) {
    return Error{Errc::invalid_argument, "--table", "cannot be combined with --csv or --json",
                 "the file's extension determines the format"};
  }
  if (table && options.pairs->flags.has("common_limit")) {
    return Error{Errc::invalid_argument, "--table",
                 "cannot be combined with --common-limit: it shows the passages of all features",
                 "print the pairs with --csv or --json"};
  }
  if (!options.resume.empty() && !options.pairs->csv && !json) {
    return Error{Errc::invalid_argument, "--resume", "needs a format for the file", "give --json or --csv"};
  }
  return {};
}

Result<Exit> run_pairs(const Options& options, Session& session) {
  const bool table = !options.table.file.empty();
  const bool json = session.options.json;
  AKIN_CHECK(check_forms(options, json));
  if (options.table.deletions) return print_deletions(options.pairs->csv, session);
  Exit exit = Exit::ok;
  if (!options.table.labels.empty()) {
    AKIN_TRY(exit, take_labels(options.table.labels, session));
    const DeclaredFlags& flags = options.pairs->flags;
    if (!table && !flags.has("filter") && !flags.has("bound") && !flags.has("min_containment") &&
        !flags.has("min_resemblance"))
      return exit;
  }
  options.pairs->data_on_stdout = options.table.file == "-";
  AKIN_TRY(const Exit told,
           run_with_pairs(
               *options.pairs, session,
               [&](const OpenCollection& collection, const Snapshot& snapshot, PairsRequest& request,
                   const std::optional<filter::Filter>& filter) {
                 if (table)
                   return write_pairs_table(options.table, session, collection, {snapshot, request, filter});
                 if (!options.resume.empty())
                   return write_pairs_file(options, json, *collection, snapshot, request, filter);
                 return print_pairs(*options.pairs, session, snapshot, request, filter);
               }));
  return exit == Exit::ok ? told : exit;
}

}  // namespace

void add_pairs_command(Program& program) {
  Command command =
      program.command("pairs", "Find every pair of stored documents that share text", kPairsExamples);
  auto options = std::make_shared<Options>();
  options->pairs = add_pairs_options(
      command, "find_pairs",
      {"bound", "min_containment", "min_resemblance", "common_limit", "filter", "memory", "tier"}, "a pair");
  command
      .add_option(
          "--resume", options->resume,
          "Write the pairs (--json or --csv) into FILE, and the progress into FILE.progress; the same "
          "command continues after an interruption")
      .type_name("FILE");
  add_pairs_table_options(command, options->table);
  program.on(command, [options](Session& session) { return run_pairs(*options, session); });
}

}  // namespace akin::cli
