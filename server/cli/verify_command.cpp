#include "server/api/objects.h"
#include "server/cli/commands.h"
#include "server/cli/format.h"
#include "server/cli/progress.h"

namespace akin::cli {

namespace {

constexpr const char* kExamples =
    "  akin verify               records, texts, feature sequences and postings against each other\n"
    "  akin verify --deep        and the features derived again from every stored text\n"
    "\n"
    "Prints one finding a line, or \"clean\". Exit 0 if clean, 2 if not.";

Result<Exit> run_verify(bool deep, Session& session) {
  AKIN_TRY(const auto collection, open_collection(session.options));
  AKIN_TRY(const auto snapshot, collection->snapshot());
  const bool json = session.options.json;
  api::Json findings = api::Json::array();
  std::uint64_t found = 0;
  {
    ProgressLine line("verifying");
    const auto tell = [&](const Finding& finding) {
      ++found;
      if (json) {
        findings.push_back({{"where", finding.where}, {"broken", finding.broken}});
      } else {
        session.out << one_line(finding.where, 600) << ": " << one_line(finding.broken, 600) << "\n";
      }
    };
    const auto show = [&](std::uint64_t done, std::uint64_t total) {
      const double share = total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
      line.update(share, 0, grouped(done) + " of " + counted(total, "document"));
    };
    AKIN_CHECK(snapshot->verify(tell, show));
    if (deep) AKIN_CHECK(collection->verify_deep(tell, show));
  }
  if (json) {
    session.out << api::Json{{"collection", session.options.collection},
                             {"clean", found == 0},
                             {"findings", findings}}
                       .dump()
                << "\n";
  } else if (found == 0) {
    session.out << "clean\n";
  } else {
    session.out << counted(found, "finding") << " in collection '" << session.options.collection << "'\n";
  }
  return found == 0 ? Exit::ok : Exit::error;
}

}  // namespace

void add_verify_command(Program& program) {
  auto& command = program.command("verify", "Check a collection's stored data", kExamples);
  auto deep = std::make_shared<bool>(false);
  command.add_flag("--deep", *deep, "Derive the features of every stored text again and compare");
  program.on(command, [deep](Session& session) { return run_verify(*deep, session); });
}

}  // namespace akin::cli
