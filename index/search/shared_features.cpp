#include "index/search/shared_features.h"

#include <algorithm>
#include <span>

#include "base/radix_sort.h"

namespace akin {

void SharedFeatures::sort() { radix_sort(std::span(all_), number); }

std::vector<Feature> SharedFeatures::of(std::uint64_t document, std::uint64_t x) const {
  std::vector<Feature> found;
  std::uint64_t known = 0;
  for (auto one = std::ranges::lower_bound(all_, document, {}, number);
       one != all_.end() && number(*one) == document; ++one) {
    found.push_back(one->feature);
    known += one->count;
  }
  if (known != x) found.clear();
  return found;
}

}  // namespace akin
