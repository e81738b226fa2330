// ./bench: measures akin beside its yardsticks in one run and writes the rows as a table and as JSON.
#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/bench/bench.h"
#include "tests/experiments/corpora.h"

namespace akin::bench {

void Session::add(Row row) {
  std::printf("%-44s %12.4g %-12s", row.name.c_str(), row.value, row.unit.c_str());
  if (row.goal) {
    std::printf("  goal %s %g %s", row.better == Better::lower ? "<=" : ">=", *row.goal,
                row.met() ? "met" : "MISSED");
  }
  if (!row.yardstick.empty()) std::printf("  [%s]", row.yardstick.c_str());
  std::printf("\n");
  std::fflush(stdout);
  rows.push_back(std::move(row));
}

double median_seconds(unsigned rounds, const std::function<void()>& work) {
  std::vector<double> seconds;
  for (unsigned i = 0; i < rounds; ++i) {
    const Stopwatch watch;
    work();
    seconds.push_back(watch.seconds());
  }
  std::sort(seconds.begin(), seconds.end());
  return seconds[seconds.size() / 2];
}

double percentile(const std::vector<double>& sorted, double p) {
  const auto rank = static_cast<std::size_t>(p * static_cast<double>(sorted.size()));
  return sorted.at(std::min(rank, sorted.size() - 1));
}

namespace {

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

nlohmann::ordered_json as_json(const Session& session) {
  utsname system{};
  uname(&system);
  nlohmann::ordered_json json;
  json["machine"] = {{"processor", processor()},
                     {"threads", std::thread::hardware_concurrency()},
                     {"system", std::string(system.sysname) + " " + system.release}};
  for (const Row& row : session.rows) {
    nlohmann::ordered_json one;
    one["name"] = row.name;
    one["value"] = row.value;
    one["unit"] = row.unit;
    one["goal"] = row.goal ? nlohmann::ordered_json(*row.goal) : nlohmann::ordered_json();
    one["met"] = row.goal ? nlohmann::ordered_json(row.met()) : nlohmann::ordered_json();
    one["yardstick"] = row.yardstick;
    json["rows"].push_back(std::move(one));
  }
  return json;
}

int run(int argc, char** argv) {
  CLI::App app{"Measures akin beside its yardsticks, all in one run"};
  std::vector<std::string> names;
  std::string output;
  bool list = false;
  Session session;
  app.add_option("names", names, "Measurements to make; all without names");
  app.add_flag("--list", list, "List the measurements");
  app.add_option("--output", output, "Write the rows to this file as JSON");
  app.add_option("--scale", session.scale, "Documents of the largest synthetic collection")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  std::vector<Measurement> all = dictionary_measurements();
  for (auto* more : {&scan_measurements, &store_measurements}) {
    auto some = (*more)();
    std::move(some.begin(), some.end(), std::back_inserter(all));
  }
  if (list) {
    for (const Measurement& one : all) std::printf("%-16s %s\n", one.name.c_str(), one.what.c_str());
    return 0;
  }
  for (const std::string& name : names) {
    if (std::any_of(all.begin(), all.end(), [&](const Measurement& one) { return one.name == name; }))
      continue;
    std::fprintf(stderr, "bench: no measurement '%s'; --list names them\n", name.c_str());
    return 2;
  }
  session.corpora = experiments::corpora_folder().string();
  int failed = 0;
  for (const Measurement& one : all) {
    if (!names.empty() && std::find(names.begin(), names.end(), one.name) == names.end()) continue;
    try {
      one.run(session);
    } catch (const Skipped& reason) {
      std::printf("%-44s skipped: %s\n", one.name.c_str(), reason.what());
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench: %s: %s\n", one.name.c_str(), error.what());
      failed = 2;
    }
  }
  if (!output.empty()) {
    std::ofstream file(output);
    file << as_json(session).dump(2) << '\n';
    if (!file.flush()) {
      std::fprintf(stderr, "bench: cannot write %s\n", output.c_str());
      return 2;
    }
  }
  return failed;
}

}  // namespace
}  // namespace akin::bench

int main(int argc, char** argv) { return akin::bench::run(argc, argv); }
