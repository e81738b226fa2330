#include "server/api/objects.h"
#include "server/cli/commands.h"
#include "server/cli/csv.h"
#include "server/cli/format.h"
#include "server/cli/pairs_options.h"
#include "server/cli/pairs_table.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin pairs --bound 3                          every two documents that share over 3 features\n"
    "  akin pairs --min-containment 0.9              one is nearly all in the other\n"
    "  akin pairs --min-resemblance 0.5 --bound 10   both conditions must hold\n"
    "  akin pairs --bound 3 --json > pairs.ndjson    one JSON object a line, for programs\n"
    "  akin pairs --bound 3 --csv --memory 4G        more memory, fewer passes over the index\n"
    "  akin pairs --min-resemblance 0.3 --table pairs.html   for an expert: both texts side by side\n"
    "  akin pairs --labels labels.tsv                what the expert says, kept and shown in tables\n"
    "\n"
    "No pair is missed and none is estimated. A pair is told once, a's id before b's; the order of pairs is\n"
    "the same each time. Exit 0 when done, whatever was found, 2 on an error.";

std::string right(std::string text, std::size_t width) {
  // "< 0.1 %" and its kind are ASCII: bytes are columns.
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string table_line(const DocumentPair& pair) {
  const Overlap& overlap = pair.overlap;
  const auto share = [&](double of) { return right(overlap.has_containment ? percent(of) : "-", 9); };
  return right(grouped(overlap.x), 9) + share(overlap.containment()) + share(overlap.contained()) +
         right(percent(overlap.resemblance()), 13) + "  " + one_line(pair.a, kMaxIdBytes) + "  " +
         one_line(pair.b, kMaxIdBytes) + "\n";
}

constexpr std::string_view kTableHead = "        x     of a     of b  resemblance  a  b\n";

std::string pair_csv(const DocumentPair& pair) {
  const auto number = [](double value) { return api::Json(value).dump(); };
  const auto share = [&](double of) { return pair.overlap.has_containment ? number(of) : std::string(); };
  return csv_line({pair.a, pair.b, std::to_string(pair.overlap.x), share(pair.overlap.containment()),
                   share(pair.overlap.contained()), number(pair.overlap.resemblance())});
}

struct Options {
  std::shared_ptr<PairsOptions> pairs;
  PairsTableOptions table;
};

Result<std::string> print_pairs(const PairsOptions& options, Session& session, const Snapshot& snapshot,
                                const PairsRequest& request) {
  Output& out = session.out;
  const bool json = session.options.json;
  if (options.csv) out << csv_line({"a", "b", "x", "containment", "contained", "resemblance"});
  bool head_due = !options.csv && !json;
  const auto visit = [&](const DocumentPair& pair) -> Result<void> {
    if (head_due) out << kTableHead;
    head_due = false;
    if (json) {
      out << api::pair_object(pair).dump() << "\n";
    } else {
      out << (options.csv ? pair_csv(pair) : table_line(pair));
    }
    return {};
  };
  AKIN_TRY(const PairsSummary summary, snapshot.pairs(request, visit));
  return counted(summary.pairs, "pair") + of_nominees(summary.nominees);
}

Result<Exit> run_pairs(const Options& options, Session& session) {
  const bool table = !options.table.file.empty();
  if (table && (options.pairs->csv || session.options.json)) {
    return Error{Errc::invalid_argument, "--table", "cannot be combined with --csv or --json",
                 "the file's ending names the form"};
  }
  Exit exit = Exit::ok;
  if (!options.table.labels.empty()) {
    AKIN_TRY(exit, take_labels(options.table.labels, session));
    const PairsOptions& pairs = *options.pairs;
    if (!table && !pairs.bound && !pairs.min_containment && !pairs.min_resemblance) return exit;
  }
  options.pairs->data_on_stdout = options.table.file == "-";
  AKIN_TRY(const Exit told,
           run_with_pairs(*options.pairs, session,
                          [&](const Collection& collection, const Snapshot& snapshot, PairsRequest& request) {
                            return table ? write_pairs_table(options.table, session, collection, snapshot,
                                                             request)
                                         : print_pairs(*options.pairs, session, snapshot, request);
                          }));
  return exit == Exit::ok ? told : exit;
}

}  // namespace

void add_pairs_command(Program& program) {
  auto& command =
      program.command("pairs", "Find every two stored documents that share text with each other", kExamples);
  auto options = std::make_shared<Options>();
  options->pairs = add_pairs_options(command);
  add_pairs_table_options(command, options->table);
  program.on(command, [options](Session& session) { return run_pairs(*options, session); });
}

}  // namespace akin::cli
