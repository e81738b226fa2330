#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands/commands.h"
#include "cli/commands/common/actor.h"
#include "cli/commands/common/job.h"
#include "cli/frame/format.h"
#include "index/open_catalog.h"
#include "server/json/json.h"
#include "server/run/erasure.h"
#include "server/state/rewrite_state.h"

namespace akin::cli {

namespace {

constexpr const char* kEraseExamples =
    "  akin erase document essays/1 --collection theses\n"
    "  akin erase person ivanova\n"
    "  akin erase prove sentences.txt      exit 2 if a line of the file is found anywhere\n"
    "\n"
    "Erasing removes a document or a person from everything that is stored: texts, files, checks,\n"
    "passages that checks keep, events, the audit log (which keeps numbers and hashes). Then the files\n"
    "are written again, while no server may run; --keep-pages leaves that to akin erase rewrite.";

struct EraseOptions {
  std::string id;
  bool keep_pages = false;
  std::filesystem::path needles;
};

Result<void> rewrite_collection(const std::string& name, Session& session) {
  AKIN_TRY(const auto catalog, open_catalog(session.options, false));
  return run_job("rewriting", [&](const JobControl& control) -> Result<void> {
    const auto done = catalog->compact(name, control);
    return done.has_error() && done.error().code != Errc::not_found ? done.error() : Result<void>();
  });
}

Result<void> rewrite_files(const std::vector<std::string>& collections, Session& session) {
  for (const std::string& name : collections) AKIN_CHECK(rewrite_collection(name, session));
  if (is_database(session.options.store)) return {};
  return state::rewrite_state(session.options.data);
}

/// Before anything is erased: whether rewrite_files may follow.
Result<void> check_alone(const EraseOptions& wanted, const CommonOptions& options) {
  if (wanted.keep_pages || is_database(options.store)) return {};
  Result<void> closed = state::check_closed(options.data);
  if (!closed.has_error() || closed.error().code != Errc::busy) return closed;
  Error error = closed.error();
  error.remedy = "stop the server, or erase with --keep-pages";
  return error;
}

/// The next server that starts then writes the state again.
Result<void> mark_state(const CommonOptions& options) {
  return is_database(options.store) ? Result<void>() : state::mark_to_rewrite(options.data);
}

Result<Exit> report(const std::string& what, const api::Erased& erased, Session& session) {
  if (session.options.json) {
    session.out << api::erased_object(erased).dump() << "\n";
    return Exit::ok;
  }
  session.out << (erased.was_there ? "erased " : "found no ") << what << "\n"
              << "checks deleted: " << grouped(erased.checks.deleted)
              << ", changed: " << grouped(erased.checks.changed) << "\n"
              << "events and watches deleted: " << grouped(erased.watched) << "\n"
              << "entries of the audit log erased: " << grouped(erased.logged) << "\n";
  return Exit::ok;
}

Result<Exit> erase_document(const EraseOptions& wanted, Session& session) {
  const CommonOptions& options = session.options;
  AKIN_CHECK(check_alone(wanted, options));
  api::Erased erased;
  {
    AKIN_TRY(const auto catalog, open_catalog(options, false));
    AKIN_TRY(const auto state, open_state(options));
    AKIN_TRY(erased, with_collections(api::erase_document(*catalog, state, options.collection, wanted.id,
                                                          actor_of_command()),
                                      *catalog));
  }
  AKIN_CHECK(wanted.keep_pages ? mark_state(options) : rewrite_files({options.collection}, session));
  return report("document '" + wanted.id + "' in collection '" + options.collection + "'", erased, session);
}

Result<Exit> erase_person(const EraseOptions& wanted, Session& session) {
  AKIN_CHECK(check_alone(wanted, session.options));
  api::Erased erased;
  {
    AKIN_TRY(const auto state, open_known_state(session.options));
    AKIN_TRY(erased, api::erase_person(state, wanted.id, actor_of_command()));
  }
  AKIN_CHECK(wanted.keep_pages ? mark_state(session.options) : rewrite_files({}, session));
  return report("person '" + wanted.id + "'", erased, session);
}

Result<Exit> rewrite_all(Session& session) {
  std::vector<std::string> collections;
  {
    AKIN_TRY(const auto catalog, open_catalog(session.options, false));
    AKIN_TRY(collections, catalog->list());
  }
  AKIN_CHECK(rewrite_files(collections, session));
  return Exit::ok;
}

/// The lines of a file that are not empty.
Result<std::vector<std::string>> needles_in(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) return Error{Errc::io, path.string(), "it cannot be read", "check the path and the permissions"};
  std::vector<std::string> needles;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) needles.push_back(line);
  }
  if (!needles.empty()) return needles;
  return Error{Errc::invalid_argument, path.string(), "it has no lines",
               "write into it what must be nowhere"};
}

/// Nodes' files cannot be read: what the cluster has of its documents, and whether it keeps removed ones.
Result<Exit> prove_in_cluster(const std::vector<std::string>& needles, Session& session) {
  AKIN_TRY(const auto catalog, open_catalog(session.options, false));
  AKIN_TRY(const json::Json searched, api::find_in_collections(*catalog, needles));
  const auto number = [&](const char* name) { return searched.at(name).get<std::uint64_t>(); };
  const Exit exit = number("found") + number("kept") == 0 ? Exit::ok : Exit::error;
  if (session.options.json) {
    session.out << searched.dump() << "\n";
    return exit;
  }
  for (const json::Json& place : searched.at("places")) {
    session.out << place.at("collection").get<std::string>() << ": " << place.at("id").get<std::string>()
                << ": " << grouped(place.at("found").get<std::uint64_t>()) << "\n";
  }
  if (number("kept") > 0)
    session.out
        << "the cluster still keeps what was removed or replaced: run akin compact for each collection\n";
  if (exit == Exit::ok)
    session.out << "found nowhere in " << counted(number("documents"), "document")
                << ", and no shard keeps a removed one\n";
  return exit;
}

Result<Exit> prove(const EraseOptions& wanted, Session& session) {
  const bool in_cluster = is_cluster(session.options.store);
  if (!session.options.store.empty() && !in_cluster) {
    return Error{Errc::unsupported, "--store", "its files are those of PostgreSQL",
                 "search the files of its server after VACUUM FULL"};
  }
  AKIN_TRY(const std::vector<std::string> needles, needles_in(wanted.needles));
  if (in_cluster) return prove_in_cluster(needles, session);
  AKIN_TRY(const json::Json searched, api::find_in_files(session.options.data, needles));
  const auto found = searched.at("found").get<std::uint64_t>();
  if (session.options.json) {
    session.out << searched.dump() << "\n";
    return found == 0 ? Exit::ok : Exit::error;
  }
  for (const json::Json& place : searched.at("places")) {
    const std::filesystem::path file = session.options.data / place.at("file").get<std::string>();
    session.out << file.string() << ": " << grouped(place.at("found").get<std::uint64_t>()) << "\n";
  }
  if (found == 0)
    session.out << "found nowhere in " << counted(searched.at("files").get<std::uint64_t>(), "file") << "\n";
  return found == 0 ? Exit::ok : Exit::error;
}

}  // namespace

void add_erase_command(Program& program) {
  Command command = program.command("erase", "Erase a document or a person everywhere", kEraseExamples);
  command.require_subcommand();
  auto options = std::make_shared<EraseOptions>();
  const auto keeps_pages = [options](Command& erasing) {
    erasing.add_flag("--keep-pages", options->keep_pages,
                     "Leave the bytes in the free pages of the files: a server may run");
  };
  Command document = command.add_subcommand("document", "Erase a document, and what was made of it");
  document.add_option("ID", options->id, "Id of the document").type_name("").required();
  keeps_pages(document);
  program.on_owned(document, [options](Session& session) { return erase_document(*options, session); });

  Command person = command.add_subcommand("person", "Erase a person, and the checks of the person's texts");
  person.add_option("ID", options->id, "Id of the person, or owner of checks").type_name("").required();
  keeps_pages(person);
  program.on_owned(person, [options](Session& session) { return erase_person(*options, session); });

  program.on_owned(
      command.add_subcommand("rewrite", "Write the files of all collections and of the state again"),
      rewrite_all);

  Command proof = command.add_subcommand("prove", "Search the bytes of all files for the lines of a file");
  proof.add_option("FILE", options->needles, "What must be nowhere, a line each").type_name("").required();
  program.on(proof, [options](Session& session) { return prove(*options, session); });
}

}  // namespace akin::cli
