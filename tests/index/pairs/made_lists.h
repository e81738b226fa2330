// Posting lists made of documents in memory, and all pairs of them by definition.
#pragma once

#include <iosfwd>
#include <memory>
#include <optional>
#include <vector>

#include "index/pairs/pairs.h"
#include "tests/support/sequences.h"

namespace akin::test {

/// Lists of documents numbered 0, 1, 2 …
class MadeLists final : public ListSource {
 public:
  explicit MadeLists(const std::vector<Values>& documents);

  std::uint64_t document_limit() const noexcept override { return limit_; }
  Result<std::unique_ptr<ListStream>> lists() const override;

  struct List {
    Feature feature{};
    std::vector<DocNumber> documents;
    std::vector<std::uint32_t> counts;
  };
  std::vector<List> content;
  std::optional<std::size_t> fails_at;  ///< the list at which a pass ends with an error
  mutable int passes = 0;

 private:
  std::uint64_t limit_;
};

struct NumberedPair {
  std::uint32_t a = 0, b = 0;
  std::uint64_t x = 0, a_features = 0, b_features = 0;
  friend auto operator<=>(const NumberedPair&, const NumberedPair&) = default;
};

void PrintTo(const NumberedPair& pair, std::ostream* out);

/// The slow twin: every two documents compared by definition; those that share anything.
std::vector<NumberedPair> naive_pairs(const std::vector<Values>& documents);
/// Those of them that satisfy a condition, by the formulas of the definitions.
std::vector<NumberedPair> wanted(const std::vector<NumberedPair>& pairs, const PairCondition& condition);

/// The pairs from find_pairs, in its order. Fails the test on an error.
std::vector<NumberedPair> pairs_of(const ListSource& source, const PairsRequest& request);

}  // namespace akin::test
