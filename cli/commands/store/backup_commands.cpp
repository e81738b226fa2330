#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/commands/common/job.h"
#include "cli/frame/format.h"
#include "index/lmdb/folder/backup_manifest.h"
#include "server/api/write/objects.h"
#include "server/state/restore_records.h"

namespace akin::cli {

namespace {

constexpr const char* kBackupExamples =
    "  akin backup /backups/monday                    all collections and the server's state\n"
    "  akin backup /backups/news --only news          one of them; may be given several times\n"
    "\n"
    "Searches and writes continue meanwhile; each collection is copied as of one moment. The folder\n"
    "must not exist, or must be empty; it gets its name once the backup is complete.";

constexpr const char* kRestoreExamples =
    "  akin restore /backups/monday                   all of it, into --data\n"
    "  akin restore /backups/monday --only news       one collection\n"
    "  akin restore /backups/monday --only news --as old-news\n"
    "  akin restore /backups/monday --replace         replaces existing collections\n"
    "\n"
    "Collections are verified before they become visible. Without --replace, nothing that exists is\n"
    "changed. Labels of pairs are restored with their collections, models only if there is none of the\n"
    "same name (or with --replace), all other records of the server's state only if there is no state.";

struct RestoreOptions {
  std::string source;
  std::vector<std::string> only;
  std::string as;
  bool replace = false;
};

api::Json manifest_object(const BackupManifest& manifest) {
  api::Json collections = api::Json::array();
  for (const BackedUpCollection& one : manifest.collections) {
    collections.push_back({{"name", one.name}, {"documents", one.documents}, {"bytes", one.file.bytes}});
  }
  api::Json left_out = api::Json::array();
  for (const LeftOutCollection& one : manifest.left_out)
    left_out.push_back({{"name", one.name}, {"error", api::error_object(one.error)}});
  return {{"made", manifest.made},
          {"collections", collections},
          {"left_out", left_out},
          {"state", manifest.state.has_value()}};
}

Result<Exit> run_backup(const std::string& target, const std::vector<std::string>& only, Session& session) {
  AKIN_TRY(const auto catalog, open_catalog(session.options, false));
  BackupManifest made;
  const audit::Event event{
      .by = actor_of_command(), .action = "backup.made", .about = target, .details = {{"collections", only}}};
  const Result<void> outcome = record_and_do(session.options, *catalog, event, [&](bool) {
    return run_job("backing up", [&](const JobControl& control) -> Result<void> {
      AKIN_TRY(made, with_collections(catalog->backup({only, target, {}, control}), *catalog, "--only"));
      return made.check(target);
    });
  });
  if (made.made.empty()) return outcome.error();
  if (session.options.json) {
    session.out << manifest_object(made).dump() << "\n";
  } else {
    for (const BackedUpCollection& one : made.collections) {
      session.out << "backed up collection '" << one.name << "': " << counted(one.documents, "document")
                  << ", " << byte_count(one.file.bytes) << "\n";
    }
    if (made.state) session.out << "backed up the server's state: " << byte_count(made.state->bytes) << "\n";
  }
  AKIN_CHECK(outcome);
  return Exit::ok;
}

std::string_view state_name(RestoreReport::State state) {
  switch (state) {
    case RestoreReport::State::none:
      return "none";
    case RestoreReport::State::restored:
      return "restored";
    case RestoreReport::State::kept:
      return "kept";
  }
  return "";
}

/// Whether a collection was built with the dictionaries that a reindex would take.
bool fits(const RestoredCollection& one, Dictionaries& dictionaries) {
  return !is_outdated({.scheme = one.scheme, .fingerprint = one.fingerprint, .languages = one.languages},
                      dictionaries);
}

void print_report(const RestoreReport& report, const state::RestoredRecords& records,
                  Dictionaries& dictionaries, Output& out) {
  for (const RestoredCollection& one : report.collections) {
    out << "restored collection '" << one.name << "': " << counted(one.documents, "document") << ", "
        << byte_count(one.bytes) << (one.replaced ? ", replacing the existing one" : "") << "\n";
    if (!fits(one, dictionaries)) {
      out << "collection '" << one.name << "' was built with other dictionaries than those configured: "
          << (one.has_dictionaries
                  ? "it uses its own, which the backup has, until akin reindex --collection " + one.name
                  : "run akin reindex --collection " + one.name + ", or use those")
          << "\n";
    }
  }
  for (const std::string& name : records.labels)
    out << "restored the labels of collection '" << name << "'\n";
  for (const std::string& name : records.models) out << "restored model '" << name << "'\n";
  for (const std::string& name : records.kept_models)
    out << "left model '" << name << "' unchanged: it already exists\n";
  if (report.state == RestoreReport::State::restored) out << "restored the server's state\n";
  if (report.state == RestoreReport::State::kept)
    out << "left the server's state unchanged: it already exists\n";
}

Result<Exit> run_restore(const RestoreOptions& request, Session& session) {
  const auto dictionaries = open_dictionaries(session.options);
  AKIN_CHECK(dictionaries->configured());
  // An invalid source is reported before a data folder is created.
  AKIN_TRY(const BackupManifest manifest, read_manifest(request.source));
  api::Json left_out = api::Json::array();
  if (request.only.empty())
    for (const LeftOutCollection& one : manifest.left_out) left_out.push_back(one.name);
  AKIN_TRY(const auto catalog, open_catalog_with(session.options, dictionaries, true));
  AKIN_CHECK(drop_expired(session.options, *catalog));
  RestoreReport report;
  state::RestoredRecords records;
  const audit::Event event{.by = actor_of_command(),
                           .action = "backup.restored",
                           .about = request.source,
                           .details = {{"collections", request.only}, {"replace", request.replace}}};
  AKIN_CHECK(record_and_do(session.options, *catalog, event, [&](bool is_recorded) {
    const auto take_state = [&](const BackedUpState& backup) -> Result<void> {
      std::shared_ptr<state::State> state;
      if (backup.becomes_state) {
        AKIN_TRY(records, state::keep_restored_records(backup));
        AKIN_TRY(state, state::State::open(backup.folder));
      } else {
        AKIN_TRY(state, open_state(session.options));
        AKIN_TRY(records, state::restore_records(backup, *state, request.replace));
      }
      return is_recorded ? Result<void>() : audit::record(*state, event);
    };
    return run_job("restoring", [&](const JobControl& control) -> Result<void> {
      AKIN_TRY(report, catalog->restore({.source = request.source,
                                         .collections = request.only,
                                         .as = request.as,
                                         .replace = request.replace,
                                         .control = control,
                                         .take_state = take_state}));
      return {};
    });
  }));
  if (!session.options.json) {
    print_report(report, records, *dictionaries, session.out);
    for (const api::Json& name : left_out) {
      session.out << "the backup was made without collection '" << name.get<std::string>()
                  << "', which could not be copied\n";
    }
    return Exit::ok;
  }
  api::Json collections = api::Json::array();
  for (const RestoredCollection& one : report.collections) {
    collections.push_back({{"name", one.name},
                           {"documents", one.documents},
                           {"bytes", one.bytes},
                           {"replaced", one.replaced},
                           {"fits", fits(one, *dictionaries)},
                           {"has_dictionaries", one.has_dictionaries}});
  }
  session.out << api::Json{{"collections", collections},        {"left_out", left_out},
                           {"state", state_name(report.state)}, {"labels", records.labels},
                           {"models", records.models},          {"kept_models", records.kept_models}}
                     .dump()
              << "\n";
  return Exit::ok;
}

}  // namespace

void add_backup_commands(Program& program) {
  Command backup =
      program.command("backup", "Copy collections into a folder while they are in use", kBackupExamples);
  auto target = std::make_shared<std::string>();
  auto names = std::make_shared<std::vector<std::string>>();
  backup.add_option("TARGET", *target, "Folder to create").required().type_name("");
  backup.add_option("--only", *names, "Collection to copy; may be given several times; default: all")
      .one_value_each_time()
      .type_name("NAME");
  program.on(backup, [target, names](Session& session) { return run_backup(*target, *names, session); });

  Command restore = program.command("restore", "Restore collections from a backup", kRestoreExamples);
  auto options = std::make_shared<RestoreOptions>();
  restore.add_option("SOURCE", options->source, "Folder that akin backup created").required().type_name("");
  restore
      .add_option("--only", options->only, "Collection to restore; may be given several times; default: all")
      .one_value_each_time()
      .type_name("NAME");
  restore.add_option("--as", options->as, "Another name for a single collection").type_name("NAME");
  restore.add_flag("--replace", options->replace, "Replace existing collections, each in a single step");
  program.on(restore, [options](Session& session) { return run_restore(*options, session); });
}

}  // namespace akin::cli
