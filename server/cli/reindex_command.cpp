#include "server/api/objects.h"
#include "server/cli/commands.h"
#include "server/cli/format.h"
#include "server/cli/progress.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin reindex                        after a dictionary was updated\n"
    "  akin reindex --lang ru,en,de        with other dictionaries\n"
    "  akin reindex --scheme sentences     with another scheme\n"
    "\n"
    "Rebuilds the collection from its stored texts. The old index answers searches until the new\n"
    "one is complete; writes are refused meanwhile.";

Result<Exit> run_reindex(Session& session) {
  const CommonOptions& options = session.options;
  AKIN_TRY(const auto catalog, open_catalog(options, false));
  std::string scheme;
  if (options.scheme) {
    AKIN_TRY(const auto wanted, make_scheme(*options.scheme));
    scheme = wanted->name();
  }
  JobProgress last;
  {
    ProgressLine line("reindexing");
    AKIN_CHECK(catalog->reindex(options.collection, scheme, [&](const JobProgress& now) {
      last = now;
      const double share = now.documents_total == 0 ? 1.0
                                                    : static_cast<double>(now.documents_done) /
                                                          static_cast<double>(now.documents_total);
      line.update(share, now.bytes_done,
                  grouped(now.documents_done) + " of " + counted(now.documents_total, "document"));
    }));
  }
  AKIN_TRY(const auto collection, catalog->get(options.collection));
  if (options.json) {
    AKIN_TRY(const auto identity, catalog->identity(options.collection));
    AKIN_TRY(const auto snapshot, collection->snapshot());
    AKIN_TRY(const auto stats, snapshot->stats());
    session.out << api::collection_object(options.collection, identity, stats).dump() << "\n";
  } else {
    session.out << "reindexed " << counted(last.documents_done, "document") << " ("
                << byte_count(last.bytes_done) << ") of collection '" << options.collection
                << "' with the scheme " << collection->scheme().name() << " and the dictionaries "
                << options.languages << "\n";
  }
  return Exit::ok;
}

}  // namespace

void add_reindex_command(Program& program) {
  auto& command =
      program.command("reindex", "Rebuild a collection with the present dictionaries and scheme", kExamples);
  program.on(command, [](Session& session) { return run_reindex(session); });
}

}  // namespace akin::cli
