#include <chrono>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/hex.h"
#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/frame/format.h"
#include "cli/frame/table.h"
#include "server/api/view_age.h"
#include "server/api/write/objects.h"
#include "server/check/kept_bytes.h"
#include "server/search/most_common.h"

namespace akin::cli {

namespace {

constexpr const char* kStatsExamples =
    "  akin stats\n"
    "  akin stats --collection news --json\n"
    "  akin stats --common 20   the 20 features that most documents have: boilerplate, stock phrases";

std::string per(std::uint64_t bytes, std::uint64_t count, std::string_view unit) {
  if (count == 0) return "";
  const std::uint64_t tenths = bytes * 10 / count;
  return " (" + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " bytes per " +
         std::string(unit) + ")";
}

std::string common_text(const std::vector<api::MostCommon>& list) {
  constexpr std::size_t kShown = 80;
  Table table({Table::Align::right, Table::Align::left, Table::Align::left});
  table.add({"documents", "feature", "example"});
  for (const api::MostCommon& one : list) {
    const std::string in = one.tier.empty() ? "" : one.tier + " ";
    table.add({grouped(one.common.documents), in + hex16(static_cast<std::uint64_t>(one.common.feature)),
               one_line(one.common.example, kMaxIdBytes) + " " + range(one.range) +
                   (one.text ? ": " + one_line(*one.text, kShown) : "")});
  }
  return "\n" + table.text();
}

std::string scrub_text(const ScrubPass& pass) {
  const std::string when = format_time(*pass.ended) + ", " + byte_count(pass.bytes) + ": ";
  if (pass.findings == 0) return when + "clean";
  return when + counted(pass.findings, "finding") + ", the first in " +
         one_line(pass.first.where, kMaxIdBytes) + ": " + one_line(pass.first.broken, kMaxIdBytes);
}

/// Nothing if no check keeps anything, or the state cannot be read.
std::optional<check::KeptSpace> kept_by_checks(const CommonOptions& options) {
  const auto state = find_state(options);
  if (state.has_error() || *state == nullptr) return std::nullopt;
  const auto kept = check::kept_space(**state);
  return kept.has_error() || kept->pieces == 0 ? std::nullopt : std::optional(*kept);
}

Result<void> note_examples(const CommonOptions& options, const std::shared_ptr<Catalog>& catalog,
                           const Snapshot& snapshot, const std::vector<api::MostCommon>& list) {
  AKIN_TRY(auto state, find_state(options));
  TextReadings readings(std::move(state), catalog);
  for (const api::MostCommon& one : list) {
    if (!one.text) continue;
    AKIN_TRY(const auto record, snapshot.find(one.common.example));
    if (record) AKIN_CHECK(readings.note(options.collection, *record));
  }
  return {};
}

Result<Exit> run_stats(std::uint64_t common, Session& session) {
  const CommonOptions& options = session.options;
  const auto dictionaries = open_dictionaries(options);
  AKIN_TRY(const auto catalog, open_catalog(options, false, dictionaries));
  AKIN_TRY(const auto collection, collection_of(options, *catalog));
  AKIN_CHECK(check_flags(options, *dictionaries, *collection));
  const StoreIdentity& identity = collection->identity();
  AKIN_TRY(const auto snapshot, collection->snapshot());
  AKIN_TRY(const StoreStats stats, snapshot->stats());
  std::vector<api::MostCommon> most_common;
  if (common > 0) {
    AKIN_TRY(most_common, api::most_common_in(*collection, *snapshot, common));
    AKIN_CHECK(note_examples(options, catalog, *snapshot, most_common));
  }
  const auto fingerprint = fingerprint_with(identity, *dictionaries);
  const auto scrub = catalog->last_scrub(options.collection);
  AKIN_TRY(const std::optional<Staleness> staleness, catalog->staleness());
  const std::optional<check::KeptSpace> kept = kept_by_checks(options);
  if (options.json) {
    AKIN_TRY(const auto expires, catalog->expiry(options.collection));
    api::Json object = api::collection_object(options.collection, identity, stats, expires, fingerprint);
    if (scrub) object["scrub"] = api::scrub_object(*scrub);
    if (staleness) object["staleness_seconds"] = std::chrono::duration<double>(staleness->age).count();
    if (kept) {
      object["kept_by_checks"] = {
          {"pieces", kept->pieces}, {"bytes", kept->bytes}, {"stored_bytes", kept->stored_bytes}};
    }
    if (common > 0) object["most_common"] = api::most_common_array(most_common);
    session.out << object.dump() << "\n";
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
  const std::string recent = ", " + grouped(stats.recent_postings) + " of them to be merged";
  table.add({"postings", grouped(stats.postings) + (stats.recent_postings > 0 ? recent : "")});
  table.add({"texts", byte_count(stats.text_bytes) + ", stored in " + byte_count(stats.text_stored_bytes)});
  if (stats.files) {
    table.add(
        {"files", byte_count(stats.files->bytes) + ", stored in " + byte_count(stats.files->stored_bytes)});
  }
  if (staleness) table.add({"standby", "its view is " + api::seconds_text(staleness->age) + " s old"});
  table.add({"on disk", byte_count(stats.disk_bytes) + per(stats.disk_bytes, stats.features, "feature")});
  if (scrub) table.add({"last scrub", scrub_text(*scrub)});
  if (kept) {
    table.add({"all checks keep", counted(kept->pieces, "piece") + ", " + byte_count(kept->bytes) +
                                      ", stored in " + byte_count(kept->stored_bytes)});
  }
  session.out << table.text();
  if (common > 0) session.out << common_text(most_common);
  return Exit::ok;
}

}  // namespace

void add_stats_command(Program& program) {
  Command command =
      program.command("stats", "Show what a collection holds and how it was built", kStatsExamples);
  auto common = std::make_shared<std::uint64_t>(0);
  command
      .add_option("--common", *common,
                  "List the N features that most documents have, in each tier of the collection's scheme,\n"
                  "with the place of each in one document")
      .type_name("N")
      .check(check_positive);
  program.on(command, [common](Session& session) { return run_stats(*common, session); });
}

}  // namespace akin::cli
