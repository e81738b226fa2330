// Character trigrams of a document, in few bytes: each is hashed into a bucket.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "morph/words/scanner.h"
#include "server/judge/term_statistics.h"

namespace akin::judge {

using TrigramBucket = std::uint16_t;

/// A bucket and its weight by BM25 in steps of 1 / 2048, so that sums of products are exact. A document of
/// 2.5 kB has about 900.
struct WeightedTrigram {
  TrigramBucket bucket = 0;
  std::uint16_t weight = 0;  ///< above 0
};

/// Counts the trigrams of the folded words of sentences, with a space before each word and after the last
/// one. Two trigrams may meet in a bucket of the 65,536.
class TrigramCounter {
 public:
  void add(std::span<const Word> sentence);

  /// The buckets that occurred, ascending, and by `counts` how often (at most 65,535 times each); forgets
  /// them.
  void take(std::vector<std::uint64_t>& buckets, std::vector<std::uint16_t>& counts);

 private:
  static constexpr std::size_t kBuckets = 65'536;

  void add(std::u32string_view letters, char32_t& before_last, char32_t& last);

  std::vector<std::uint16_t> counts_ = std::vector<std::uint16_t>(kBuckets);
  std::array<std::uint64_t, kBuckets / 64> occurs_{};
};

/// Weighs by `statistics`; without documents in them, every trigram has the same idf.
[[nodiscard]] std::vector<WeightedTrigram> weigh_trigrams(std::span<const std::uint64_t> buckets,
                                                          std::span<const std::uint16_t> counts,
                                                          const TermStatistics& statistics);

/// Sum of a.weight * b.weight over the buckets of both. Requires ascending buckets.
[[nodiscard]] double trigram_dot(std::span<const WeightedTrigram> a,
                                 std::span<const WeightedTrigram> b) noexcept;

/// As `cosine` (measures.h), of which `square_a` is trigram_dot(a, a): exactly 1 for equal sets; NaN if one
/// is empty.
[[nodiscard]] double trigram_cosine(std::span<const WeightedTrigram> a, double square_a,
                                    std::span<const WeightedTrigram> b, double square_b) noexcept;

}  // namespace akin::judge
