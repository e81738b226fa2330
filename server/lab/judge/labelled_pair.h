// Two documents and an expert's label of them.
#pragma once

#include <string>
#include <vector>

#include "server/lab/judge/document.h"

namespace akin::judge {

/// `label`: whether A is what a model must find next to B.
struct LabelledPair {
  Document a, b;
  bool label = false;
};

/// The keys that identify a document for splits that keep documents together: its id, if it has one, and its
/// text.
[[nodiscard]] std::vector<std::string> document_keys(const Document& document);

}  // namespace akin::judge
