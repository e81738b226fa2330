// Winnowed k-grams of words: a sample of the shingles of a text that loses no shared run of t units
// (Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for document fingerprinting", SIGMOD 2003).
#pragma once

#include <bit>
#include <cstdint>
#include <memory>

#include "morph/features/scheme_spec.h"
#include "morph/schemes/rolling_hash.h"
#include "morph/schemes/scheme.h"
#include "morph/schemes/winnowing.h"

namespace akin {

/// Units run across the ends of sentences. The features of a text of N units:
/// - N >= t: of each window of t - s + 1 successive grams, each of k of s units in a row, the least; a gram
///   selected for successive windows once. Every run of t units that two such texts share has a common
///   feature.
/// - s <= N < t: all its grams. Two such texts that share a run of s units have a common feature; one such
///   text and a longer one may share a run and have none.
/// - 0 < N < s: one, of all its units.
struct WinnowOptions {
  enum class Unit {
    lemma,  ///< a word's class
    word    ///< a word's folded spelling
  };
  /// Which of the last units make a gram, from its last unit, the lowest bit, to its first.
  std::uint64_t shape = 0b1111;
  unsigned run = 8;  ///< t, s to s - 1 + kMaxWindowGrams
  Unit unit = Unit::lemma;
  bool ordered = false;  ///< false: grams of the same units in any order are equal
  /// Of a window, a gram with fewer stop words precedes one with more, whatever their hashes: grams of stop
  /// words alone ("it was in the") occur everywhere, and are then selected only where nothing else is.
  bool stop_words_last = false;

  [[nodiscard]] unsigned gram() const { return static_cast<unsigned>(std::popcount(shape)); }   ///< k
  [[nodiscard]] unsigned span() const { return static_cast<unsigned>(std::bit_width(shape)); }  ///< s
};

/// The scheme `winnow(k,t,unit,order,shape,stop)`, see docs/schemes.md. Error: invalid_argument.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> winnow_scheme(const SchemeSpec& spec);

}  // namespace akin
