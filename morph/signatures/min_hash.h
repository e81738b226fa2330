// MinHash: k numbers of a set; two sets agree in each of them with a probability that is (about) their
// resemblance |A ∩ B| / |A ∪ B| (Broder, "On the resemblance and containment of documents", 1997).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "morph/features/features.h"

namespace akin {

/// The source of the minima.
enum class Minima {
  functions,  ///< k injective functions, the minimum of each over all features: k steps per feature
  bins        ///< one function, the minimum in each of k parts of its range: one step per feature
};

/// `k` minima of the distinct features, as 64-bit numbers whose only meaning is their equality. The order and
/// repetitions of features do not matter; without features there are no minima.
///
/// `functions`: x → ((x ^ s) · a) modulo 2^64, s random, a random and odd, over mixed features.
/// `bins`: one-permutation hashing; an empty bin takes the minimum of a bin chosen by a hash of its own
/// number and of the attempt (Shrivastava, "Optimal densification for fast and accurate minwise hashing",
/// 2017).
[[nodiscard]] std::vector<std::uint64_t> min_hash(std::span<const Feature> features, std::size_t k,
                                                  Minima minima);

}  // namespace akin
