// Winnowed k-grams of words: a sample of the shingles of a text that loses no shared run of t units
// (Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003).
#pragma once

#include <memory>

#include "morph/features/scheme_spec.h"
#include "morph/schemes/rolling_hash.h"
#include "morph/schemes/scheme.h"
#include "morph/schemes/winnowing.h"

namespace akin {

/// Units run across the ends of sentences. The features of a text of N units:
/// - N >= t: of each window of t - k + 1 successive k-grams the least, a gram selected for successive
///   windows once. Every run of t units that two such texts share has a common feature.
/// - k <= N < t: all its k-grams. Two such texts that share a run of k units have a common feature; one such
///   text and a longer one may share a run and have none.
/// - 0 < N < k: one, of all its units.
struct WinnowOptions {
  enum class Unit {
    lemma,  ///< a word's class
    word    ///< a word's folded spelling
  };
  unsigned gram = 4;  ///< k, 1 to kMaxWindowUnits
  unsigned run = 8;   ///< t, k to k - 1 + kMaxWindowGrams
  Unit unit = Unit::lemma;
  bool ordered = false;  ///< false: grams of the same units in any order are equal
  /// Of a window, a gram with fewer stop words precedes one with more, whatever their hashes: grams of stop
  /// words alone ("it was in the") occur everywhere, and are then selected only where nothing else is.
  bool stop_words_last = false;
};

/// The scheme `winnow(k,t,unit,order,stop)`, see docs/schemes.md. Error: invalid_argument.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> winnow_scheme(const SchemeSpec& spec);

}  // namespace akin
