// MinHash: k numbers of a set, each of which two sets have in common with a probability that is (about) their
// resemblance |A ∩ B| / |A ∪ B| (Broder, "On the resemblance and containment of documents", 1997).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "morph/schemes/scheme.h"

namespace akin {

/// Where the minima come from.
enum class Minima {
  functions,  ///< k injective functions, a minimum of each over all features: k steps a feature
  bins        ///< one function, a minimum of each of k parts of its range: one step a feature
};

/// `k` minima of the distinct features, as 64-bit numbers whose equality is all that they mean. The order and
/// repetitions of features do not matter; of no features there are no minima.
///
/// `functions`: x → ((x ^ s) · a) modulo 2^64, s random, a random and odd, over mixed features.
/// `bins`: one-permutation hashing; an empty bin takes the minimum of a bin that is chosen by a hash of its
/// own number and of the attempt (Shrivastava, "Optimal densification for fast and accurate minwise hashing",
/// 2017).
[[nodiscard]] std::vector<std::uint64_t> min_hash(std::span<const Feature> features, std::size_t k,
                                                  Minima minima);

}  // namespace akin
