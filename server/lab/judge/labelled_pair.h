// Two documents and what an expert says of them.
#pragma once

#include <string>
#include <vector>

#include "server/lab/judge/document.h"

namespace akin::judge {

/// `label`: whether A is what a model is to find beside B.
struct LabelledPair {
  Document a, b;
  bool label = false;
};

/// What identifies a document for splits that keep documents together: its id, if it has one, and its text.
[[nodiscard]] std::vector<std::string> document_keys(const Document& document);

}  // namespace akin::judge
