// What searches and checks without parameters cost over HTTP where real collections make them expensive.
#include "tests/bench/bench.h"
#include "tests/bench/script_rows.h"

namespace akin::bench {

namespace {

void measure_reuse(Session& session) {
  if (session.corpora.empty()) throw Skipped("no corpora (AKIN_CORPORA)");
  add_rows_of(session, "http/reuse_rows.py",
              {AKIN_BENCH_BUILD, session.scratch.string(), std::to_string(session.sizes.documents)}, "");
}

}  // namespace

std::vector<Measurement> reuse_measurements() {
  return {{"reuse", "searches and checks over pages with planted reuse and a licence in each (--scale)",
           measure_reuse}};
}

}  // namespace akin::bench
