// Finds the signs of disguise that do not need the text rules: spaced letters, digits for letters, combining
// marks that no language writes.
#pragma once

#include <string_view>
#include <vector>

#include "morph/text/alert.h"

namespace akin {

struct Disguise {
  AlertCounts counts;
  std::vector<Alert> alerts;  ///< the first kMaxAlerts, in the order of the text

  /// Adds what the scanner found in the same text, and keeps the first kMaxAlerts.
  void merge(const AlertCounts& scanned, const std::vector<Alert>& listed);
};

/// The alerts letter_spacing, digit_in_word, impossible_mark and two_columns of a text, and mixed_script for
/// whole words of look-alikes among words of the other script, in a pass of its own, so that indexing does
/// not pay for them. Requires well-formed UTF-8 of at most kMaxTextBytes. Takes linear time and, besides the
/// list, constant memory.
[[nodiscard]] Disguise find_disguise(std::string_view utf8);

}  // namespace akin
