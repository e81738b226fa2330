// Shingles: overlapping windows of w units of a text (Broder, Glassman, Manasse, Zweig, "Syntactic clustering
// of the Web", 1997; Zagorulko et al. 2013).
#pragma once

#include <memory>

#include "morph/features/scheme_spec.h"
#include "morph/schemes/feature_sample.h"
#include "morph/schemes/scheme.h"
#include "morph/schemes/stop_words.h"

namespace akin {

struct ShingleOptions {
  enum class Unit {
    lemma,  ///< a word's class
    word,   ///< a word's folded spelling
    letter  ///< a folded letter; a space between two words is one too, unless stop words are left out
  };
  unsigned window = 5;  ///< w, 1 to kMaxWindowUnits
  Unit unit = Unit::lemma;
  bool ordered = true;   ///< false: windows with the same units are equal
  StopWords stop_words;  ///< left out before windows are formed; with letters, spaces are too
  /// Whether punctuation and symbols between two words are units, each one separately, in its folded
  /// spelling.
  bool marks = false;
  FeatureSample sample;
};

/// The scheme `shingles(w,unit,order,stop,sample,count,marks)`, see docs/schemes.md. Error: invalid_argument.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> shingles_scheme(const SchemeSpec& spec);

}  // namespace akin
