#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "cli/commands/commands.h"
#include "cli/frame/format.h"
#include "cli/frame/progress.h"
#include "server/api/write/objects.h"

namespace akin::cli {

namespace {

constexpr const char* kVerifyExamples =
    "  akin verify               records, texts, feature sequences and postings against each other\n"
    "  akin verify --deep        also derives the features of every stored text again\n"
    "  akin verify --all         every collection, one after the other\n"
    "\n"
    "Prints one finding per line, or \"clean\". Exit 2 if something was found. A collection that is clean\n"
    "leaves the quarantine in which a server's crash has put it.";

struct VerifyOptions {
  bool deep = false;
  bool all = false;
};

/// Verifies one collection and prints the findings, each line starting with `prefix`; returns their number.
Result<std::uint64_t> verify_collection(Catalog& catalog, const Collection& collection, bool deep,
                                        const std::string& prefix, Session& session) {
  AKIN_TRY(const auto snapshot, collection.snapshot());
  AKIN_TRY(const auto packed, catalog.packed_dictionary(collection.name()));
  const bool json = session.options.json;
  api::Json findings = api::Json::array();
  std::uint64_t found = 0;
  {
    ProgressLine line("verifying " + collection.name());
    const auto tell = [&](const Finding& finding) {
      ++found;
      if (json) {
        findings.push_back({{"where", finding.where}, {"broken", finding.broken}});
      } else {
        // Flushed: what follows may end the process.
        session.out << prefix << one_line(finding.where, 600) << ": " << one_line(finding.broken, 600)
                    << "\n";
        static_cast<void>(session.out.flush());
      }
    };
    // With --deep, the documents are read twice.
    const double passes = deep ? 2.0 : 1.0;
    double before = 0.0;
    const auto show = [&](std::uint64_t done, std::uint64_t total) {
      const double share = total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
      line.update((before + share) / passes, 0, grouped(done) + " of " + counted(total, "document"));
    };
    AKIN_CHECK(snapshot->verify(tell, show));
    before = 1.0;
    if (deep) AKIN_CHECK(collection.verify_deep(tell, show));
    if (packed && Dictionary::fingerprint_of_packed(*packed).empty())
      tell({"dictionaries", "what is kept of them with the collection is damaged; a reindex replaces it"});
  }
  bool ended = false;
  if (found == 0) {
    AKIN_TRY(ended, catalog.end_quarantine(collection.name()));
  }
  if (json) {
    api::Json object{{"collection", collection.name()}, {"clean", found == 0}, {"findings", findings}};
    if (ended) object["quarantine_ended"] = true;
    session.out << object.dump() << "\n";
  } else if (found == 0) {
    session.out << prefix << (ended ? "clean; its quarantine has ended\n" : "clean\n");
  } else {
    session.out << counted(found, "finding") << " in collection '" << collection.name() << "'\n";
  }
  return found;
}

Result<Exit> run_verify(const VerifyOptions& options, Session& session) {
  CommonOptions common = session.options;
  common.catalog.open_quarantined = true;
  if (!options.all) {
    AKIN_TRY(const auto collection, open_collection(common));
    AKIN_TRY(const std::uint64_t found,
             verify_collection(*collection.catalog, *collection, options.deep, "", session));
    return found == 0 ? Exit::ok : Exit::error;
  }
  AKIN_TRY(const auto catalog, open_catalog(common, false));
  AKIN_TRY(const std::vector<std::string> names, catalog->list());
  Exit exit = Exit::ok;
  for (const std::string& name : names) {
    const auto verify = [&]() -> Result<std::uint64_t> {
      AKIN_TRY(const auto collection, catalog->get(name));
      AKIN_TRY(const StoreIdentity identity, catalog->identity(name));
      return verify_collection(*catalog, *collection, options.deep && identity.store_text, name + ": ",
                               session);
    };
    const Result<std::uint64_t> found = verify();
    if (found.has_error()) report(found.error(), session.options.json);
    if (found.has_error() || *found > 0) exit = Exit::error;
  }
  return exit;
}

/// Runs the command in a child, which LMDB may end by a signal: it does so at some damaged pages. Requires
/// that no store is open and no other thread runs.
Result<Exit> run_in_child(const VerifyOptions& options, Session& session) {
  AKIN_CHECK(session.out.flush());
  const pid_t child = fork();
  if (child < 0) return system_error(errno, "akin verify", "start a process for");
  if (child == 0) {
    Result<Exit> exit = run_verify(options, session);
    if (exit.has_error()) report(exit.error(), session.options.json);
    const Result<void> written = session.out.flush();
    if (written.has_error()) report(written.error(), session.options.json);
    _exit(static_cast<int>(exit.has_error() || written.has_error() ? Exit::error : *exit));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return static_cast<Exit>(WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the only thread.
  return Error{Errc::corrupt, "akin verify",
               std::string("the process that read the pages ended by a signal: ") + strsignal(signal),
               "restore a backup, or index the texts again"};
}

}  // namespace

void add_verify_command(Program& program) {
  Command command = program.command("verify", "Verify a collection's stored data", kVerifyExamples);
  auto options = std::make_shared<VerifyOptions>();
  command.add_flag("--deep", options->deep, "Derive the features of every stored text again and compare");
  command.add_flag("--all", options->all, "Every collection instead of one; those without texts skip --deep");
  program.on(command, [options](Session& session) { return run_in_child(*options, session); });
}

}  // namespace akin::cli
