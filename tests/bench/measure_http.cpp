// What clients of the server get: durable puts and searches over HTTP.
#include <algorithm>
#include <atomic>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/bench/bench.h"
#include "tests/bench/collection_load.h"
#include "tests/bench/script_rows.h"

namespace akin::bench {

namespace {

constexpr double kSeconds = 5.0;
constexpr unsigned kClients = 64;
constexpr const char* kPuts = "durable PUT over HTTP, clients 64";

/// The texts of http/measure_puts.py, a JSON object with "text" a line.
std::vector<std::string> texts_of(const std::filesystem::path& file) {
  std::vector<std::string> texts;
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);)
    texts.push_back(nlohmann::json::parse(line).at("text").get<std::string>());
  if (texts.empty()) throw std::runtime_error("there are no texts in " + file.string());
  return texts;
}

/// Durable puts a second by threads of this process, each of which waits for its own.
double threads_put(const std::filesystem::path& folder, const std::vector<std::string>& texts) {
  const BenchCollection collection(folder, true);
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> failed{false};
  const Stopwatch watch;
  {
    std::vector<std::jthread> threads;
    for (unsigned client = 0; client < kClients; ++client) {
      threads.emplace_back([&] {
        while (watch.seconds() < kSeconds && !failed) {
          const std::uint64_t number = next++;
          const std::string id = std::to_string(number);
          if (collection->put({.id = id, .text = texts[number % texts.size()]}).has_error()) failed = true;
        }
      });
    }
  }
  if (failed) throw std::runtime_error("a put failed");
  return static_cast<double>(next) / watch.seconds();
}

void measure_http(Session& session) {
  add_rows_of(session, "http/server_rows.py",
              {AKIN_BENCH_BUILD, session.scratch.string(), std::to_string(session.sizes.documents / 5)}, "");
  const auto puts = std::find_if(session.rows.begin(), session.rows.end(),
                                 [](const Row& row) { return row.name == kPuts; });
  if (puts == session.rows.end()) throw std::runtime_error("the script has not measured puts by 64 clients");
  const double over_http = puts->value;
  const double by_threads = threads_put(session.scratch / "threads", texts_of(session.scratch / "lines"));
  session.add(
      {"durable PUT over HTTP over puts of the same texts by threads, clients 64", over_http / by_threads,
       "ratio", 0.8, Better::higher,
       format("64 threads of one process: %.0f/s; over HTTP the clients share the cores", by_threads)});
}

}  // namespace

std::vector<Measurement> http_measurements() {
  return {{"http", "durable PUT and similar over HTTP by 1, 8 and 64 clients (--scale)", measure_http}};
}

}  // namespace akin::bench
