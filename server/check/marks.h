// Marks on the findings of a check, and its shares as they follow from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "server/json/json.h"

namespace akin::check {

/// The marks with those of `changes` merged in: a mark's fields that a change lacks remain, and null resets
/// one. In the order of the sources, their passages, and the exclusions, without marks that say nothing.
/// Errors: invalid_argument (an unknown field, class, source, passage or exclusion), too_large (a remark).
[[nodiscard]] Result<json::Json> merge_marks(const json::Json& check, const json::Json& marks,
                                             const json::Json& changes);

/// Marks by what they are on, and what counts by them. Numbers count from 1. A view of the marks.
class DecidedMarks {
 public:
  explicit DecidedMarks(const json::Json& marks);

  /// Null if there is none.
  [[nodiscard]] const json::Json* of_source(std::size_t source) const { return find({source, 0}); }
  [[nodiscard]] const json::Json* of_passage(std::size_t source, std::size_t passage) const {
    return find({source, passage});
  }
  [[nodiscard]] const json::Json* of_exclusion(std::size_t exclusion) const { return find({0, exclusion}); }

  [[nodiscard]] bool source_counts(std::size_t source) const;
  [[nodiscard]] bool passage_counts(std::size_t source, std::size_t passage) const;
  [[nodiscard]] bool is_compared_after_all(std::size_t exclusion) const;

 private:
  using Place = std::pair<std::size_t, std::size_t>;  ///< an exclusion has source 0
  [[nodiscard]] const json::Json* find(const Place& place) const;

  std::map<Place, const json::Json*> marks_;
};

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
