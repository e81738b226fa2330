// Several schemes in one collection: recall tiers. Each tier's features have a space of their own.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "morph/features/scheme_spec.h"
#include "morph/schemes/scheme.h"

namespace akin {

inline constexpr std::size_t kMaxTiers = 4;
/// Means every tier where tiers are named; not a valid name of a tier.
inline constexpr std::string_view kAllTiers = "all";

/// The tier that a feature belongs to: its two leading bits. The other 62 are the leading bits of the mixed
/// hash that the tier's own scheme gives, or, in a tier of seeds (Scheme::finds_passages), the first
/// kSeedBits of them as a number. So features of different tiers never coincide, and two different features
/// of one tier coincide with probability 2^-62, or 2^-kSeedBits.
[[nodiscard]] constexpr std::size_t tier_of(Feature feature) noexcept {
  return static_cast<std::size_t>(static_cast<std::uint64_t>(feature) >> 62U);
}
/// The smallest feature of a tier.
[[nodiscard]] constexpr Feature first_of_tier(std::size_t tier) noexcept {
  return Feature{static_cast<std::uint64_t>(tier) << 62U};
}
inline constexpr unsigned kFeatureBits = 62;
/// A seed only nominates a document for alignment, and a posting takes as many bits fewer as its feature.
inline constexpr unsigned kSeedBits = 44;
[[nodiscard]] Feature in_tier(Feature own, std::size_t tier, unsigned bits = kFeatureBits) noexcept;

/// Whether each tier has as many features as `sizes` says, in the tiers' order.
[[nodiscard]] bool are_in_tiers(std::span<const Feature> features, std::span<const std::uint64_t> sizes);

/// One tier's part of all features; `sizes` gives the number in each tier. Requires that the sizes add up to
/// all features, and that the tier exists.
[[nodiscard]] FeatureSequence part_in_tier(FeatureSequence all, std::span<const std::uint64_t> sizes,
                                           std::size_t tier);

/// "tiers(NAME=SCHEME,…)": 2 to kMaxTiers schemes, strictest first, none of which only generates candidates
/// or has tiers itself. A name is [a-z][a-z0-9-]{0,31}, and not "all". The first scheme verifies; everything
/// that names no tier works on it.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> tiers_scheme(const SchemeSpec& spec);

/// "tier(number=N,of=SCHEME)": the features that SCHEME has as tier number N, counted from 1.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> tier_scheme(const SchemeSpec& spec);

/// The number of the tier with this name. Error: invalid_argument, which lists the existing names.
[[nodiscard]] Result<std::size_t> find_tier(const Scheme& scheme, std::string_view name);

}  // namespace akin
