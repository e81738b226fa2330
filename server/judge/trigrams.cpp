#include "server/judge/trigrams.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/hash.h"
#include "server/judge/measures.h"

namespace akin::judge {

namespace {

constexpr double kTrigramSteps = 2048;
constexpr std::uint16_t kMostTrigram = std::numeric_limits<std::uint16_t>::max();

TrigramBucket bucket_of(char32_t first, char32_t second, char32_t third) noexcept {
  // A code point has 21 bits.
  const std::uint64_t key = (std::uint64_t{first} << 42U) ^ (std::uint64_t{second} << 21U) ^ third;
  return static_cast<TrigramBucket>(mix64(key) >> 48U);
}

}  // namespace

void TrigramCounter::add(std::u32string_view letters, char32_t& before_last, char32_t& last) {
  for (const char32_t letter : letters) {
    if (before_last != 0) {
      const TrigramBucket bucket = bucket_of(before_last, last, letter);
      occurs_[bucket / 64U] |= std::uint64_t{1} << (bucket % 64U);
      if (counts_[bucket] < kMostTrigram) ++counts_[bucket];
    }
    before_last = last;
    last = letter;
  }
}

void TrigramCounter::add(std::span<const Word> sentence) {
  char32_t before_last = 0;
  char32_t last = 0;
  for (const Word& word : sentence) {
    add(U" ", before_last, last);
    add(word.letters, before_last, last);
  }
  add(U" ", before_last, last);
}

void TrigramCounter::take(std::vector<std::uint64_t>& buckets, std::vector<std::uint16_t>& counts) {
  buckets.clear();
  counts.clear();
  for (std::size_t i = 0; i < occurs_.size(); ++i) {
    for (std::uint64_t left = occurs_[i]; left != 0; left &= left - 1) {
      const std::size_t bucket = i * 64 + static_cast<std::size_t>(std::countr_zero(left));
      buckets.push_back(bucket);
      counts.push_back(counts_[bucket]);
      counts_[bucket] = 0;
    }
    occurs_[i] = 0;
  }
}

std::vector<WeightedTrigram> weigh_trigrams(std::span<const std::uint64_t> buckets,
                                            std::span<const std::uint16_t> counts,
                                            const TermStatistics& statistics) {
  double length = 0;
  for (const std::uint16_t count : counts) length += count;
  std::vector<WeightedTrigram> weighted;
  weighted.reserve(buckets.size());
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    const double weight = statistics.weight(statistics.idf(buckets[i]), counts[i], length);
    const double steps = std::clamp(std::round(weight * kTrigramSteps), 1.0, double{kMostTrigram});
    weighted.push_back({static_cast<TrigramBucket>(buckets[i]), static_cast<std::uint16_t>(steps)});
  }
  return weighted;
}

double trigram_dot(std::span<const WeightedTrigram> a, std::span<const WeightedTrigram> b) noexcept {
  std::uint64_t sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const TrigramBucket x = a[i].bucket;
    const TrigramBucket y = b[j].bucket;
    if (x == y) sum += std::uint64_t{a[i].weight} * b[j].weight;
    i += x <= y ? 1U : 0U;
    j += y <= x ? 1U : 0U;
  }
  return static_cast<double>(sum);
}

double trigram_cosine(std::span<const WeightedTrigram> a, double square_a, std::span<const WeightedTrigram> b,
                      double square_b) noexcept {
  if (a.empty() || b.empty()) return undefined();
  return std::min(1.0, trigram_dot(a, b) / std::sqrt(square_a * square_b));
}

}  // namespace akin::judge
