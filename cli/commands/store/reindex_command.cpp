#include "cli/commands/commands.h"
#include "cli/commands/common/job.h"
#include "cli/frame/format.h"
#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

constexpr const char* kReindexExamples =
    "  akin reindex                        after a dictionary was updated\n"
    "  akin reindex --lang ru,en,de        with other dictionaries\n"
    "  akin reindex --scheme sentences     with another scheme\n"
    "\n"
    "Rebuilds the collection from its stored texts. Searches and writes continue meanwhile, and the\n"
    "new index includes these writes. Ctrl-C leaves the collection unchanged.";

Result<Exit> run_reindex(Session& session) {
  const CommonOptions& options = session.options;
  const auto dictionaries = open_dictionaries(options);
  AKIN_TRY(const auto catalog, open_catalog(options, false, dictionaries));
  std::string scheme;
  if (options.scheme) {
    AKIN_TRY(const auto wanted, make_scheme(*options.scheme));
    scheme = wanted->name();
  }
  JobProgress last;
  AKIN_CHECK(run_job(
      "reindexing",
      [&](const JobControl& control) {
        return with_collections(catalog->reindex(options.collection, scheme, control), *catalog);
      },
      &last));
  AKIN_TRY(const auto collection, catalog->get(options.collection));
  if (options.json) {
    AKIN_TRY(const auto identity, catalog->identity(options.collection));
    AKIN_TRY(const auto snapshot, collection->snapshot());
    AKIN_TRY(const auto stats, snapshot->stats());
    AKIN_TRY(const auto expires, catalog->expiry(options.collection));
    session.out << api::collection_object(options.collection, identity, stats, expires,
                                          fingerprint_with(identity, *dictionaries))
                       .dump()
                << "\n";
  } else {
    session.out << "reindexed " << counted(last.documents_done, "document") << " ("
                << byte_count(last.bytes_done) << ") of collection '" << options.collection
                << "' with the scheme " << collection->scheme().name() << " and the dictionaries "
                << collection->identity().languages << "\n";
  }
  return Exit::ok;
}

}  // namespace

void add_reindex_command(Program& program) {
  Command command = program.command(
      "reindex", "Rebuild a collection with the current dictionaries and scheme", kReindexExamples);
  program.on_owned(command, [](Session& session) { return run_reindex(session); });
}

}  // namespace akin::cli
