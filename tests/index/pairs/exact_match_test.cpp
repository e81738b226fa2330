#include "index/pairs/exact_match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Groups = std::vector<std::vector<std::string>>;

class ExactMatch : public CatalogTest {
 protected:
  Groups groups(double low, double high) {
    Groups found;
    const auto visit = [&](const std::vector<std::string>& ids) -> Result<void> {
      found.push_back(ids);
      return {};
    };
    const auto snapshot = must(books_->snapshot());
    summary_ =
        must(exact_match_groups(*snapshot, *plain_, {.low = low, .high = high, .progress = nullptr}, visit));
    return found;
  }

  std::shared_ptr<Collection> books_ = must(catalog_->create("books", ""));
  ExactMatchSummary summary_;
};

TEST_F(ExactMatch, GroupsDocumentsWithOneSetOfMiddleWords) {
  // "the" is everywhere, "fox" and "dog" in some documents, the rest in one.
  put(*books_, "a", "the fox saw alpha");
  put(*books_, "b", "The fox! The beta fox.");
  put(*books_, "c", "the dog gamma");
  put(*books_, "d", "the dog delta");
  put(*books_, "e", "the epsilon");
  put(*books_, "f", "the dog fox zeta");
  EXPECT_THAT(groups(0.1, 0.9), ElementsAre(ElementsAre("a", "b"), ElementsAre("c", "d")));
  EXPECT_EQ(summary_.groups, 2U);
  EXPECT_EQ(summary_.documents, 4U);
  EXPECT_EQ(summary_.words, 2U);
  EXPECT_EQ(summary_.without_signature, 1U);
  EXPECT_THAT(groups(0, 1), IsEmpty());
  EXPECT_THAT(groups(0, 0), ElementsAre(ElementsAre("a", "b", "c", "d", "e", "f")));
}

TEST_F(ExactMatch, AnEmptyCollectionHasNoGroups) {
  EXPECT_THAT(groups(0, 1), IsEmpty());
  put(*books_, "a", "One.");
  EXPECT_THAT(groups(0, 1), IsEmpty());
  EXPECT_EQ(summary_.without_signature, 1U);
}

/// Sets of words as strings, straight from the definition.
TEST_F(ExactMatch, AgreesWithTheDefinitionOnRandomCollections) {
  std::mt19937 random(3);
  std::map<std::string, std::set<std::string>> words;
  for (int document = 0; document < 300; ++document) {
    std::string text;
    const std::string id = "d" + std::to_string(document);
    for (int i = 0; i < 6; ++i) {
      const std::string word = "w" + std::to_string((random() % 40) * (random() % 3));
      words[id].insert(word);
      text += word + " ";
    }
    put(*books_, id, text);
  }
  std::map<std::string, int> frequency;
  for (const auto& [id, set] : words) {
    for (const std::string& word : set) ++frequency[word];
  }
  for (const auto& [low, high] : {std::pair{0.2, 0.8}, {0.3, 0.6}, {0.0, 0.5}}) {
    std::map<std::set<std::string>, std::vector<std::string>> same;
    for (const auto& [id, set] : words) {
      std::set<std::string> middle;
      for (const std::string& word : set) {
        const double idf = std::log(300.0 / frequency[word]) / std::log(300.0);
        if (idf >= low && idf <= high) middle.insert(word);
      }
      if (!middle.empty()) same[middle].push_back(id);
    }
    Groups expected;
    for (const auto& [set, ids] : same) {
      if (ids.size() > 1) expected.push_back(ids);
    }
    std::ranges::sort(expected, [](const auto& left, const auto& right) {
      return left.size() != right.size() ? left.size() > right.size() : left.front() < right.front();
    });
    EXPECT_EQ(groups(low, high), expected);
    EXPECT_FALSE(expected.empty());
  }
}

TEST_F(ExactMatch, BadBandsAreRefused) {
  const auto snapshot = must(books_->snapshot());
  for (const auto& [low, high] : {std::pair{-0.1, 1.0}, {0.5, 0.4}, {0.0, 1.1}, {std::nan(""), 1.0}}) {
    const auto result =
        exact_match_groups(*snapshot, *plain_, {.low = low, .high = high, .progress = nullptr}, nullptr);
    ASSERT_TRUE(result.has_error());
    EXPECT_EQ(result.error().code, Errc::invalid_argument);
  }
}

}  // namespace
}  // namespace akin::test
