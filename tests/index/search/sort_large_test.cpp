#include "index/search/sort_large.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace akin {
namespace {

using ::testing::ElementsAre;

TEST(StableSortLarge, KeepsTheOrderOfEquals) {
  struct MovedOnly {
    std::unique_ptr<std::string> text;
  };
  std::vector<MovedOnly> words;
  for (const char* const word : {"four", "a", "five", "bb", "b", "aa"})
    words.push_back({std::make_unique<std::string>(word)});
  stable_sort_large(words, [](const MovedOnly& left, const MovedOnly& right) {
    return left.text->size() < right.text->size();
  });
  std::vector<std::string> sorted;
  for (const MovedOnly& one : words) sorted.push_back(*one.text);
  EXPECT_THAT(sorted, ElementsAre("a", "b", "bb", "aa", "four", "five"));
}

}  // namespace
}  // namespace akin
