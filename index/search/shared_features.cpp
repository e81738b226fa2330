#include "index/search/shared_features.h"

#include <algorithm>

#include "base/radix_sort.h"

namespace akin {

std::span<const Feature> SharedFeatures::of(std::uint64_t document, std::uint64_t x) {
  const auto number = [](const Shared& one) {
    return std::uint64_t{static_cast<std::uint32_t>(one.document)};
  };
  if (!is_sorted_) radix_sort(std::span(all_), number);
  is_sorted_ = true;
  found_.clear();
  std::uint64_t known = 0;
  for (auto one = std::ranges::lower_bound(all_, document, {}, number);
       one != all_.end() && number(*one) == document; ++one) {
    found_.push_back(one->feature);
    known += one->count;
  }
  if (known != x) found_.clear();
  return found_;
}

}  // namespace akin
