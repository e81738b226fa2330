#include "index/pg/postings/segments.h"

#include <algorithm>
#include <limits>

#include "index/pg/tables/names.h"

namespace akin::pg {
namespace {

constexpr int kMostLevel = 40;
constexpr std::uint64_t kMostOnAverage = 64;
constexpr int kLevelShift = 56;

}  // namespace

int level_for(std::uint64_t postings) noexcept {
  int level = kLeastLevel;
  while (level < kMostLevel && (postings >> static_cast<unsigned>(level)) > kMostOnAverage) ++level;
  return level;
}

std::int64_t first_bucket(int level) noexcept { return static_cast<std::int64_t>(level) << kLevelShift; }

std::int64_t bucket_of(std::int64_t key, int level) noexcept {
  const auto feature = static_cast<std::uint64_t>(feature_of(key));
  return first_bucket(level) | static_cast<std::int64_t>(feature >> static_cast<unsigned>(64 - level));
}

int level_of(std::int64_t bucket) noexcept { return static_cast<int>(bucket >> kLevelShift); }

bool is_bucket(std::int64_t number) noexcept {
  if (number < first_bucket(kLeastLevel) || number >= first_bucket(kMostLevel + 1)) return false;
  const int level = level_of(number);
  return static_cast<std::uint64_t>(number - first_bucket(level)) >> static_cast<unsigned>(level) == 0;
}

std::uint64_t last_key_offset(std::int64_t bucket) noexcept {
  return std::numeric_limits<std::uint64_t>::max() >> static_cast<unsigned>(level_of(bucket));
}

std::int64_t first_key(std::int64_t bucket) noexcept {
  const int level = level_of(bucket);
  const auto prefix = static_cast<std::uint64_t>(bucket - first_bucket(level));
  return key_of(Feature{prefix << static_cast<unsigned>(64 - level)});
}

std::vector<std::int64_t> buckets_of(std::span<const std::int64_t> keys, std::span<const int> levels) {
  std::vector<std::int64_t> buckets;
  buckets.reserve(keys.size() * levels.size());
  for (const int level : levels) {
    for (const std::int64_t key : keys) buckets.push_back(bucket_of(key, level));
  }
  std::ranges::sort(buckets);
  const auto repeated = std::unique(buckets.begin(), buckets.end());
  buckets.erase(repeated, buckets.end());
  return buckets;
}

}  // namespace akin::pg
