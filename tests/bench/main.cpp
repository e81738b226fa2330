// ./bench: measures akin beside its yardsticks in one run and writes the rows as a table and as JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>

#include "tests/bench/bench.h"
#include "tests/bench/row_json.h"
#include "tests/experiments/corpora.h"

namespace akin::bench {

namespace {

std::vector<Measurement> all_measurements() {
  std::vector<Measurement> all;
  for (auto* some : {&dictionary_measurements, &scan_measurements, &text_measurements, &load_measurements,
                     &query_measurements, &put_measurements, &http_measurements, &reuse_measurements,
                     &concurrent_measurements, &pairs_measurements, &peer_measurements, &novel_measurements,
                     &sentence_measurements, &stream_measurements, &store_measurements}) {
    auto more = (*some)();
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  return all;
}

void print(const Row& row) {
  std::printf("%-54s %12.4g %-14s", row.name.c_str(), row.value, row.unit.c_str());
  if (row.goal) {
    std::printf("  goal %s %g %s", row.better == Better::lower ? "<=" : ">=", *row.goal,
                row.met() ? "met" : "MISSED");
  }
  if (!row.yardstick.empty()) std::printf("  [%s]", row.yardstick.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

/// "4.28G", "200M", "64k" or plain bytes; powers of ten.
std::uint64_t parse_bytes(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const std::string unit = end;
  const double factor = unit.empty() ? 1 : unit == "k" ? 1e3 : unit == "M" ? 1e6 : unit == "G" ? 1e9 : 0;
  if (end == text.c_str() || factor == 0 || !(number > 0) || number * factor >= 1e18)
    throw CLI::ValidationError("'" + text + "' is not a size such as 200M or 4.28G");
  return static_cast<std::uint64_t>(number * factor);
}

struct Settings {
  std::vector<std::string> names;
  std::string output, bytes, memory, scratch;
  bool list = false, keep = false, full = false, no_texts = false;
  std::uint64_t scale = 0;
};

Session make_session(const Settings& settings) {
  Session session;
  Sizes& sizes = session.sizes;
  if (settings.full) {
    sizes.documents = 1'000'000;
    sizes.load = 10'000'000'000;
    sizes.novels = 4'280'000'000;
    sizes.sentences = 86'000'000'000;
  }
  if (settings.scale > 0) sizes.documents = settings.scale;
  if (!settings.bytes.empty()) sizes.load = sizes.novels = sizes.sentences = parse_bytes(settings.bytes);
  if (!settings.memory.empty()) sizes.memory = parse_bytes(settings.memory);
  session.store_texts = !settings.no_texts;
  session.corpora = experiments::corpora_folder().string();
  session.report = print;
  return session;
}

/// Makes one measurement; false if it failed. Throws Interrupted after its folder was removed.
bool measure(const Measurement& one, Session& session) {
  const experiments::ScratchFolder scratch;
  session.scratch = scratch.path();
  try {
    isolated(session, one.run);
  } catch (const Skipped& reason) {
    std::printf("%-54s skipped: %s\n", one.name.c_str(), reason.what());
  } catch (const Interrupted&) {
    throw;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s: %s\n", one.name.c_str(), error.what());
    return false;
  }
  return true;
}

/// The rows of this run and, if wanted, those of the file that it did not measure again.
bool write_output(const Settings& settings, const Session& session, double load) {
  auto json = to_json(session.rows, std::filesystem::temp_directory_path(), load);
  if (settings.keep) {
    std::set<std::string> made;
    for (const Row& row : session.rows) made.insert(row.name);
    auto rows = nlohmann::ordered_json::array();
    for (auto& row : earlier_rows(settings.output))
      if (!made.contains(row.at("name").get<std::string>())) rows.push_back(row);
    rows.insert(rows.end(), json["rows"].begin(), json["rows"].end());
    json["rows"] = std::move(rows);
  }
  std::ofstream file(settings.output);
  file << json.dump(2) << '\n';
  return static_cast<bool>(file.flush());
}

int run(int argc, char** argv) {
  CLI::App app{"Measures akin beside its yardsticks, all in one run"};
  Settings settings;
  app.add_option("names", settings.names, "Measurements to make; all without names");
  app.add_flag("--list", settings.list, "List the measurements");
  app.add_option("--output", settings.output, "Write the rows to this file as JSON")->take_last();
  app.add_flag("--keep", settings.keep, "Keep the rows of that file which this run does not make");
  app.add_flag("--full", settings.full,
               "Full sizes: 1,000,000 documents, loads to 10G, novels 4.28G, sentences 86G");
  app.add_option("--scale", settings.scale, "Documents of the largest synthetic collection");
  app.add_option("--bytes", settings.bytes, "Size of the largest load, of novels and of sentences: 4.28G");
  app.add_option("--memory", settings.memory, "Budget in which all pairs are found; 1 GiB without it");
  app.add_flag("--no-texts", settings.no_texts, "Index loads, novels and sentences without their texts");
  app.add_option("--scratch", settings.scratch,
                 "Folder for stores while they are measured; $TMPDIR without it")
      ->check(CLI::ExistingDirectory);
  Session session;
  try {
    app.parse(argc, argv);
    if (!settings.scratch.empty()) setenv("TMPDIR", settings.scratch.c_str(), 1);
    session = make_session(settings);
  } catch (const CLI::ParseError& error) {
    return app.exit(error);
  }

  const std::vector<Measurement> all = all_measurements();
  if (settings.list) {
    for (const Measurement& one : all) std::printf("%-12s %s\n", one.name.c_str(), one.what.c_str());
    return 0;
  }
  for (const std::string& name : settings.names) {
    if (std::any_of(all.begin(), all.end(), [&](const Measurement& one) { return one.name == name; }))
      continue;
    std::fprintf(stderr, "bench: no measurement '%s'; --list names them\n", name.c_str());
    return 2;
  }
  std::signal(SIGINT, SIG_IGN);
  const double load = machine_load();
  int failed = 0;
  try {
    for (const Measurement& one : all) {
      const auto& names = settings.names;
      if (!names.empty() && std::find(names.begin(), names.end(), one.name) == names.end()) continue;
      if (!measure(one, session)) failed = 2;
    }
    if (settings.output.empty() || write_output(settings, session, load)) return failed;
    std::fprintf(stderr, "bench: cannot write %s\n", settings.output.c_str());
  } catch (const Interrupted&) {
    return 130;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench: %s\n", error.what());
  }
  return 2;
}

}  // namespace
}  // namespace akin::bench

int main(int argc, char** argv) { return akin::bench::run(argc, argv); }
