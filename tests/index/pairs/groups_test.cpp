#include "index/pairs/groups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<DocNumber> numbers(std::initializer_list<std::uint32_t> values) {
  std::vector<DocNumber> result;
  for (const std::uint32_t value : values) result.push_back(DocNumber{value});
  return result;
}

TEST(DocumentGroupsOf, LoneDocumentsAreNoGroup) {
  EXPECT_THAT(DocumentGroups(3).arranged(numbers({0, 1, 2})), IsEmpty());
}

TEST(DocumentGroupsOf, ChainsHangTogether) {
  DocumentGroups groups(6);
  groups.join(DocNumber{4}, DocNumber{2});
  groups.join(DocNumber{0}, DocNumber{5});
  groups.join(DocNumber{2}, DocNumber{5});
  groups.join(DocNumber{5}, DocNumber{4});
  EXPECT_THAT(groups.arranged(numbers({0, 1, 2, 3, 4, 5})), ElementsAre(numbers({0, 2, 4, 5})));
}

TEST(DocumentGroupsOf, LargestComeFirstThenByFirstDocumentInTheGivenOrder) {
  DocumentGroups groups(7);
  groups.join(DocNumber{0}, DocNumber{1});
  groups.join(DocNumber{2}, DocNumber{3});
  groups.join(DocNumber{4}, DocNumber{5});
  groups.join(DocNumber{4}, DocNumber{6});
  EXPECT_THAT(groups.arranged(numbers({3, 1, 5, 0, 2, 6, 4})),
              ElementsAre(numbers({5, 6, 4}), numbers({3, 2}), numbers({1, 0})));
}

}  // namespace
}  // namespace akin::test
