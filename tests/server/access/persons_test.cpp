// Persons, their secrets and their sessions.
#include "server/access/persons.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "server/access/access.h"
#include "server/access/sessions.h"
#include "tests/support/temporary_folder.h"

namespace akin::access {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

PersonSpec named(std::string name, std::vector<Role> roles, std::vector<std::string> collections = {},
                 bool disabled = false) {
  return {std::move(name), std::move(roles), std::move(collections), disabled};
}

class PersonsTest : public testing::Test {
 protected:
  std::string add(const std::string& id, std::vector<Role> roles, std::vector<std::string> collections = {}) {
    EXPECT_TRUE(persons_.put(id, named("N. " + id, std::move(roles), std::move(collections))).has_value());
    return persons_.renew_secret(id, access_.keys())->token;
  }
  /// The code of the refusal, or `internal` if there is none.
  Errc refusal(const std::string& secret, Scope scope) {
    const Decision decision = access_.decide("Bearer " + secret, scope);
    return decision.refusal ? decision.refusal->code : Errc::internal;
  }

  const test::TemporaryFolder folder_;
  const std::shared_ptr<state::State> state_ = state::State::open(folder_.path()).value();
  Persons persons_{state_};
  Access access_{state_, true, {}};
};

struct RoleRow {
  Role role;
  std::vector<Scope> allowed, refused;
};

TEST_F(PersonsTest, ARoleAllowsWhatItsScopeDoes) {
  const std::vector<RoleRow> rows = {
      {Role::author, {Scope::check}, {Scope::read, Scope::review, Scope::decide, Scope::admin}},
      {Role::reader, {Scope::check, Scope::read, Scope::review}, {Scope::decide, Scope::write, Scope::admin}},
      {Role::decider,
       {Scope::check, Scope::read, Scope::review, Scope::decide},
       {Scope::write, Scope::admin}},
      {Role::administrator, {Scope::check, Scope::write, Scope::decide, Scope::admin}, {}}};
  for (const RoleRow& row : rows) {
    SCOPED_TRACE(role_name(row.role));
    const std::string secret = add("anna", {row.role});
    for (const Scope scope : row.allowed) EXPECT_EQ(refusal(secret, scope), Errc::internal);
    for (const Scope scope : row.refused) EXPECT_EQ(refusal(secret, scope), Errc::forbidden);
  }
}

TEST_F(PersonsTest, AChangeTakesEffectWithTheNextRequest) {
  const std::string secret = add("anna", {Role::reader});
  EXPECT_EQ(refusal(secret, Scope::decide), Errc::forbidden);
  ASSERT_FALSE(persons_.put("anna", named("Anna", {Role::decider}, {"theses"})).value());
  const Decision decision = access_.decide("Bearer " + secret, Scope::decide);
  ASSERT_NE(decision.grant, nullptr);
  EXPECT_FALSE(decision.grant->key().allows_collection("books"));
  EXPECT_EQ(decision.grant->key().spec.label, "Anna");
  EXPECT_EQ(decision.grant->key().holder(), "person:anna");
}

TEST_F(PersonsTest, ADisabledOrRemovedPersonIsRefused) {
  const std::string secret = add("anna", {Role::reader});
  ASSERT_TRUE(persons_.put("anna", named("Anna", {Role::reader}, {}, true)).has_value());
  EXPECT_EQ(refusal(secret, Scope::check), Errc::unauthenticated);
  ASSERT_TRUE(persons_.put("anna", named("Anna", {Role::reader})).has_value());
  EXPECT_EQ(refusal(secret, Scope::check), Errc::internal);
  ASSERT_TRUE(persons_.erase("anna", access_.keys()).has_value());
  EXPECT_EQ(refusal(secret, Scope::check), Errc::unauthenticated);
  EXPECT_TRUE(access_.keys().list()->empty());
}

TEST_F(PersonsTest, ANewSecretTakesThePlaceOfTheFormer) {
  const std::string former = add("anna", {Role::reader});
  const std::string other = add("boris", {Role::reader});
  const std::string secret = persons_.renew_secret("anna", access_.keys())->token;
  EXPECT_EQ(refusal(former, Scope::check), Errc::unauthenticated);
  EXPECT_EQ(refusal(secret, Scope::check), Errc::internal);
  EXPECT_EQ(refusal(other, Scope::check), Errc::internal);
}

TEST_F(PersonsTest, MalformedOnesAreRefused) {
  EXPECT_EQ(persons_.put("Anna", named("A", {Role::reader})).error().code, Errc::invalid_argument);
  EXPECT_EQ(persons_.put(std::string(65, 'a'), named("A", {Role::reader})).error().code,
            Errc::invalid_argument);
  EXPECT_EQ(persons_.put("anna", named("", {Role::reader})).error().code, Errc::invalid_argument);
  EXPECT_EQ(persons_.put("anna", named("A", {})).error().code, Errc::invalid_argument);
  EXPECT_EQ(persons_.find("").error().code, Errc::not_found);
  EXPECT_EQ(persons_.renew_secret("anna", access_.keys()).error().code, Errc::not_found);
}

class SessionsTest : public PersonsTest {
 protected:
  Sessions sessions_{state_};
  const Time now_ = time_now();
};

TEST_F(SessionsTest, ASessionEndsWhenNothingIsAskedForAnHour) {
  const std::string token = sessions_.begin("key", now_).value();
  EXPECT_EQ(sessions_.key_of(token, now_ + minutes(59)).value(), "key");
  EXPECT_EQ(sessions_.key_of(token, now_ + minutes(118)).value(), "key");
  EXPECT_EQ(sessions_.key_of(token, now_ + minutes(179)).value(), std::nullopt);
}

TEST_F(SessionsTest, ASessionEndsAfterTwelveHours) {
  const std::string token = sessions_.begin("key", now_).value();
  for (minutes at(0); at < hours(12); at += minutes(30))
    EXPECT_EQ(sessions_.key_of(token, now_ + at).value(), "key");
  EXPECT_EQ(sessions_.key_of(token, now_ + hours(12)).value(), std::nullopt);
}

TEST_F(SessionsTest, EndedOnesAreRemovedWhenAnotherBegins) {
  ASSERT_TRUE(sessions_.begin("key", now_).has_value());
  ASSERT_TRUE(sessions_.begin("key", now_ + hours(2)).has_value());
  EXPECT_EQ(state_->count(state::Table::sessions).value(), 1U);
}

TEST_F(SessionsTest, ATokenIsNotStored) {
  const std::string token = sessions_.begin("key", now_).value();
  const auto stored = state_->list(state::Table::sessions, "", "", 10).value();
  ASSERT_EQ(stored.size(), 1U);
  EXPECT_EQ((stored[0].key + stored[0].value).find(token), std::string::npos);
  EXPECT_EQ(sessions_.key_of("", now_).value(), std::nullopt);
}

TEST_F(SessionsTest, AnInvitationBeginsOneSession) {
  const std::string invitation = sessions_.invite("key", now_).value();
  EXPECT_EQ(sessions_.key_of(invitation, now_).value(), std::nullopt);
  const auto token = sessions_.take(invitation, now_ + minutes(9)).value();
  ASSERT_TRUE(token.has_value());
  EXPECT_EQ(sessions_.key_of(*token, now_ + minutes(9)).value(), "key");
  EXPECT_EQ(sessions_.take(invitation, now_ + minutes(9)).value(), std::nullopt);
  EXPECT_EQ(sessions_.take(*token, now_).value(), std::nullopt);
}

TEST_F(SessionsTest, AnInvitationEndsAfterTenMinutes) {
  const std::string invitation = sessions_.invite("key", now_).value();
  EXPECT_EQ(sessions_.take(invitation, now_ + minutes(10)).value(), std::nullopt);
  ASSERT_TRUE(sessions_.begin("key", now_ + minutes(10)).has_value());
  EXPECT_EQ(state_->count(state::Table::sessions).value(), 1U);
}

TEST_F(PersonsTest, WhoSignsOnElsewhereHasTheRolesOfThePerson) {
  add("anna@lib.example", {Role::reader}, {"theses"});
  const Decision decision = access_.decide_for_person("Anna@lib.example", Scope::review, "");
  ASSERT_NE(decision.grant, nullptr);
  EXPECT_EQ(decision.grant->key().holder(), "person:anna@lib.example");
  EXPECT_FALSE(decision.grant->key().allows_collection("other"));
  EXPECT_EQ(access_.decide_for_person("anna@lib.example", Scope::decide, "").refusal->code, Errc::forbidden);
}

TEST_F(PersonsTest, WhoSignsOnElsewhereAndIsNotKnownIsRefused) {
  EXPECT_EQ(access_.decide_for_person("anna", Scope::check, "").refusal->code, Errc::forbidden);
  EXPECT_TRUE(persons_.list()->empty());
}

TEST_F(PersonsTest, WhoSignsOnElsewhereForTheFirstTimeGetsTheFirstRole) {
  access_.let_sign_on(Role::author);
  EXPECT_NE(access_.decide_for_person("anna", Scope::check, "192.0.2.1").grant, nullptr);
  EXPECT_EQ(persons_.find("anna")->spec.roles, std::vector{Role::author});
  EXPECT_EQ(access_.decide_for_person("no such id!", Scope::check, "").refusal->code, Errc::invalid_argument);
}

TEST_F(PersonsTest, WhoIsDisabledCannotSignOnElsewhereEither) {
  access_.let_sign_on(Role::author);
  add("anna", {Role::reader});
  EXPECT_TRUE(persons_.put("anna", named("Anna", {Role::reader}, {}, true)).has_value());
  EXPECT_EQ(access_.decide_for_person("anna", Scope::check, "").refusal->code, Errc::unauthenticated);
}

}  // namespace
}  // namespace akin::access
