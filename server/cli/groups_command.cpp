#include "server/api/objects.h"
#include "server/cli/commands.h"
#include "server/cli/csv.h"
#include "server/cli/format.h"
#include "server/cli/pairs_options.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin groups --min-resemblance 0.8             near-duplicates, one line a group\n"
    "  akin groups --min-containment 0.5 --json      one JSON object a line, for programs\n"
    "  akin groups --bound 3 --csv                   number of the group, id\n"
    "\n"
    "Two documents are in one group when they are a pair (akin pairs) or a chain of pairs leads from one to\n"
    "the other. The largest group comes first; documents in no pair are not told. Exit 0 when done, "
    "whatever\n"
    "was found, 2 on an error.";

std::string table_line(const std::vector<std::string>& ids) {
  std::string line = counted(ids.size(), "document") + ":";
  for (const std::string& id : ids) line += "  " + one_line(id, kMaxIdBytes);
  return line + "\n";
}

Result<Exit> run_groups(const PairsOptions& options, Session& session) {
  return run_with_pairs(
      options, session,
      [&](const Collection&, const Snapshot& snapshot, PairsRequest& request) -> Result<std::string> {
        Output& out = session.out;
        if (options.csv) out << csv_line({"group", "id"});
        std::uint64_t number = 0;
        const auto visit = [&](const std::vector<std::string>& ids) -> Result<void> {
          ++number;
          if (session.options.json) {
            out << api::group_object(ids).dump() << "\n";
          } else if (options.csv) {
            for (const std::string& id : ids) out << csv_line({std::to_string(number), id});
          } else {
            out << table_line(ids);
          }
          return {};
        };
        AKIN_TRY(const GroupsSummary summary, snapshot.groups(request, visit));
        return counted(summary.groups, "group") + " of " + counted(summary.documents, "document") + " by " +
               counted(summary.pairs, "pair");
      });
}

}  // namespace

void add_groups_command(Program& program) {
  auto& command = program.command("groups", "Cluster stored documents that share text", kExamples);
  const auto options = add_pairs_options(command);
  program.on(command, [options](Session& session) { return run_groups(*options, session); });
}

}  // namespace akin::cli
