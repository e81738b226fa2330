// Measures groups of duplicates made by any program: every two texts of one group count as a found pair.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "lab/evaluate/labelled_set.h"
#include "lab/evaluate/pair_counts.h"
#include "server/tables/delimited.h"

namespace akin::evaluate {

struct Grouping {
  std::uint64_t groups = 0;
  std::uint64_t texts = 0;  ///< in groups
  PairCounts pairs;
};

/// Compares a table with the columns `group` and `id`, as `akin groups --csv` writes it, with the set; ids
/// are the names of its texts. Texts that the set does not have are left out. Errors: invalid_argument (a
/// column is missing, a text in two groups, no id belongs to the set, a set whose texts have no names).
[[nodiscard]] Result<Grouping> judge_groups(const LabelledSet& set, const tables::DelimitedTable& table);

}  // namespace akin::evaluate
