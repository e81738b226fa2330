// The list of a hundred thousand checks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <ctime>
#include <string>

#include "server/check/check_record.h"
#include "tests/server/api/service_fixture.h"

namespace akin::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kChecks = 100'000;

/// Of processor time, whatever else the machine does.
double seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

class DeskQueueTest : public ServiceTest {
 protected:
  void SetUp() override {
    expect(201, "PUT", "/v1/collections/books");
    expect(201, "PUT", "/v1/collections/books/documents/first", kText, sentences(0, 40));
    check_ = expect(201, "POST", "/v1/checks?collections=books", kText, sentences(5, 10));
  }

  json::Json check_;
};

TEST_F(DeskQueueTest, OpensWithinHalfASecondWhateverIsLookedFor) {
  // One check, made by the server, stored under so many ids: with titles that count, the oldest refused.
  const std::string record = check::encode_check(check_).value();
  const std::string object = record.substr(record.find('\n'));
  json::Json summary = check::summary_of(check_);
  const auto written = service_.state->write([&](state::Writer& writer) -> Result<void> {
    for (std::size_t i = 0; i < kChecks; ++i) {
      std::string number = std::to_string(i);
      number.insert(0, check::kCheckIdDigits - number.size(), '0');
      const std::string id = std::string(check::kCheckPrefix) + number;
      summary["id"] = id;
      summary["title"] = "Сочинение " + std::to_string(i);
      summary["verdict"] = i == 0 ? "refuse" : "review";
      summary["owner"] = i < 3 ? "Anna Berg" : "";
      summary["words"] = i;
      AKIN_CHECK(writer.put(state::Table::checks, id, summary.dump() + object));
    }
    return {};
  });
  ASSERT_TRUE(written.has_value());
  ASSERT_TRUE(service_.checks->erase(check_.at("id").get<std::string>()).has_value());
  for (const auto& [query, found] :
       {std::pair("", "Сочинение 99950"), std::pair("?verdict=refuse", "Сочинение 0"),
        std::pair("?q=%D0%A1%D0%9E%D0%A7%D0%98%D0%9D%D0%95%D0%9D%D0%98%D0%95+7", "Сочинение 79950"),
        std::pair("?q=nowhere", "No check matches"), std::pair("?state=accepted", "No check matches"),
        std::pair("?collection=books&since=2020-01-01", "Сочинение 99999"),
        std::pair("", "Checks: more than 1,000"), std::pair("?owner=Anna+Berg", "Checks: 3 (open 3)"),
        std::pair("?until=2020-01-01", "No check matches"),
        std::pair("?until=2999-01-01&least_words=99990", "Checks: 10 (open 10)")}) {
    const double begun = seconds();
    const std::string page = call("GET", "/desk/checks" + std::string(query)).body;
    const double took = seconds() - begun;
    EXPECT_THAT(page, HasSubstr(found)) << query;
    EXPECT_LE(took, .5) << query;
    RecordProperty("seconds of /desk/checks" + std::string(query), std::to_string(took));
  }
}

TEST_F(DeskQueueTest, FindsWhatIsEscapedInItsRecord) {
  const std::string id = check_.at("id").get<std::string>();
  check_["title"] = R"(Он сказал: "ДА\нет")";
  ASSERT_TRUE(service_.state->put(state::Table::checks, id, check::encode_check(check_).value()).has_value());
  EXPECT_THAT(call("GET", "/desk/checks?q=%22%D0%B4%D0%B0%5C").body, HasSubstr(id));
  EXPECT_THAT(call("GET", "/desk/checks?q=%22%D0%B4%D0%B0%D0%BD").body, Not(HasSubstr(id)));
}

}  // namespace
}  // namespace akin::test
