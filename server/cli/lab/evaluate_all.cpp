#include <algorithm>
#include <filesystem>

#include "base/files.h"
#include "server/cli/frame/format.h"
#include "server/cli/lab/evaluate_commands.h"
#include "server/cli/lab/evaluate_page.h"
#include "server/ingest/input.h"
#include "server/json/json.h"
#include "server/json/quoted.h"
#include "server/lab/evaluate/manifest.h"

namespace akin::cli {

namespace {

namespace fs = std::filesystem;
using evaluate::ManifestSet;

constexpr const char* kEvaluateAllExamples =
    "  akin evaluate all sets/manifest.json --into evaluation.md --figures figures/\n"
    "  akin evaluate all sets/ --into evaluation.md --only news --only editions\n"
    "\n"
    "The manifest is {\"sets\": [{\"name\": \"news\", \"method\": \"threshold\",\n"
    "\"arguments\": [\"news.tsv\", \"--at\", \"0.1,0.3\"]}, ...]}: the method is rank, threshold, groups,\n"
    "judge or passages, the arguments are those of akin evaluate METHOD. A set's tables replace the text\n"
    "between the lines <!-- begin NAME --> and <!-- end NAME --> of the document; its figure is NAME.svg.\n"
    "Paths in the manifest are relative to the folder in which akin runs. A set that fails is reported and\n"
    "the others continue; the exit code is then 2.";

constexpr const char* kManifestName = "manifest.json";

struct AllOptions {
  std::string manifest, into, figures;
  std::vector<std::string> only;
};

Result<std::vector<ManifestSet>> read_sets(const AllOptions& options) {
  fs::path file = options.manifest;
  if (fs::is_directory(file)) file /= kManifestName;
  AKIN_TRY(const std::string text, read_whole_file(file));
  auto sets = evaluate::read_manifest(text);
  if (!sets.has_error()) return sets;
  Error error = std::move(sets).error();
  error.what = ingest::display_name(file) + ": " + error.what;
  return error;
}

/// The selected sets, in the manifest's order.
Result<std::vector<ManifestSet>> choose(std::vector<ManifestSet> sets, const std::vector<std::string>& only) {
  if (only.empty()) return sets;
  for (const std::string& name : only) {
    if (std::ranges::find(sets, name, &ManifestSet::name) != sets.end()) continue;
    return Error{Errc::not_found, "set " + json::in_quotes(name), "is not in the manifest",
                 "give a name that it contains"};
  }
  std::erase_if(sets,
                [&](const ManifestSet& set) { return std::ranges::find(only, set.name) == only.end(); });
  return sets;
}

/// Checks that every result has a place, before anything is measured.
Result<void> check_places(const AllOptions& options, const std::vector<ManifestSet>& sets) {
  for (const ManifestSet& set : sets) {
    auto there = check_page({options.into, set.name});
    if (there.has_error()) return evaluate::of_set(set.name, std::move(there).error());
  }
  if (options.figures.empty()) return {};
  return make_folder(options.figures);
}

/// Runs the set's own command without its output.
Result<void> measure(const AllOptions& options, const ManifestSet& set, const Session& session) {
  std::vector<std::string> call = {"evaluate", set.method};
  call.insert(call.end(), set.arguments.begin(), set.arguments.end());
  call.insert(call.end(), {"--into", options.into, "--region", set.name});
  const bool has_figure = set.method == "threshold" || set.method == "judge";
  if (!options.figures.empty() && has_figure) {
    call.insert(call.end(), {"--svg", fs::path(options.figures) / (set.name + ".svg")});
  }
  Program program;
  add_evaluate_command(program);
  auto outcome = program.call(call, session.options);
  if (outcome.has_error()) return evaluate::of_set(set.name, std::move(outcome).error());
  return {};
}

Result<Exit> run_all(const AllOptions& options, Session& session) {
  AKIN_TRY(auto all, read_sets(options));
  AKIN_TRY(const auto sets, choose(std::move(all), options.only));
  AKIN_CHECK(check_places(options, sets));
  json::Json told = json::Json::array();
  std::size_t failed = 0;
  for (std::size_t i = 0; i < sets.size() && !session.out.lost(); ++i) {
    if (!session.options.json) {
      session.out << std::to_string(i + 1) + " of " + std::to_string(sets.size()) + ": " + sets[i].name +
                         "\n";
      AKIN_CHECK(session.out.flush());
    }
    const auto outcome = measure(options, sets[i], session);
    if (outcome.has_error()) report(outcome.error(), session.options.json);
    failed += outcome.has_error() ? 1 : 0;
    told.push_back({{"name", sets[i].name}, {"method", sets[i].method}, {"written", !outcome.has_error()}});
  }
  if (session.options.json) {
    session.out << json::compact({{"into", options.into}, {"sets", std::move(told)}}) << "\n";
  } else {
    session.out << "wrote " << counted(sets.size() - failed, "set") << " into " << options.into
                << (failed == 0 ? "" : ", " + grouped(failed) + " failed") << "\n";
  }
  return failed == 0 ? Exit::ok : Exit::error;
}

}  // namespace

void add_evaluate_all(Program& program, Command evaluate) {
  Command command =
      program.command(evaluate, "all", "Measure all sets of a manifest and put their tables into a document",
                      kEvaluateAllExamples);
  auto options = std::make_shared<AllOptions>();
  command.add_option("MANIFEST", options->manifest, "File, or folder with a manifest.json")
      .required()
      .type_name("");
  command.add_option("--into", options->into, "Document whose regions are rewritten")
      .required()
      .type_name("FILE");
  command.add_option("--figures", options->figures, "Folder for figures; without it, none are drawn")
      .type_name("DIR");
  command.add_option("--only", options->only, "Set to measure; may be given several times; default: all")
      .one_value_each_time()
      .type_name("NAME");
  program.on(command, [options](Session& session) { return run_all(*options, session); });
}

}  // namespace akin::cli
