#include "server/api/write/passage_columns.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace akin::api {
namespace {

constexpr int kSources = 50, kPassages = 200, kLetters = 6'500'000;

class Made {
 public:
  /// The passages of a source with a novel's length, in the order of the text, with a change in each.
  Json passages(bool with_all = false) {
    std::vector<int> begins(kPassages);
    for (int& begin : begins) begin = any(0, kLetters);
    std::ranges::sort(begins);
    Json passages = Json::array();
    for (const int a : begins) {
      const int b = any(0, 100'000), size = any(140, 180), at = any(10, 90);
      Json passage{{"a", {a, a + size}}, {"b", {b, b + size + 2}}, {"words", any(12, 30)}};
      passage["change_places"] = {{"kinds", {any(0, 6)}}, {"a", {at, any(0, 9)}}, {"b", {at, any(0, 9)}}};
      passage["quoted"] = passage["referenced"] = false;
      if (with_all) add_the_rest(passage);
      passages.push_back(std::move(passage));
    }
    return passages;
  }

 private:
  int any(int least, int most) { return std::uniform_int_distribution(least, most)(chance_); }

  void add_the_rest(Json& passage) {
    const int a = passage["a"][0].get<int>(), page = a / 2000 + 1;
    passage["quoted"] = any(0, 1) == 1;
    passage["referenced"] = any(0, 1) == 1;
    if (any(0, 3) > 0) passage["a_pages"] = {page, page + any(0, 1)};
    if (any(0, 3) > 0) passage["b_part"] = "chapter " + std::to_string(any(1, 5));
    if (any(0, 3) == 0) passage.erase("change_places");
    if (any(0, 3) == 0) passage["gaps"] = {{a + 20, a + 40}, {a + 60, a + 61}};
  }

  std::mt19937 chance_{46};
};

Json next_range(const Json& column, std::size_t range, std::int64_t& end) {
  const std::int64_t begin = end + column[2 * range].get<std::int64_t>();
  end = begin + column[2 * range + 1].get<std::int64_t>();
  return {begin, end};
}

/// The passages that columns stand for.
Json decoded(const Json& columns) {
  Json passages = Json::array();
  std::int64_t a = 0, b = 0, pages = 0;
  std::size_t change = 0, gap = 0;
  for (std::size_t at = 0; at < columns["words"].size(); ++at) {
    Json passage;
    passage["a"] = next_range(columns["a"], at, a);
    passage["b"] = next_range(columns["b"], at, b);
    passage["words"] = columns["words"][at];
    for (const char* use : {"quoted", "referenced"})
      passage[use] = std::ranges::find(columns[use], Json(at)) != columns[use].end();
    if (columns.contains("a_pages")) {
      const Json range = next_range(columns["a_pages"], at, pages);
      if (range[0] != 0) passage["a_pages"] = range;
    }
    if (columns.contains("b_part")) {
      if (const int part = columns["b_part"]["of"][at].get<int>(); part >= 0)
        passage["b_part"] = columns["b_part"]["names"][static_cast<std::size_t>(part)];
    }
    const Json& changes = columns["change_places"];
    if (const auto count = changes["counts"][at].get<std::size_t>(); count > 0) {
      EXPECT_EQ(count, 1);
      for (const char* side : {"a", "b"})
        passage["change_places"][side] = {changes[side][2 * change], changes[side][2 * change + 1]};
      passage["change_places"]["kinds"] = {changes["kinds"][change++]};
    }
    if (columns.contains("gaps")) {
      auto end = passage["a"][0].get<std::int64_t>();
      for (auto left = columns["gaps"]["counts"][at].get<std::size_t>(); left > 0; --left)
        passage["gaps"].push_back(next_range(columns["gaps"]["a"], gap++, end));
    }
    passages.push_back(std::move(passage));
  }
  return passages;
}

/// Without an order of the fields.
nlohmann::json sorted(const Json& object) { return nlohmann::json::parse(object.dump()); }

TEST(PassageColumns, StandForThePassages) {
  Made made;
  for (const bool with_all : {false, true}) {
    const Json passages = made.passages(with_all);
    const Json columns = passage_columns(passages);
    EXPECT_EQ(sorted(decoded(columns)), sorted(passages));
    EXPECT_EQ(columns.contains("gaps"), with_all);
  }
}

TEST(PassageColumns, AreNoneOfNoPassages) {
  const Json none = Json::array();
  EXPECT_EQ(passage_columns(none), (Json{{"a", none}, {"b", none}, {"quoted", none}, {"referenced", none}}));
}

TEST(PassageColumns, OfTenThousandPassagesTakeAQuarterOfAMegabyteAndSoDoTheirChanges) {
  Made made;
  std::size_t passages = 0, changes = 0;
  for (int source = 0; source < kSources; ++source) {
    Json columns = passage_columns(made.passages());
    changes += columns["change_places"].dump().size();
    columns.erase("change_places");
    passages += columns.dump().size();
  }
  EXPECT_LT(passages, 250'000);
  EXPECT_LT(changes, 250'000);
}

}  // namespace
}  // namespace akin::api
