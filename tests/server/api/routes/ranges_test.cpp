// Whatever the texts: every number of an answer lies in its range and agrees with the others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

#include "base/utf8.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

constexpr const char* kMeasures[] = {"containment", "contained", "resemblance", "sorensen"};

/// A text from few sentences, so that texts share much, with repeats; sometimes empty.
std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> pool = {"Один два три. ", "Four five! ", "Sechs sieben. ",
                                                "Восемь.\n\n",    "Nine ten. ",  "Eleven — «». ",
                                                "😀 ёлка. ",       "… "};
  std::string text;
  for (auto count = random() % 12; count > 0; --count) text += pool[random() % pool.size()];
  return text;
}

void expect_measures(const api::Json& object, std::uint64_t x, std::uint64_t a, std::uint64_t b) {
  EXPECT_LE(x, std::min(a, b));
  for (const char* measure : kMeasures) {
    ASSERT_TRUE(object[measure].is_number_float()) << measure;
    EXPECT_GE(object[measure].get<double>(), 0.0) << measure;
    EXPECT_LE(object[measure].get<double>(), 1.0) << measure;
  }
  if (a > 0) {
    EXPECT_DOUBLE_EQ(object["containment"].get<double>(), static_cast<double>(x) / static_cast<double>(a));
  }
}

void expect_range(const api::Json& range, std::size_t code_points) {
  ASSERT_EQ(range.size(), 2U);
  EXPECT_LT(range[0].get<std::size_t>(), range[1].get<std::size_t>());
  EXPECT_LE(range[1].get<std::size_t>(), code_points);
}

void expect_passages(const api::Json& passages, std::uint64_t x, std::size_t a_points, std::size_t b_points) {
  std::uint64_t features = 0;
  for (const auto& passage : passages) {
    expect_range(passage["a"], a_points);
    expect_range(passage["b"], b_points);
    features += passage["features"].get<std::uint64_t>();
  }
  EXPECT_EQ(features, x);
}

class Ranges : public ServiceTest {};

TEST_F(Ranges, HoldInEveryComparison) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    const std::string a = random_text(random);
    const std::string b = round % 10 == 0 ? a : random_text(random);
    const auto answer =
        expect(200, "POST", "/v1/compare?include=features", kJson, api::Json{{"a", a}, {"b", b}}.dump());
    const auto x = answer["x"].get<std::uint64_t>();
    const auto a_features = answer["a"]["features"].get<std::uint64_t>();
    expect_measures(answer, x, a_features, answer["b"]["features"].get<std::uint64_t>());
    expect_passages(answer["passages"], x, count_code_points(a), count_code_points(b));
    if (a == b && a_features > 0) {
      for (const char* measure : kMeasures) EXPECT_EQ(answer[measure], 1.0) << a;
    }
  }
}

TEST_F(Ranges, HoldInEverySearch) {
  std::mt19937 random(11);
  expect(201, "PUT", "/v1/collections/c");
  std::vector<std::string> stored;
  for (int number = 0; number < 60; ++number) {
    stored.push_back(random_text(random));
    expect(201, "PUT", "/v1/collections/c/documents/" + std::to_string(number), kText, stored.back());
  }
  for (int round = 0; round < 60; ++round) {
    const std::string query = random_text(random);
    const auto bound = random() % 4;
    const auto answer = expect(
        200, "POST", "/v1/collections/c/similar?limit=1000&bound=" + std::to_string(bound), kText, query);
    EXPECT_EQ(answer["total"], answer["results"].size());
    std::uint64_t former = ~std::uint64_t{0};
    for (const auto& hit : answer["results"]) {
      const auto x = hit["x"].get<std::uint64_t>();
      EXPECT_GT(x, bound);
      EXPECT_LE(x, former);
      former = x;
      expect_measures(hit, x, answer["query"]["features"].get<std::uint64_t>(),
                      hit["features"].get<std::uint64_t>());
      const std::string& text = stored[std::stoul(hit["id"].get<std::string>())];
      expect_passages(hit["passages"], x, count_code_points(query), count_code_points(text));
    }
  }
}

/// The search gives what comparing the query with each document gives.
TEST_F(Ranges, SearchAgreesWithComparison) {
  std::mt19937 random(13);
  expect(201, "PUT", "/v1/collections/c");
  std::vector<std::string> stored;
  for (int number = 0; number < 20; ++number) {
    stored.push_back(random_text(random));
    expect(201, "PUT", "/v1/collections/c/documents/" + std::to_string(number), kText, stored.back());
  }
  for (int round = 0; round < 20; ++round) {
    const std::string query = random_text(random);
    const auto answer = expect(200, "POST", "/v1/collections/c/similar?limit=1000&bound=0", kText, query);
    std::size_t found = 0;
    for (std::size_t number = 0; number < stored.size(); ++number) {
      const auto compared = expect(200, "POST", "/v1/compare?include=features", kJson,
                                   api::Json{{"a", query}, {"b", stored[number]}}.dump());
      if (compared["x"] == 0) continue;
      ++found;
      for (const auto& hit : answer["results"]) {
        if (hit["id"] != std::to_string(number)) continue;
        EXPECT_EQ(hit["x"], compared["x"]);
        EXPECT_EQ(hit["passages"], compared["passages"]);
        for (const char* measure : kMeasures) EXPECT_EQ(hit[measure], compared[measure]);
      }
    }
    EXPECT_EQ(answer["total"], found);
  }
}

}  // namespace
}  // namespace akin::test
