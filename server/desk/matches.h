// The passages of a check as its report numbers them.
#pragma once

#include <cstddef>
#include <vector>

#include "server/check/marks.h"
#include "server/desk/marked_text.h"
#include "server/json/json.h"

namespace akin::desk {

/// A passage with its places in the answer and in the text. It views the check.
struct Shown {
  const json::Json* passage = nullptr;
  std::size_t in_source = 0;  ///< from 1
  Match match;
};

/// The passages of all sources, by source; numbered in the order of the text.
[[nodiscard]] std::vector<std::vector<Shown>> passages_of(const json::Json& check,
                                                          const check::DecidedMarks& marks);

}  // namespace akin::desk
