// How well passages that were found agree with passages that are known: the measures of PAN (Potthast, Stein,
// Barrón-Cedeño, Rosso, "An evaluation framework for plagiarism detection", COLING 2010).
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/text_range.h"

namespace akin::evaluate {

/// A document and a source, by their names.
using SourcePair = std::pair<std::string, std::string>;

/// A stretch of a document and the stretch of its source that it was taken from, known or found.
struct Reuse {
  std::string document, source;
  TextRange a;  ///< in the document
  TextRange b;  ///< in the source
};

struct PassageMeasures {
  double recall = 0;       ///< the mean over known passages of the share of their characters that was found
  double precision = 0;    ///< the mean over found passages of the share of their characters that is known
  double granularity = 1;  ///< found passages for each known one that was found, in the mean
  double plagdet = 0;      ///< the harmonic mean of the first two, divided by log2(1 + granularity)
  std::size_t known = 0;
  std::size_t known_found = 0;  ///< known passages of which something was found
  std::size_t found = 0;
  std::vector<std::size_t> met;  ///< for each known passage, how many found ones meet it
};

/// A known passage and a found one meet if they are of the same documents and overlap in both; the characters
/// of both sides count alike. Without known passages recall is 0, without found ones precision.
[[nodiscard]] PassageMeasures measure_passages(const std::vector<Reuse>& known,
                                               const std::vector<Reuse>& found);

}  // namespace akin::evaluate
