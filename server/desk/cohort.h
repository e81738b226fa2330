// The page that shows all pairs of a set of texts at once: how many share how much, who with whom, and the
// list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// Two documents, by their places in CohortView::documents, and the share of each that is in the other.
struct CohortPair {
  std::size_t a = 0, b = 0;
  double a_share = 0.0, b_share = 0.0;
};

struct CohortView {
  std::string collection, task;
  std::vector<json::Json> documents;          ///< document_object
  std::vector<CohortPair> pairs;              ///< those with the largest shares, the largest first
  std::array<std::uint64_t, 10> tenths = {};  ///< pairs by the larger of their shares, from 0 % on
  std::uint64_t counted = 0, total = 0;       ///< pairs in `tenths`, and that the task found
  std::uint64_t least = 0;                    ///< per cent of the larger share, from which on pairs are shown
  bool hides_names = false;
};

/// The path of the page for a task that looked for pairs.
[[nodiscard]] std::string cohort_path(std::string_view task);
[[nodiscard]] std::string cohort_page(const Reader& reader, const CohortView& view);

}  // namespace akin::desk
