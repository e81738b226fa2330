// What clients of the server get: durable puts and searches over HTTP.
#include "tests/bench/bench.h"
#include "tests/bench/script_rows.h"

namespace akin::bench {

namespace {

void measure_http(Session& session) {
  add_rows_of(session, "http/server_rows.py",
              {AKIN_BENCH_BUILD, session.scratch.string(), std::to_string(session.sizes.documents / 5)}, "");
}

}  // namespace

std::vector<Measurement> http_measurements() {
  return {{"http", "durable PUT and similar over HTTP by 1, 8 and 64 clients (--scale)", measure_http}};
}

}  // namespace akin::bench
