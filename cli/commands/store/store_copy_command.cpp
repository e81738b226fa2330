#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "cli/commands/common/actor.h"
#include "cli/commands/common/job.h"
#include "cli/commands/store/store_commands.h"
#include "cli/frame/format.h"
#include "index/copy/copy.h"
#include "index/open_catalog.h"
#include "index/opensearch/client/address.h"
#include "index/pg/client/conninfo.h"
#include "server/api/write/objects.h"
#include "server/ingest/input.h"
#include "server/state/copy_state.h"

namespace akin::cli {

namespace {

constexpr const char* kStoreCopyExamples =
    "  akin store copy ./akin-data postgres://akin@db/library\n"
    "  akin store copy postgres://akin@db/library ./akin-data news\n"
    "  akin store copy ./akin-data postgres://akin@db/library --update\n"
    "\n"
    "Copies all collections, or those named, with revisions, texts, features and metadata; no dictionary is\n"
    "needed. A collection becomes visible under its name once it is complete and has been compared with the\n"
    "source: by counts, by a sample of documents byte for byte, and by searches for some of them. After an\n"
    "interruption, the same command continues. Stop the writers first: the copy lacks what is written at\n"
    "the very end, and the command then reports it. Without names, the servers' state is copied too, except\n"
    "their tasks: keys, policies, checks, watches, gates, labels and models.";

struct CopyOptions {
  std::string from, to;
  std::vector<std::string> collections;
  std::size_t sample = CopyRequest().sample;
  bool update = false;
};

std::string shown(const std::string& place) {
  if (is_cluster(place)) return opensearch::shown_address(place);
  return is_database(place) ? pg::shown_conninfo(place) : ingest::display_name(place);
}

/// What is wrong with FROM or TO; "" if nothing. A mistyped address would be a folder's name.
std::string check_place(const std::string& place) {
  return !is_address(place) || is_database(place) || is_cluster(place)
             ? ""
             : "'" + place + "' is not an address that begins with postgres:// or opensearch+https://";
}

CommonOptions place_of(const std::string& address) {
  CommonOptions place;
  if (is_database(address) || is_cluster(address)) {
    place.store = address;
  } else {
    place.data = address;
  }
  return place;
}

void print(const std::string& name, const CopyReport& report, Session& session) {
  const Comparison& equal = report.equal;
  const bool is_updated = report.was_there && report.copied + report.removed > 0;
  session.out << (is_updated         ? "updated '"
                  : report.was_there ? "already there, equal: '"
                                     : "copied '")
              << name << "': " << counted(equal.documents, "document");
  if (is_updated)
    session.out << ", " << grouped(report.copied) << " copied, " << grouped(report.removed) << " removed";
  if (report.kept > 0 && !report.was_there) session.out << ", " << grouped(report.kept) << " of them earlier";
  session.out << ", " << counted(equal.features, "feature") << ", " << counted(equal.postings, "posting")
              << ", " << byte_count(equal.text_bytes) << " of text; compared "
              << counted(equal.sampled, "document") << " byte for byte and the answers of "
              << (equal.searches == 1 ? "1 search" : grouped(equal.searches) + " searches") << "\n";
}

api::Json report_object(const std::string& name, const CopyReport& report) {
  return {{"collection", name},
          {"copied", report.copied},
          {"kept", report.kept},
          {"removed", report.removed},
          {"was_there", report.was_there},
          {"written_meanwhile", report.written_meanwhile},
          {"documents", report.equal.documents},
          {"features", report.equal.features},
          {"postings", report.equal.postings},
          {"text_bytes", report.equal.text_bytes},
          {"compared", report.equal.sampled},
          {"searches", report.equal.searches}};
}

Result<Exit> copy_from(Catalog& from, const CopyOptions& options, Session& session) {
  AKIN_TRY(const std::shared_ptr<Catalog> to, open_catalog_with(place_of(options.to), nullptr, true));
  AKIN_CHECK(drop_expired(place_of(options.to), *to));
  std::vector<std::string> names = options.collections;
  if (names.empty()) {
    AKIN_TRY(names, from.list());
  }
  api::Json reports = api::Json::array();
  Exit exit = Exit::ok;
  for (const std::string& name : names) {
    CopyReport report;
    AKIN_CHECK(run_job("copying " + name, [&](const JobControl& control) -> Result<void> {
      AKIN_TRY(report, copy_collection(from, *to, {name, options.sample, options.update}, control));
      return {};
    }));
    if (session.options.json) {
      reports.push_back(report_object(name, report));
    } else {
      print(name, report, session);
      AKIN_CHECK(session.out.flush());
    }
    if (!report.written_meanwhile) continue;
    exit = Exit::error;
    cli::report({Errc::busy, "collection '" + name + "' in " + shown(options.from),
                 "it was written to while it was copied: the copy lacks the last writes",
                 "stop the writers, and bring the copy up to date with --update"},
                session.options.json);
  }
  std::optional<state::StateCopy> state;
  // A cluster keeps no state: that of its collections is in some data folder or database.
  const bool have_states = !is_cluster(options.from) && !is_cluster(options.to);
  if (have_states && options.collections.empty() && !options.update) {
    state.emplace();
    AKIN_TRY(const auto state_from, find_state(place_of(options.from)));
    if (state_from != nullptr) {
      AKIN_TRY(const auto state_to, open_state(place_of(options.to)));
      AKIN_TRY(state, state::copy_state(*state_from, *state_to));
    }
  }
  if (session.options.json) {
    const api::Json of_state =
        state ? api::Json{{"copied", state->copied}, {"kept", state->kept}} : api::Json(nullptr);
    session.out << api::Json{{"collections", reports}, {"state", of_state}}.dump() << "\n";
  } else if (state && state->copied + state->kept > 0) {
    session.out << "copied the server's state: " << grouped(state->copied) << " entries, "
                << grouped(state->kept) << " were already there\n";
  }
  return exit;
}

Result<Exit> run_copy(const CopyOptions& options, Session& session) {
  if (options.from == options.to) {
    return Error{Errc::invalid_argument, "TO", "is the same place as FROM", "give another place"};
  }
  AKIN_TRY(const std::shared_ptr<Catalog> from, akin::open_catalog(options.from, nullptr, false));
  if (is_cluster(options.from)) return copy_from(*from, options, session);
  Exit exit = Exit::ok;
  const audit::Event event{.by = actor_of_command(),
                           .action = "store.copied",
                           .about = shown(options.to),
                           .details = {{"collections", options.collections}}};
  AKIN_CHECK(record_and_do(place_of(options.from), *from, event, [&](bool) -> Result<void> {
    AKIN_TRY(exit, copy_from(*from, options, session));
    return {};
  }));
  return exit;
}

}  // namespace

void add_store_copy_command(Program& program, Command store) {
  Command copy = program.command(store, "copy", "Copy collections between data folders and databases",
                                 kStoreCopyExamples);
  const auto options = std::make_shared<CopyOptions>();
  copy.add_option("FROM", options->from, "A data folder, postgres://… or opensearch+https://…")
      .required()
      .check(check_place)
      .type_name("");
  copy.add_option("TO", options->to,
                  "A data folder, postgres://… or opensearch+https://…; created if it is missing")
      .required()
      .check(check_place)
      .type_name("");
  copy.add_option("COLLECTION", options->collections, "Collections to copy (default: all)").type_name("");
  copy.add_option("--sample", options->sample, "Number of documents that are compared byte for byte")
      .check(check_count)
      .type_name("N")
      .capture_default_str();
  copy.add_flag("--update", options->update,
                "Make collections that are there already equal to the source,\nwhich copies only what has "
                "changed; the servers' state is not copied");
  program.on(copy, [options](Session& session) { return run_copy(*options, session); });
}

}  // namespace akin::cli
