// Agreement of experts, against published examples.
#include "lab/evaluate/agreement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace akin::evaluate {
namespace {

using tables::Labels;
using testing::IsEmpty;
using testing::SizeIs;

std::pair<std::string, std::string> pair_number(int number) { return {"a" + std::to_string(number), "b"}; }

/// `counts`: how many pairs both call a duplicate, only the first, only the second, neither.
std::vector<Expert> two_experts(const std::vector<int>& counts) {
  std::vector<Expert> experts = {{"first", {}}, {"second", {}}};
  int number = 0;
  for (std::size_t kind = 0; kind < 4; ++kind) {
    for (int i = 0; i < counts[kind]; ++i, ++number) {
      experts[0].labels[pair_number(number)] = kind < 2 ? "yes" : "no";
      experts[1].labels[pair_number(number)] = kind % 2 == 0 ? "yes" : "no";
    }
  }
  return experts;
}

TEST(Agreement, KappaOfTwoIsCohens) {
  // Both yes 20, only one 5 and 10, both no 15: observed .70, by chance .50.
  const auto experts = two_experts({20, 5, 10, 15});
  const auto pairs = pooled(experts);
  const Agreement agreement = agreement_of(experts, pairs);
  ASSERT_THAT(agreement.two, SizeIs(1));
  EXPECT_EQ(agreement.two[0].pairs, 50U);
  EXPECT_EQ(agreement.two[0].agreed, 35U);
  EXPECT_NEAR(*agreement.two[0].kappa, 0.4, 1e-12);
}

TEST(Agreement, KappaOfManyIsFleiss) {
  // Three experts, four pairs, so many say yes: 3, 2, 1, 0. Of pairs of experts agree 1, 1/3, 1/3, 1, which
  // is 2/3 on average; half of all labels are yes, so chance gives 1/2.
  std::vector<Expert> experts = {{"x", {}}, {"y", {}}, {"z", {}}};
  for (int number = 0; number < 4; ++number) {
    for (int expert = 0; expert < 3; ++expert)
      experts[static_cast<std::size_t>(expert)].labels[pair_number(number)] = expert < 3 - number ? "1" : "0";
  }
  experts[0].labels[pair_number(9)] = "yes";  // alone, so not counted
  const auto pairs = pooled(experts);
  EXPECT_THAT(pairs, SizeIs(5));
  const Agreement agreement = agreement_of(experts, pairs);
  EXPECT_EQ(agreement.of_all, 4U);
  EXPECT_NEAR(*agreement.kappa, 1.0 / 3, 1e-12);
  EXPECT_THAT(agreement.two, SizeIs(3));
}

TEST(Agreement, GradesHaveAnOrder) {
  const std::vector<Expert> experts = {
      {"x", {{{"a", "b"}, "1"}, {{"a", "c"}, "2"}, {{"a", "d"}, "3"}}},
      {"y", {{{"a", "b"}, "0.1"}, {{"a", "c"}, "0.5"}, {{"a", "d"}, "0.9"}, {{"a", "e"}, "keep a"}}}};
  const auto pairs = pooled(experts);
  const Agreement agreement = agreement_of(experts, pairs);
  EXPECT_EQ(agreement.two[0].pairs, 3U);
  EXPECT_DOUBLE_EQ(*agreement.two[0].tau_b, 1.0);
  EXPECT_FALSE(agreement.two[0].kappa) << "both call every pair a duplicate: chance explains it";
  EXPECT_EQ(pairs[3].yes(), 1U);
}

TEST(Agreement, NothingInCommonHasNoValue) {
  const std::vector<Expert> experts = {{"x", {{{"a", "b"}, "yes"}}}, {"y", {{{"a", "c"}, "-"}}}};
  const auto pairs = pooled(experts);
  EXPECT_THAT(pairs, SizeIs(1)) << "'-' is no label";
  const Agreement agreement = agreement_of(experts, pairs);
  EXPECT_FALSE(agreement.two[0].kappa || agreement.two[0].tau_b || agreement.kappa);
}

}  // namespace
}  // namespace akin::evaluate
