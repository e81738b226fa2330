// Other spellings of a text that look the same to a reader, by kind and dose.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "tests/experiments/text_changes.h"

namespace akin::experiments {

struct Spelling {
  std::string_view name;
  /// `dose`: the share of the words, letters or blanks that can be changed so, and are; in (0, 1].
  std::function<Rewriting(double dose)> at;
};

/// Every kind, in the order of docs/evaluation/disguised-text.csv. A text without anything that a kind can
/// change, as one in Cyrillic letters without ligatures, stays as it is.
[[nodiscard]] std::vector<Spelling> spellings();

}  // namespace akin::experiments
