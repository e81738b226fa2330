#include "server/api/objects.h"
#include "server/cli/commands/commands.h"
#include "server/cli/frame/format.h"
#include "server/cli/frame/table.h"

namespace akin::cli {

namespace {

constexpr const char* kStatsExamples =
    "  akin stats\n"
    "  akin stats --collection news --json";

std::string per(std::uint64_t bytes, std::uint64_t count, std::string_view unit) {
  if (count == 0) return "";
  const std::uint64_t tenths = bytes * 10 / count;
  return " (" + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " bytes per " +
         std::string(unit) + ")";
}

Result<Exit> run_stats(Session& session) {
  const CommonOptions& options = session.options;
  const auto dictionaries = open_dictionaries(options);
  AKIN_TRY(const auto catalog, open_catalog(options, false, dictionaries));
  AKIN_TRY(const auto collection, catalog->get(options.collection));
  AKIN_CHECK(check_flags(options, *dictionaries, *collection));
  const StoreIdentity& identity = collection->identity();
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const StoreStats stats, snapshot->stats());
  const auto configured = dictionaries->configured();
  const auto fingerprint = configured.has_value() ? fingerprint_with(identity, **configured) : std::nullopt;
  if (options.json) {
    AKIN_TRY(const auto expires, catalog->expiry(options.collection));
    session.out << api::collection_object(options.collection, identity, stats, expires, fingerprint).dump()
                << "\n";
    return Exit::ok;
  }
  Table table({Table::Align::left, Table::Align::left});
  table.add({"collection", options.collection});
  table.add({"scheme", identity.scheme});
  table.add({"dictionaries", identity.languages + ", fingerprint " + identity.fingerprint});
  if (fingerprint && fingerprint != identity.fingerprint)
    table.add(
        {"", "those configured have the fingerprint " + *fingerprint + ": akin reindex would use them"});
  table.add({"documents", grouped(stats.documents)});
  table.add({"features", grouped(stats.features)});
  table.add({"postings", grouped(stats.postings)});
  table.add({"texts", byte_count(stats.text_bytes) + ", stored in " + byte_count(stats.text_stored_bytes)});
  table.add({"on disk", byte_count(stats.disk_bytes) + per(stats.disk_bytes, stats.features, "feature")});
  session.out << table.text();
  return Exit::ok;
}

}  // namespace

void add_stats_command(Program& program) {
  Command command =
      program.command("stats", "Show what a collection holds and how it was built", kStatsExamples);
  program.on(command, [](Session& session) { return run_stats(session); });
}

}  // namespace akin::cli
