#include "lab/evaluate/passage_report.h"

namespace akin::evaluate {

PassageReport report_passages(const std::vector<PassageCase>& cases,
                              const std::set<SourcePair>& known_overlaps,
                              const std::vector<FoundSource>& found) {
  PassageReport report;
  std::vector<Reuse> known;
  std::set<SourcePair> labelled;
  for (const PassageCase& one : cases) {
    known.push_back(one.reuse);
    labelled.emplace(one.reuse.document, one.reuse.source);
  }
  std::vector<Reuse> detected;
  for (const auto& [pair, passages] : found) {
    if (!labelled.contains(pair)) {
      (known_overlaps.contains(pair) ? report.known : report.unlisted).push_back(pair);
      continue;
    }
    ++report.pairs_found;
    for (const Passage& passage : passages) {
      detected.push_back({pair.first, pair.second, passage.a, passage.b});
    }
  }
  report.pairs = labelled.size();
  report.measures = measure_passages(known, detected);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (report.measures.met[i] == 0) report.missed.push_back(cases[i]);
  }
  return report;
}

}  // namespace akin::evaluate
