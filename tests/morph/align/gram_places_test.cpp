#include "morph/align/gram_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/hash.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {
namespace {

using Places = std::vector<std::uint32_t>;

Places places_in(const GramPlaces& grams, const NumberedWords& words, std::uint64_t hash) {
  Places places;
  grams.for_each(words, hash, [&](std::uint32_t place) {
    places.push_back(place);
    return true;
  });
  return places;
}

TEST(GramPlaces, AreAllThatATextHas) {
  std::mt19937 random(1);
  for (const std::uint64_t shape : {std::uint64_t{0b101011}, shape_in_a_row(5), std::uint64_t{1}}) {
    for (const std::size_t size : {0U, 3U, 6U, 7U, 100U, 65'534U, 65'541U, 200'000U}) {
      std::vector<std::uint64_t> classes(size / 20 + 3);
      for (std::uint64_t& one : classes) one = mix64(random());
      std::vector<std::uint32_t> numbers(size);
      for (std::uint32_t& one : numbers) one = static_cast<std::uint32_t>(random() % classes.size());
      const NumberedWords words(classes, numbers);
      const GramPlaces grams(words, shape);
      std::map<std::uint64_t, Places> slow;
      const auto length = static_cast<std::size_t>(std::bit_width(shape));
      for (std::size_t at = 0; at + length <= size; ++at) {
        const auto unit = [&](std::size_t back) { return words[at + length - 1 - back]; };
        slow[sum_of_shape(shape, false, unit)].push_back(static_cast<std::uint32_t>(at));
      }
      for (const auto& [hash, places] : slow) ASSERT_EQ(places_in(grams, words, hash), places) << size;
      for (int other = 0; other < 100; ++other)
        EXPECT_THAT(places_in(grams, words, mix64(random())), testing::IsEmpty());
    }
  }
}

TEST(GramPlaces, AreVisitedUntilOneIsEnough) {
  const std::vector<std::uint64_t> classes{mix64(1)};
  const std::vector<std::uint32_t> numbers(100, 0);
  const NumberedWords words(classes, numbers);
  const GramPlaces grams(words, shape_in_a_row(1));
  const std::uint64_t hash = sum_of_shape(1, false, [&](std::size_t) { return classes[0]; });
  Places seen;
  EXPECT_FALSE(grams.for_each(words, hash, [&](std::uint32_t place) {
    seen.push_back(place);
    return place < 2;
  }));
  EXPECT_THAT(seen, testing::ElementsAre(0, 1, 2));
}

}  // namespace
}  // namespace akin
