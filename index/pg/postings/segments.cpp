#include "index/pg/postings/segments.h"

#include <algorithm>

#include "index/pg/tables/names.h"
#include "morph/schemes/tiers.h"

namespace akin::pg {
namespace {

constexpr std::uint64_t kMostOnAverage = 64;
constexpr int kLevelShift = 48;
constexpr std::array<unsigned, 3> kWidths{32, kSeedBits, kFeatureBits};
static_assert(kBands == kMaxTiers * kWidths.size());

/// Features, and the bits that distinguish them.
struct Band {
  std::uint64_t tier = 0;  ///< its least feature
  std::uint64_t least = 0, last = 0;
  unsigned width = 0;
};

Band band(int number) noexcept {
  const auto tier = static_cast<std::size_t>(number) / kWidths.size();
  const std::size_t kind = static_cast<std::size_t>(number) % kWidths.size();
  Band one{.tier = static_cast<std::uint64_t>(first_of_tier(tier)), .width = kWidths[kind]};
  one.least = one.tier + (kind == 0 ? 0 : std::uint64_t{1} << kWidths[kind - 1]);
  one.last = one.tier + ((std::uint64_t{1} << one.width) - 1);
  return one;
}

/// The features of a band with the same first bits; the first one is beyond the last one if there are none.
KeyRange keys_with(const Band& band, std::uint64_t prefix, int bits) noexcept {
  const unsigned others = band.width - static_cast<unsigned>(bits);
  const std::uint64_t first = band.tier + (prefix << others);
  const std::uint64_t last = first + ((std::uint64_t{1} << others) - 1);
  return {key_of(Feature{std::max(first, band.least)}), key_of(Feature{last})};
}

std::uint64_t prefix_of(std::int64_t bucket) noexcept {
  return static_cast<std::uint64_t>(bucket - first_bucket(level_of_bucket(bucket)));
}

}  // namespace

int band_of(std::int64_t key) noexcept {
  const Feature feature = feature_of(key);
  const std::size_t tier = tier_of(feature);
  const std::uint64_t rest =
      static_cast<std::uint64_t>(feature) - static_cast<std::uint64_t>(first_of_tier(tier));
  std::size_t kind = 0;
  while (rest >> kWidths[kind] != 0) ++kind;
  return static_cast<int>(tier * kWidths.size() + kind);
}

int bits_for(std::uint64_t postings) noexcept {
  int bits = kLeastBits;
  while (bits < kMostBits && (postings >> static_cast<unsigned>(bits)) > kMostOnAverage) ++bits;
  return bits;
}

std::int64_t first_bucket(int level) noexcept { return static_cast<std::int64_t>(level) << kLevelShift; }

std::int64_t bucket_of(std::int64_t key, int level) noexcept {
  const Band own = band(band_of_level(level));
  const std::uint64_t rest = static_cast<std::uint64_t>(feature_of(key)) - own.tier;
  const unsigned others = own.width - static_cast<unsigned>(bits_of_level(level));
  return first_bucket(level) + static_cast<std::int64_t>(rest >> others);
}

int level_of_bucket(std::int64_t bucket) noexcept { return static_cast<int>(bucket >> kLevelShift); }

bool is_bucket(std::int64_t number) noexcept {
  if (number < 0 || number >= first_bucket(level_of(kBands, 0))) return false;
  const int level = level_of_bucket(number), bits = bits_of_level(level);
  if (bits < kLeastBits || bits > kMostBits) return false;
  if (prefix_of(number) >> static_cast<unsigned>(bits) != 0) return false;
  const KeyRange keys = keys_of_bucket(number);
  return keys.first <= keys.last;
}

KeyRange keys_of_bucket(std::int64_t bucket) noexcept {
  const int level = level_of_bucket(bucket);
  return keys_with(band(band_of_level(level)), prefix_of(bucket), bits_of_level(level));
}

std::int64_t first_bucket_from(std::int64_t key, int level) noexcept {
  const Band own = band(band_of_level(level));
  if (key <= key_of(Feature{own.least})) return first_bucket(level);
  return key > key_of(Feature{own.last}) ? first_bucket(level + 1) : bucket_of(key, level);
}

std::vector<KeyRange> parts_of_band(int number, int bits) {
  std::vector<KeyRange> parts;
  const Band own = band(number);
  for (std::uint64_t prefix = 0; prefix >> static_cast<unsigned>(bits) == 0; ++prefix) {
    const KeyRange keys = keys_with(own, prefix, bits);
    if (keys.first <= keys.last) parts.push_back(keys);
  }
  return parts;
}

std::vector<std::int64_t> buckets_of(std::span<const KeyRange> ranges, std::span<const int> levels) {
  std::vector<std::int64_t> buckets;
  buckets.reserve(ranges.size());
  for (const KeyRange& range : ranges) {
    const int band = band_of(range.first);
    for (const int level : levels) {
      if (band_of_level(level) != band) continue;
      const std::int64_t last = bucket_of(range.last, level);
      for (std::int64_t bucket = bucket_of(range.first, level); bucket <= last; ++bucket)
        buckets.push_back(bucket);
    }
  }
  std::ranges::sort(buckets);
  const auto repeated = std::unique(buckets.begin(), buckets.end());
  buckets.erase(repeated, buckets.end());
  return buckets;
}

}  // namespace akin::pg
