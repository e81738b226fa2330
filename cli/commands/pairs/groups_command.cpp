#include <algorithm>
#include <cstdio>

#include "base/spreadsheet_cell.h"
#include "cli/commands/commands.h"
#include "cli/commands/pairs/pairs_options.h"
#include "cli/frame/csv.h"
#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "index/pairs/exact_match.h"
#include "server/api/write/objects.h"
#include "server/search/filtered_pairs.h"

namespace akin::cli {

namespace {

constexpr const char* kGroupsExamples =
    "  akin groups --min-resemblance 0.8             near-duplicates, one line per group\n"
    "  akin groups --min-containment 0.5 --json      one JSON object per line, for programs\n"
    "  akin groups --bound 3 --csv                   number of the group, id\n"
    "  akin groups --linkage complete                no chains: every two documents of a group are a pair\n"
    "  akin groups --method imatch                   by their words of middle frequency, in two passes\n"
    "\n"
    "Two documents are in one group if they are a pair (akin pairs) or a chain of pairs connects them. The\n"
    "largest group comes first; documents that occur in no pair are omitted.";

std::string table_line(const std::vector<std::string>& ids) {
  std::string line = counted(ids.size(), "document") + ":";
  for (const std::string& id : ids) line += "  " + one_line(id, kMaxIdBytes);
  return line + "\n";
}

/// Prints groups in the requested format.
class GroupPrinter {
 public:
  GroupPrinter(bool csv, Session& session) : csv_(csv), session_(session) {
    if (csv_) session_.out << csv_line({"group", "id"});
  }

  Result<void> operator()(const std::vector<std::string>& ids) {
    ++number_;
    if (session_.options.json) {
      session_.out << api::group_object(ids).dump() << "\n";
    } else if (csv_) {
      for (const std::string& id : ids) session_.out << csv_line({std::to_string(number_), guarded_cell(id)});
    } else {
      session_.out << table_line(ids);
    }
    return {};
  }

 private:
  bool csv_;
  Session& session_;
  std::uint64_t number_ = 0;
};

Result<Exit> run_groups(const PairsOptions& options, Session& session) {
  AKIN_TRY(const api::Parameters parameters, options.flags.read());
  const bool complete = parameters.text("linkage") == "complete";
  const api::Linkage linkage = complete ? api::Linkage::complete : api::Linkage::single;
  return run_with_pairs(
      options, session,
      [&](const OpenCollection&, const Snapshot& snapshot, PairsRequest& request,
          const std::optional<filter::Filter>& filter) -> Result<PairsReport> {
        AKIN_TRY(const GroupsSummary summary,
                 api::groups_of(snapshot, request, filter, linkage, GroupPrinter(options.csv, session)));
        return PairsReport{counted(summary.groups, "group") + " of " +
                               counted(summary.documents, "document") + of_candidates(summary.candidates) +
                               without_common(request, summary.common),
                           summary.groups};
      });
}

struct GroupsOptions {
  std::string method = "pairs";
  ExactMatchRequest band;
};

Result<Exit> run_exact_match(const PairsOptions& options, ExactMatchRequest request, Session& session) {
  AKIN_TRY(const api::Parameters parameters, options.flags.read());
  if (std::ranges::any_of(parameters.given(), [](const auto& one) { return one.name != "memory"; })) {
    return Error{Errc::invalid_argument, "--method imatch",
                 "takes no bound, containment, resemblance, common limit, tier, filter or linkage",
                 "leave them out; --low and --high choose the words"};
  }
  if (options.csv && session.options.json) {
    return Error{Errc::invalid_argument, "--csv", "cannot be combined with --json", "leave one of them out"};
  }
  AKIN_TRY(const auto collection, open_collection(session.options));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  ExactMatchSummary summary;
  {
    ProgressLine line("reading");
    request.progress = [&](std::uint64_t done, std::uint64_t all) {
      line.update(static_cast<double>(done) / static_cast<double>(all), 0, "");
    };
    AKIN_TRY(summary, exact_match_groups(*snapshot, collection->dictionary(), request,
                                         GroupPrinter(options.csv, session)));
  }
  const std::string told = counted(summary.groups, "group") + " of " +
                           counted(summary.documents, "document") + " by " + grouped(summary.words) + " of " +
                           counted(summary.all_words, "word") + "; " +
                           counted(summary.without_signature, "document") + " have none of these words\n";
  if (options.csv || session.options.json) {
    std::fputs(told.c_str(), stderr);
  } else {
    session.out << told;
  }
  return exit_of(summary.groups > 0, options.exit_code);
}

}  // namespace

void add_groups_command(Program& program) {
  Command command = program.command("groups", "Cluster stored documents that share text", kGroupsExamples);
  const auto options = add_pairs_options(
      command, "find_groups",
      {"bound", "min_containment", "min_resemblance", "common_limit", "filter", "memory", "tier", "linkage"},
      "a group");
  auto own = std::make_shared<GroupsOptions>();
  command
      .add_option("--method", own->method,
                  "pairs: documents that share text; imatch: those with the same words of middle IDF")
      .one_of({"pairs", "imatch"})
      .capture_default_str();
  command.add_option("--low", own->band.low, "With imatch: least normalised IDF of the words that count")
      .type_name("SHARE")
      .check(check_share)
      .capture_default_str();
  command.add_option("--high", own->band.high, "With imatch: greatest normalised IDF of these words")
      .type_name("SHARE")
      .check(check_share)
      .capture_default_str();
  program.on(command, [options, own](Session& session) {
    return own->method == "imatch" ? run_exact_match(*options, own->band, session)
                                   : run_groups(*options, session);
  });
}

}  // namespace akin::cli
