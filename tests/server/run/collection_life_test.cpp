// What a collection leaves behind when it goes, and what the next one of its name finds.
#include "server/run/collection_life.h"

#include <gmock/gmock.h>

#include "server/run/expiry.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using state::Table;

class CollectionLife : public ServiceTest {
 protected:
  CollectionLife() {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/gate", kJson, "{}");
    EXPECT_TRUE(service_.state->put(Table::labels, "books", "labels").has_value());
  }

  /// As a server does that dies between the two halves of a removal.
  void drop_and_die() const {
    EXPECT_TRUE(service_.state->put(Table::removals, "books", "begun").has_value());
    EXPECT_TRUE(service_.catalog->drop("books").has_value());
  }
  [[nodiscard]] bool has_labels() const {
    return service_.state->get(Table::labels, "books").value().has_value();
  }
  [[nodiscard]] bool is_noted() const {
    return service_.state->get(Table::removals, "books").value().has_value();
  }
};

TEST_F(CollectionLife, NewOneInheritsNothingOfOneWhoseRemovalWasInterrupted) {
  drop_and_die();
  expect(201, "PUT", "/v1/collections/books");
  expect(404, "GET", "/v1/collections/books/gate");
  EXPECT_FALSE(has_labels());
  EXPECT_FALSE(is_noted());
}

TEST_F(CollectionLife, RemovalThatWasInterruptedIsFinished) {
  drop_and_die();
  api::Expiry::sweep(service_);
  EXPECT_FALSE(has_labels());
  EXPECT_FALSE(is_noted());
}

TEST_F(CollectionLife, RemovalThatIsRepeatedIsFinished) {
  drop_and_die();
  expect(404, "DELETE", "/v1/collections/books");
  EXPECT_FALSE(has_labels());
}

TEST_F(CollectionLife, OneThatWasNotRemovedKeepsWhatItHas) {
  EXPECT_TRUE(service_.state->put(Table::removals, "books", "begun").has_value());
  api::Expiry::sweep(service_);
  EXPECT_TRUE(has_labels());
  EXPECT_FALSE(is_noted());
  expect(200, "PUT", "/v1/collections/books");
  expect(200, "GET", "/v1/collections/books/gate");
}

TEST_F(CollectionLife, RemovalTakesEverythingAlong) {
  expect(200, "DELETE", "/v1/collections/books");
  EXPECT_FALSE(has_labels());
  EXPECT_FALSE(is_noted());
}

TEST_F(CollectionLife, IsNotShortenedByAClockThatJumped) {
  // The time that was lived through, a year behind the clock.
  const auto year = std::chrono::microseconds(std::chrono::days(365));
  const std::string lived = std::to_string((time_now() - year).time_since_epoch().count());
  ASSERT_TRUE(service_.state->put(Table::clock, "lived", lived + " 0 another-start").has_value());
  ASSERT_TRUE(service_.catalog->set_expiry("books", time_now() - std::chrono::hours(1)).has_value());
  std::vector<std::string> warnings;
  api::Expiry::sweep(service_,
                     {.inform = {}, .warn = [&](std::string_view line) { warnings.emplace_back(line); }});
  EXPECT_THAT(warnings, testing::ElementsAre(testing::HasSubstr("the clock is 8760 hours ahead")));
  // Set right again.
  ASSERT_TRUE(service_.state->erase(Table::clock, "lived").has_value());
  EXPECT_TRUE(has_labels());
  expect(404, "GET", "/v1/collections/books");
  api::Expiry::sweep(service_);
  EXPECT_FALSE(has_labels());
}

}  // namespace
}  // namespace akin::test
