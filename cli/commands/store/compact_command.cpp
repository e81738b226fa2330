#include "cli/commands/commands.h"
#include "cli/commands/common/job.h"
#include "cli/frame/format.h"
#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

constexpr const char* kCompactExamples =
    "  akin compact                        after many documents were replaced or deleted\n"
    "  akin compact --collection news\n"
    "\n"
    "Copies the collection into a new file without its free pages. Searches and writes continue\n"
    "meanwhile. Ctrl-C leaves the collection unchanged.";

Result<Exit> run_compact(Session& session) {
  const CommonOptions& options = session.options;
  AKIN_TRY(const auto catalog, open_catalog(options, false));
  Compaction done;
  AKIN_CHECK(run_job("compacting", [&](const JobControl& control) -> Result<void> {
    AKIN_TRY(done, with_collections(catalog->compact(options.collection, control), *catalog));
    return {};
  }));
  if (options.json) {
    session.out << api::Json{{"collection", options.collection},
                             {"bytes_before", done.bytes_before},
                             {"bytes_after", done.bytes_after}}
                       .dump()
                << "\n";
  } else {
    session.out << "compacted collection '" << options.collection << "': " << byte_count(done.bytes_before)
                << " before, " << byte_count(done.bytes_after) << " now\n";
  }
  return Exit::ok;
}

}  // namespace

void add_compact_command(Program& program) {
  Command command =
      program.command("compact", "Make a collection's file as small as possible", kCompactExamples);
  program.on_owned(command, [](Session& session) { return run_compact(session); });
}

}  // namespace akin::cli
