#include "index/overlap/overlap.h"

#include <algorithm>
#include <vector>

#include "index/codec/feature_counts.h"

namespace akin {

namespace {

double ratio(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double Overlap::containment() const noexcept { return ratio(x, a_features); }

double Overlap::contained() const noexcept { return ratio(x, b_features); }

double Overlap::resemblance() const noexcept { return ratio(x, a_features + b_features - x); }

double Overlap::sorensen() const noexcept { return ratio(2 * x, a_features + b_features); }

Overlap overlap(std::span<const Feature> a, std::span<const Feature> b) {
  const std::vector<FeatureCount> left = count_features(a);
  const std::vector<FeatureCount> right = count_features(b);
  Overlap result{0, a.size(), b.size()};
  auto l = left.begin();
  auto r = right.begin();
  while (l != left.end() && r != right.end()) {
    if (l->feature < r->feature) {
      ++l;
    } else if (r->feature < l->feature) {
      ++r;
    } else {
      result.x += std::min(l->count, r->count);
      ++l;
      ++r;
    }
  }
  return result;
}

}  // namespace akin
