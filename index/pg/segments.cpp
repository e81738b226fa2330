#include "index/pg/segments.h"

#include <algorithm>

#include "index/pg/names.h"

namespace akin::pg {
namespace {

constexpr int kLeastLevel = 6, kMostLevel = 40, kLevelStep = 2;
constexpr std::uint64_t kMostOnAverage = 64;
constexpr int kLevelShift = 56;

}  // namespace

int level_for(std::uint64_t postings) noexcept {
  int level = kLeastLevel;
  while (level < kMostLevel && (postings >> static_cast<unsigned>(level)) > kMostOnAverage)
    level += kLevelStep;
  return level;
}

std::int64_t first_bucket(int level) noexcept { return static_cast<std::int64_t>(level) << kLevelShift; }

std::int64_t bucket_of(std::int64_t key, int level) noexcept {
  const auto feature = static_cast<std::uint64_t>(feature_of(key));
  return first_bucket(level) | static_cast<std::int64_t>(feature >> static_cast<unsigned>(64 - level));
}

std::string bucket_sql(int level) {
  return "(" + std::to_string(first_bucket(level)) + " + (key >> " + std::to_string(64 - level) + ") + " +
         std::to_string(std::int64_t{1} << (level - 1)) + ")";
}

std::vector<std::int64_t> buckets_of(std::span<const std::int64_t> keys, std::span<const int> levels) {
  std::vector<std::int64_t> buckets{0};
  buckets.reserve(keys.size() * levels.size() + 1);
  for (const int level : levels) {
    for (const std::int64_t key : keys) buckets.push_back(bucket_of(key, level));
  }
  std::ranges::sort(buckets);
  const auto repeated = std::unique(buckets.begin(), buckets.end());
  buckets.erase(repeated, buckets.end());
  return buckets;
}

}  // namespace akin::pg
