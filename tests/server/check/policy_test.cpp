#include "server/check/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/check/policies.h"
#include "server/json/strict_json.h"
#include "tests/server/api/service_fixture.h"

namespace akin::check {
namespace {

using ::testing::HasSubstr;

Result<Policy> parsed(std::string_view text) { return parse_policy(json::parse_json(text).value()); }

TEST(Policy, AbsentFieldsKeepTheirDefaults) {
  EXPECT_EQ(policy_object(parsed("{}").value()).dump(), policy_object(Policy()).dump());
}

TEST(Policy, ObjectReadsBackAsItIs) {
  const auto policy =
      parsed(
          R"({"bound":1,"review_share":0.1,"refuse_share":null,"exclude":{"quotations":true,"templates":[{"text":"A."},{"collection":"c","id":"x/y"}]}})")
          .value();
  EXPECT_EQ(policy.refuse_share, std::nullopt);
  EXPECT_EQ(policy.exclude.templates.size(), 2U);
  const std::string object = policy_object(policy).dump();
  EXPECT_EQ(policy_object(parsed(object).value()).dump(), object);
}

TEST(Policy, ThresholdsOfFilesAreSharesByKind) {
  const auto policy = parsed(R"({"review_disguise":{"hidden_text":0.5,"pages_without_text":null}})").value();
  EXPECT_EQ(policy.review_disguise,
            (ReviewDisguise{0.5, 0.05, 0.01, std::nullopt, std::nullopt, std::nullopt, std::nullopt, 0.15,
                            0.25, std::nullopt, std::nullopt, 0.25, std::nullopt, 0.25}));
  const std::string object = policy_object(policy).dump();
  EXPECT_EQ(policy_object(parsed(object).value()).dump(), object);
}

TEST(Policy, AlertThresholdsAreGivenByKind) {
  const auto policy = parsed(R"({"review_alerts":{"mixed_script":0.5,"zero_width":null}})").value();
  const auto of = [&](AlertKind kind) { return policy.review_alerts.at(static_cast<std::size_t>(kind)); };
  EXPECT_EQ(of(AlertKind::mixed_script), 0.5);
  EXPECT_EQ(of(AlertKind::zero_width), std::nullopt);
  EXPECT_EQ(of(AlertKind::digit_in_word), kDefaultReviewAlerts);
  const std::string object = policy_object(policy).dump();
  EXPECT_EQ(policy_object(parsed(object).value()).dump(), object);
}

struct Wrong {
  const char* policy;
  const char* named;
};
class WrongPolicy : public ::testing::TestWithParam<Wrong> {};

TEST_P(WrongPolicy, IsRefusedByName) {
  const auto policy = parsed(GetParam().policy);
  ASSERT_TRUE(policy.has_error());
  EXPECT_THAT(policy.error().message(), HasSubstr(GetParam().named));
  EXPECT_FALSE(policy.error().remedy.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Fields, WrongPolicy,
    ::testing::Values(
        Wrong{"[]", "policy"}, Wrong{R"({"bond":3})", "bond"}, Wrong{R"({"bound":-1})", "bound"},
        Wrong{R"({"review_share":1.1})", "review_share"}, Wrong{R"({"review_share":0.6})", "refuse_share"},
        Wrong{R"({"review_source_share":0.5,"refuse_source_share":0.4})", "refuse_source_share"},
        Wrong{R"({"review_alerts":5})", "review_alerts"},
        Wrong{R"({"review_alerts":{"zero_with":5}})", "zero_with"},
        Wrong{R"({"review_alerts":{"zero_width":-1}})", "review_alerts.zero_width"},
        Wrong{R"({"review_alerts":{"zero_width":1001}})", "review_alerts.zero_width"},
        Wrong{R"({"review_disguise":{"hidden":1}})", "hidden_text"},
        Wrong{R"({"review_disguise":{"hidden_text":1.1}})", "review_disguise.hidden_text"},
        Wrong{R"({"compare_hidden":1})", "compare_hidden"}, Wrong{R"({"max_sources":0})", "max_sources"},
        Wrong{R"({"filter":"author ="})", "filter"},
        Wrong{R"({"min_passage_features":0})", "min_passage_features"},
        Wrong{R"({"min_containment":null})", "min_containment"}, Wrong{R"({"exclude":true})", "exclude"},
        Wrong{R"({"exclude":{"quotes":true}})", "quotes"},
        Wrong{R"({"exclude":{"templates":{}}})", "templates"},
        Wrong{R"({"exclude":{"templates":[{"id":"a"}]}})", "templates"},
        Wrong{R"({"exclude":{"templates":[{"id":"a","collection":"c","text":"t"}]}})", "templates"},
        Wrong{R"({"exclude":{"templates":[{"id":"a","collection":"../c"}]}})", "../c"},
        Wrong{R"({"exclude":{"templates":[{"id":"a\u000fb","collection":"c"}]}})", "control character"},
        Wrong{R"({"exclude":{"templates":[{"id":"","collection":"c"}]}})", "exclude.templates: id"}));

class StoredPolicies : public ::testing::Test {
 protected:
  test::TemporaryFolder folder_;
  Policies policies_{state::State::open(folder_.path()).value()};
};

TEST_F(StoredPolicies, DefaultIsThereWithoutBeingStored) {
  EXPECT_EQ(policies_.get("default").value().bound, 3U);
  EXPECT_EQ(policies_.list().value().size(), 1U);
  EXPECT_FALSE(policies_.erase("default").value());
}

TEST_F(StoredPolicies, StoredDefaultTakesThePlaceOfTheBuiltIn) {
  EXPECT_TRUE(policies_.put("default", parsed(R"({"bound":7})").value()).value());
  EXPECT_EQ(policies_.get("default").value().bound, 7U);
  EXPECT_EQ(policies_.list().value().size(), 1U);
  EXPECT_TRUE(policies_.erase("default").value());
  EXPECT_EQ(policies_.get("default").value().bound, 3U);
}

TEST_F(StoredPolicies, AreListedByName) {
  for (const char* name : {"z", "a"}) EXPECT_TRUE(policies_.put(name, Policy()).value());
  EXPECT_FALSE(policies_.put("a", Policy()).value());
  std::vector<std::string> names;
  for (const auto& [name, policy] : policies_.list().value()) names.push_back(name);
  EXPECT_THAT(names, ::testing::ElementsAre("a", "default", "z"));
}

TEST_F(StoredPolicies, NameMustBeOne) {
  EXPECT_EQ(policies_.put("a/b", Policy()).error().code, Errc::invalid_argument);
  EXPECT_EQ(policies_.get("missing").error().code, Errc::not_found);
}

}  // namespace
}  // namespace akin::check
