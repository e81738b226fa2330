// X(A,B) and the measures derived from it (Veretennikov 2009; Broder 1997 for resemblance and containment).
#pragma once

#include <cstdint>
#include <span>

#include "morph/schemes/scheme.h"

namespace akin {

/// Multiset overlap and the sizes it is taken against. All derived measures lie in [0,1]; a document against
/// itself gives exactly 1; if the denominator is 0 (an empty document) the measure is 0.
struct Overlap {
  std::uint64_t x = 0;           ///< X(A,B)
  std::uint64_t a_features = 0;  ///< |A|, the query
  std::uint64_t b_features = 0;  ///< |B|, the stored document
  /// Whether X/|A| and X/|B| are shares of the documents: Scheme::has_containment().
  bool has_containment = true;

  [[nodiscard]] double containment() const noexcept;  ///< X/|A|: share of A found in B
  [[nodiscard]] double contained() const noexcept;    ///< X/|B|: share of B found in A
  [[nodiscard]] double resemblance() const noexcept;  ///< X/(|A|+|B|-X)
  [[nodiscard]] double sorensen() const noexcept;     ///< 2X/(|A|+|B|)
};

/// X(A,B) = sum over distinct v of min(Count(v,A), Count(v,B)).
[[nodiscard]] Overlap overlap(std::span<const Feature> a, std::span<const Feature> b);

}  // namespace akin
