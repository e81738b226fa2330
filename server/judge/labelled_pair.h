// Two documents and an expert's label of them.
#pragma once

#include "server/judge/document.h"

namespace akin::judge {

/// `label`: whether A is what a model must find next to B.
struct LabelledPair {
  Document a, b;
  bool label = false;
};

}  // namespace akin::judge
