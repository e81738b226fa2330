// The passages of a check as its report numbers them.
#pragma once

#include <cstddef>
#include <vector>

#include "base/sliced_text.h"
#include "base/text_range.h"
#include "server/check/marks.h"
#include "server/desk/marked_text.h"
#include "server/json/json.h"

namespace akin::desk {

/// A passage with its places in the answer and in the text. It views the check.
struct Shown {
  const json::Json* passage = nullptr;
  std::size_t in_source = 0;  ///< from 1
  Match match;
  bool in_bibliography = false;  ///< begins there
};

/// The passages of all sources, by source; numbered in the order of the text, which is that of the check.
/// `bibliographies`: of the text, ascending.
[[nodiscard]] std::vector<std::vector<Shown>> passages_of(const json::Json& check,
                                                          const check::DecidedMarks& marks,
                                                          const SlicedText& text,
                                                          const std::vector<TextRange>& bibliographies);

}  // namespace akin::desk
