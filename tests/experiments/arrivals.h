// What e-mail, PDF, OCR and evasive authors do to a text before it arrives, as functions from text to text.
#pragma once

#include <string_view>
#include <vector>

#include "tests/experiments/text_changes.h"

namespace akin::experiments {

struct Arrival {
  std::string_view name;
  Rewriting apply;
};

/// Every kind, in the order of docs/evaluation/arrival.csv. Equal seeds give equal texts.
[[nodiscard]] std::vector<Arrival> arrivals();

}  // namespace akin::experiments
