// Marks on the findings of a check, and its shares as they follow from them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/json/json.h"

namespace akin::check {

/// The marks with those of `changes` merged in: a mark's fields that a change lacks remain, and null resets
/// one. In the order of the sources, their passages, and the exclusions, without marks that say nothing.
/// Errors: invalid_argument (an unknown field, class, source, passage or exclusion), too_large (a remark).
[[nodiscard]] Result<json::Json> merge_marks(const json::Json& check, const json::Json& marks,
                                             const json::Json& changes);

struct DecidedShares {
  std::uint64_t compared = 0, found = 0;  ///< letters, as LetterCounts
  double share = 0;
  std::vector<double> sources;  ///< the share of each listed source

  [[nodiscard]] json::Json letters() const { return {{"compared", compared}, {"found", found}}; }
};

/// The shares of a check whose text this is, with the marks applied. Without marks they are those computed.
/// Letters of passages that do not count are not found, unless a passage that counts has them too. Letters of
/// an exclusion that was switched off are compared, and found if a passage extends over them.
[[nodiscard]] DecidedShares decided_shares(const json::Json& check, std::string_view text,
                                           const json::Json& marks);

}  // namespace akin::check
