#include "server/judge/term_statistics.h"

#include <algorithm>
#include <cmath>

namespace akin::judge {

TermStatistics::TermStatistics(std::uint64_t documents, std::uint64_t words,
                               std::span<const Frequency> frequent)
    : documents_(documents), words_(words) {
  counts_.reserve(frequent.size());
  for (const Frequency& one : frequent) counts_[one.term] = one.documents;
}

void TermStatistics::add(std::span<const std::uint64_t> terms, std::uint64_t length) {
  ++documents_;
  words_ += length;
  for (const std::uint64_t term : terms) ++counts_[term];
}

double TermStatistics::idf(std::uint64_t term) const noexcept {
  if (documents_ == 0) return 1.0;
  const auto found = counts_.find(term);
  const double with = found == counts_.end() ? 1.0 : static_cast<double>(found->second);
  return std::log1p((static_cast<double>(documents_) - with + 0.5) / (with + 0.5));
}

double TermStatistics::weight(double idf, double count, double length) const noexcept {
  double relative = 1.0;
  if (documents_ > 0 && words_ > 0) {
    relative = length * static_cast<double>(documents_) / static_cast<double>(words_);
  }
  return idf * count * (kK1 + 1) / (count + kK1 * (1 - kB + kB * relative));
}

std::vector<TermStatistics::Frequency> TermStatistics::frequent() const {
  std::vector<Frequency> result;
  for (const auto& [term, documents] : counts_) {
    if (documents > 1) result.push_back({term, documents});
  }
  std::sort(result.begin(), result.end(),
            [](const Frequency& a, const Frequency& b) { return a.term < b.term; });
  return result;
}

}  // namespace akin::judge
