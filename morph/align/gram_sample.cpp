#include "morph/align/gram_sample.h"

#include <algorithm>
#include <span>

#include "base/hash.h"
#include "base/radix_sort.h"

namespace akin {

GramSample::GramSample(const NumberedWords& words) : is_sampled_(words.size() > kLongText) {
  const std::uint64_t last = is_sampled_ ? kLast : ~std::uint64_t{0};
  std::uint64_t sum = 0;  // of classes: the order of the words does not count
  for (std::size_t word = 0; word < words.size(); ++word) {
    sum += words[word];
    if (word + 1 < kGram) continue;
    if (const std::uint64_t hash = mix64(sum); hash <= last) hashes_.push_back(hash);
    sum -= words[word + 1 - kGram];
  }
  radix_sort(std::span(hashes_), [](std::uint64_t hash) { return hash; });
  hashes_.erase(std::unique(hashes_.begin(), hashes_.end()), hashes_.end());
  hashes_.shrink_to_fit();
}

bool GramSample::shares(double share, const GramSample& other) const {
  const bool sampled = is_sampled_ || other.is_sampled_;
  const auto end_of = [&](const GramSample& one) {
    return sampled ? std::ranges::upper_bound(one.hashes_, kLast) : one.hashes_.end();
  };
  std::size_t shared = 0;
  auto a = hashes_.begin(), b = other.hashes_.begin();
  const auto a_end = end_of(*this), b_end = end_of(other);
  const auto least = static_cast<double>(std::min(a_end - a, b_end - b));
  while (a != a_end && b != b_end) {
    if (*a == *b) ++shared;
    const bool moves_a = *a <= *b, moves_b = *b <= *a;
    if (moves_a) ++a;
    if (moves_b) ++b;
  }
  return shared > 0 && static_cast<double>(shared) >= share * least;
}

}  // namespace akin
