#include "tests/index/pairs/made_lists.h"

#include <gtest/gtest.h>

#include <map>
#include <ostream>

#include "tests/support/temporary_folder.h"

namespace akin::test {

namespace {

class MadeStream final : public ListStream {
 public:
  explicit MadeStream(const MadeLists& lists) : lists_(lists) {}
  Result<bool> next() override {
    if (lists_.fails_at == behind_) return Error{Errc::corrupt, "list", "damaged", ""};
    return behind_++ < lists_.content.size();
  }
  Feature feature() const noexcept override { return list().feature; }
  std::span<const DocNumber> documents() const noexcept override { return list().documents; }
  std::span<const std::uint32_t> counts() const noexcept override { return list().counts; }

 private:
  const MadeLists::List& list() const { return lists_.content[behind_ - 1]; }
  const MadeLists& lists_;
  std::size_t behind_ = 0;
};

}  // namespace

MadeLists::MadeLists(const std::vector<Values>& documents) : limit_(documents.size()) {
  std::map<std::uint64_t, std::map<std::uint32_t, std::uint32_t>> lists;
  for (std::uint32_t number = 0; number < documents.size(); ++number) {
    for (const std::uint64_t value : documents[number]) ++lists[value][number];
  }
  for (const auto& [value, postings] : lists) {
    List& list = content.emplace_back();
    list.feature = Feature{value};
    for (const auto& [number, count] : postings) {
      list.documents.push_back(DocNumber{number});
      list.counts.push_back(count);
    }
  }
}

Result<std::unique_ptr<ListStream>> MadeLists::lists() const {
  ++passes;
  return std::unique_ptr<ListStream>(std::make_unique<MadeStream>(*this));
}

void PrintTo(const NumberedPair& pair, std::ostream* out) {
  *out << pair.a << "+" << pair.b << ":" << pair.x << " of " << pair.a_features << ", " << pair.b_features;
}

std::vector<NumberedPair> naive_pairs(const std::vector<Values>& documents) {
  std::vector<NumberedPair> pairs;
  for (std::uint32_t a = 0; a < documents.size(); ++a) {
    for (std::uint32_t b = a + 1; b < documents.size(); ++b) {
      const std::uint64_t x = naive_x(documents[a], documents[b]);
      if (x > 0) pairs.push_back({a, b, x, documents[a].size(), documents[b].size()});
    }
  }
  return pairs;
}

std::vector<NumberedPair> wanted(const std::vector<NumberedPair>& pairs, const PairCondition& condition) {
  std::vector<NumberedPair> result;
  for (const NumberedPair& pair : pairs) {
    const auto x = static_cast<double>(pair.x);
    const auto a = static_cast<double>(pair.a_features);
    const auto b = static_cast<double>(pair.b_features);
    if (pair.x > condition.bound &&
        (x / a >= condition.min_containment || x / b >= condition.min_containment) &&
        x / (a + b - x) >= condition.min_resemblance) {
      result.push_back(pair);
    }
  }
  return result;
}

std::vector<NumberedPair> pairs_of(const ListSource& source, const PairsRequest& request) {
  std::vector<NumberedPair> pairs;
  const auto visit = [&](DocNumber a, DocNumber b, const Overlap& overlap) -> Result<void> {
    pairs.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), overlap.x,
                     overlap.a_features, overlap.b_features});
    return {};
  };
  const PairsSummary summary = must(find_pairs(source, request, visit));
  EXPECT_TRUE(summary.complete);
  EXPECT_EQ(summary.pairs, pairs.size());
  return pairs;
}

}  // namespace akin::test
