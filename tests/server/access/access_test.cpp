#include "server/access/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "server/access/hosts.h"
#include "tests/server/api/service_fixture.h"

namespace akin::access {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class AccessTest : public ::testing::Test {
 protected:
  NewKey make(KeySpec spec) { return keys_.create(spec).value(); }
  NewKey make(Scope scope) {
    return make(KeySpec{.label = "", .scopes = {scope}, .collections = {}, .expires = {}});
  }

  static Errc refusal(const Decision& decision) { return decision.refusal.value().code; }
  static std::string bearer(const NewKey& key) { return "Bearer " + key.token; }

  test::TemporaryFolder folder_;
  std::shared_ptr<state::State> state_ = state::State::open(folder_.path()).value();
  Keys keys_{state_};
  Access access_{state_, false, {}};
};

TEST_F(AccessTest, IsFreeWhileThereAreNoKeys) {
  const Decision decision = access_.decide("", Scope::admin);
  EXPECT_FALSE(decision.refusal);
  EXPECT_EQ(decision.grant, nullptr);
}

TEST_F(AccessTest, IgnoresKeysWhileThereAreNone) {
  for (const char* given : {"Bearer unknown", "Bearer akin_0123456789abcdef_x", "Basic YTpi"}) {
    const Decision decision = access_.decide(given, Scope::admin);
    EXPECT_FALSE(decision.refusal) << given;
    EXPECT_EQ(decision.grant, nullptr);
    EXPECT_TRUE(Access(state_, true, {}).decide(given, Scope::admin).refusal) << given;
  }
  make(Scope::read);
  EXPECT_EQ(refusal(access_.decide("Bearer unknown", Scope::read)), Errc::unauthenticated);
}

TEST_F(AccessTest, NeedsAKeyFromTheFirstOneOn) {
  make(Scope::read);
  EXPECT_EQ(refusal(access_.decide("", Scope::read)), Errc::unauthenticated);
}

TEST_F(AccessTest, NeedsAKeyWhereItAlwaysDoes) {
  Access strict(state_, true, {});
  EXPECT_EQ(refusal(strict.decide("", Scope::read)), Errc::unauthenticated);
}

TEST_F(AccessTest, TakesAKeyWithAnyCaseOfItsScheme) {
  const NewKey key = make(Scope::read);
  for (const char* scheme : {"Bearer ", "bearer ", "BEARER  "}) {
    EXPECT_FALSE(access_.decide(scheme + key.token, Scope::read).refusal) << scheme;
  }
}

struct ScopeRow {
  Scope has, needs;
  bool allowed;
};

class Scopes : public AccessTest, public ::testing::WithParamInterface<ScopeRow> {};

TEST_P(Scopes, AllowWhatTheyName) {
  const NewKey key = make(GetParam().has);
  const Decision decision = access_.decide(bearer(key), GetParam().needs);
  EXPECT_EQ(!decision.refusal, GetParam().allowed);
  if (decision.refusal) {
    EXPECT_EQ(refusal(decision), Errc::forbidden);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Access, Scopes,
    ::testing::Values(ScopeRow{Scope::read, Scope::read, true}, ScopeRow{Scope::read, Scope::write, false},
                      ScopeRow{Scope::write, Scope::read, true}, ScopeRow{Scope::write, Scope::check, false},
                      ScopeRow{Scope::check, Scope::check, true}, ScopeRow{Scope::check, Scope::read, false},
                      ScopeRow{Scope::submit, Scope::check, true},
                      ScopeRow{Scope::submit, Scope::read, false},
                      ScopeRow{Scope::submit, Scope::write, false},
                      ScopeRow{Scope::check, Scope::submit, false},
                      ScopeRow{Scope::write, Scope::submit, true}, ScopeRow{Scope::admin, Scope::write, true},
                      ScopeRow{Scope::admin, Scope::check, true}));

TEST_F(AccessTest, RefusesWhatIsNoKey) {
  const NewKey key = make(Scope::admin);
  std::string other = key.token;
  other.back() = other.back() == 'A' ? 'B' : 'A';
  for (const std::string& token : {std::string("x"), std::string("akin_"), key.token.substr(0, 20), other,
                                   key.token + "A", std::string("akin_0123456789abcdef_AAAA")}) {
    EXPECT_EQ(refusal(access_.decide("Bearer " + token, Scope::read)), Errc::unauthenticated) << token;
  }
  EXPECT_EQ(refusal(access_.decide("Basic " + key.token, Scope::read)), Errc::unauthenticated);
}

TEST_F(AccessTest, RefusesARevokedKeyThatItHasSeen) {
  const NewKey key = make(Scope::read);
  EXPECT_FALSE(access_.decide(bearer(key), Scope::read).refusal);
  ASSERT_TRUE(keys_.revoke(key.info.id).has_value());
  const Decision decision = access_.decide(bearer(key), Scope::read);
  EXPECT_THAT(decision.refusal.value().reason, HasSubstr("revoked"));
}

TEST_F(AccessTest, RefusesAnExpiredKey) {
  KeySpec spec{.label = "",
               .scopes = {Scope::read},
               .collections = {},
               .expires = time_now() + std::chrono::seconds(1)};
  const NewKey key = make(spec);
  while (time_now() <= *spec.expires) {
  }
  EXPECT_THAT(access_.decide(bearer(key), Scope::read).refusal.value().reason, HasSubstr("expired"));
}

TEST_F(AccessTest, KeepsNoSecret) {
  const NewKey key = make(Scope::read);
  const std::string record = state_->get(state::Table::keys, key.info.id).value().value();
  EXPECT_THAT(record, Not(HasSubstr(key.token.substr(key.token.size() - 20))));
}

TEST_F(AccessTest, RefusesATokenThatItHasSeenWhenItsRecordHasAnotherSecret) {
  const NewKey key = make(Scope::read);
  const NewKey other = make(Scope::read);
  EXPECT_FALSE(access_.decide(bearer(key), Scope::read).refusal);
  const std::string record = state_->get(state::Table::keys, other.info.id).value().value();
  ASSERT_TRUE(state_->put(state::Table::keys, key.info.id, record).has_value());
  EXPECT_EQ(refusal(access_.decide(bearer(key), Scope::read)), Errc::unauthenticated);
}

/// A key as earlier versions of akin stored it, without the digest.
void forget_digest(state::State& state, const NewKey& key) {
  json::Json record = json::Json::parse(state.get(state::Table::keys, key.info.id).value().value());
  ASSERT_EQ(record.erase("sha256"), 1U);
  ASSERT_TRUE(state.put(state::Table::keys, key.info.id, record.dump()).has_value());
}

TEST_F(AccessTest, WrongSecretsNeitherLimitNorDelayAKey) {
  const NewKey key = make(Scope::read);
  std::string wrong = key.token;
  wrong.back() = wrong.back() == 'A' ? 'B' : 'A';
  EXPECT_TRUE(access_.decides_at_once("Bearer " + wrong));
  for (int attempt = 0; attempt < 10'000; ++attempt) {
    ASSERT_EQ(refusal(access_.decide("Bearer " + wrong, Scope::read, std::to_string(attempt))),
              Errc::unauthenticated);
  }
  EXPECT_TRUE(access_.decides_at_once(bearer(key)));
  EXPECT_FALSE(access_.decide(bearer(key), Scope::read, "192.0.2.1").refusal);
}

TEST_F(AccessTest, AKeyOfAnEarlierAkinIsHashedOnce) {
  const NewKey key = make(Scope::read);
  forget_digest(*state_, key);
  EXPECT_FALSE(access_.decides_at_once(bearer(key)));
  EXPECT_FALSE(access_.decide(bearer(key), Scope::read).refusal);
  Access restarted(state_, false, {});
  EXPECT_TRUE(restarted.decides_at_once(bearer(key)));
  EXPECT_FALSE(restarted.decide(bearer(key), Scope::read).refusal);
}

TEST_F(AccessTest, HashesFewWrongSecretsFromOneAddress) {
  const NewKey key = make(Scope::read);
  forget_digest(*state_, key);
  std::string wrong = key.token;
  wrong.back() = wrong.back() == 'A' ? 'B' : 'A';
  const auto begun = std::chrono::steady_clock::now();
  int hashed = 0;
  while (refusal(access_.decide("Bearer " + wrong, Scope::read, "192.0.2.1")) == Errc::unauthenticated)
    ++hashed;
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  EXPECT_GE(hashed, 5);
  EXPECT_LE(hashed, 6 + took.count());  // 5, and 1 for each second
  const Decision decision = access_.decide("Bearer " + wrong, Scope::read, "192.0.2.1");
  EXPECT_EQ(refusal(decision), Errc::rate_limited);
  EXPECT_GT(decision.retry_seconds, 0U);
  EXPECT_EQ(refusal(access_.decide("Bearer " + wrong, Scope::read, "192.0.2.2")), Errc::unauthenticated);
}

TEST_F(AccessTest, WrongSecretsDoNotLimitTheAdoptedOne) {
  const std::string right(64, 'a'), wrong(64, 'b');
  ASSERT_TRUE(access_.keys().adopt(right).has_value());
  while (refusal(access_.decide("Bearer " + wrong, Scope::read, "192.0.2.1")) != Errc::rate_limited) {
  }
  EXPECT_TRUE(access_.decides_at_once("Bearer " + right));
  EXPECT_FALSE(access_.decide("Bearer " + right, Scope::read, "192.0.2.1").refusal);
}

TEST(AttemptsTest, BoundsThoseFromAllAddresses) {
  Attempts attempts;
  const auto now = Attempts::Clock::now();
  int begun = 0;
  for (int address = 0; address < 100; ++address)
    begun += attempts.begin("id", std::to_string(address), now) ? 1 : 0;
  EXPECT_EQ(begun, 20);
  EXPECT_TRUE(attempts.begin("other", "1", now));
  EXPECT_TRUE(attempts.begin("id", "1", now + std::chrono::milliseconds(201)));
  EXPECT_FALSE(attempts.begin("id", "1", now + std::chrono::milliseconds(202)));
}

TEST(AttemptsTest, DoesNotChargeRightSecrets) {
  Attempts attempts;
  const auto now = Attempts::Clock::now();
  for (int turn = 0; turn < 100; ++turn) {
    ASSERT_TRUE(attempts.begin("id", "1", now)) << turn;
    attempts.succeeded("id", "1");
  }
}

TEST_F(AccessTest, AdoptsASecretAsAnAdminKey) {
  const std::string secret(64, 'a');
  EXPECT_EQ(keys_.adopt(secret).value().id, kFileKeyId);
  EXPECT_FALSE(access_.decide("Bearer " + secret, Scope::admin).refusal);
  EXPECT_EQ(refusal(access_.decide("Bearer " + std::string(64, 'b'), Scope::admin)), Errc::unauthenticated);
  EXPECT_EQ(keys_.adopt(secret).value().id, kFileKeyId);
  EXPECT_EQ(keys_.list().value().size(), 1U);
}

TEST_F(AccessTest, AnotherSecretTakesThePlaceOfTheAdoptedOne) {
  const std::string first(64, 'a'), second(64, 'b');
  ASSERT_TRUE(keys_.adopt(first).has_value());
  EXPECT_FALSE(access_.decide("Bearer " + first, Scope::admin).refusal);
  ASSERT_TRUE(keys_.adopt(second).has_value());
  EXPECT_EQ(refusal(access_.decide("Bearer " + first, Scope::admin)), Errc::unauthenticated);
  EXPECT_FALSE(access_.decide("Bearer " + second, Scope::admin).refusal);
}

TEST_F(AccessTest, AdoptsAWholeKeyUnderItsOwnId) {
  const NewKey key = make(Scope::admin);
  EXPECT_EQ(keys_.adopt(key.token).value().id, key.info.id);
  ASSERT_TRUE(keys_.erase(key.info.id).has_value());
  EXPECT_EQ(keys_.adopt(key.token).value().id, key.info.id);
  EXPECT_FALSE(access_.decide(bearer(key), Scope::admin).refusal);
}

TEST_F(AccessTest, AdoptsNoSecretThatIsShortRevokedOrLimited) {
  for (const std::string& wrong :
       {std::string(31, 'a'), std::string(513, 'a'), std::string(40, ' '), std::string()})
    EXPECT_EQ(keys_.adopt(wrong).error().code, Errc::invalid_argument) << wrong.size();
  EXPECT_EQ(keys_.adopt(make(Scope::read).token).error().code, Errc::forbidden);
  const NewKey revoked = make(Scope::admin);
  ASSERT_TRUE(keys_.revoke(revoked.info.id).has_value());
  EXPECT_EQ(keys_.adopt(revoked.token).error().code, Errc::forbidden);
  std::string other = make(Scope::admin).token;
  other.back() = other.back() == 'A' ? 'B' : 'A';
  EXPECT_EQ(keys_.adopt(other).error().code, Errc::forbidden);
}

TEST(HostsTest, AcceptsLoopbackAndTheGivenNames) {
  const Hosts hosts({"Library.example", "192.0.2.7"}, {});
  for (const char* own : {"localhost", "LOCALHOST:7878", "localhost.", "127.0.0.1:1", "127.9.9.9", "[::1]",
                          "[::1]:80", "library.example:443", "192.0.2.7:7878", ""})
    EXPECT_FALSE(hosts.check_host(own)) << own;
  for (const char* foreign :
       {"evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1", "[::2]",
        "localhost:evil", "evil.example:80@localhost", "[::1", ":80", "localhost,evil.example"})
    EXPECT_TRUE(hosts.check_host(foreign)) << foreign;
}

TEST(HostsTest, AcceptsOriginsOfItsHostsAndTheListedOnes) {
  const Hosts hosts({"library.example"}, {"https://reader.example"});
  for (const char* own : {"http://localhost:3000", "https://library.example", "https://reader.example", ""})
    EXPECT_FALSE(hosts.check_origin(own)) << own;
  for (const char* foreign :
       {"null", "http://evil.example", "http://reader.example", "https://reader.example:444",
        "https://localhost.evil.example", "https://user@localhost"})
    EXPECT_TRUE(hosts.check_origin(foreign)) << foreign;
  EXPECT_FALSE(Hosts({}, {"*"}).check_origin("http://evil.example"));
}

TEST_F(AccessTest, ListsEveryKey) {
  const std::string record = state_->get(state::Table::keys, make(Scope::read).info.id).value().value();
  constexpr int kMore = 2000;  // two pages, the last one full
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    for (int i = 1; i < kMore; ++i) {
      AKIN_CHECK(writer.put(state::Table::keys, "0000" + std::to_string(100000000000 + i), record));
    }
    return {};
  });
  ASSERT_TRUE(written.has_value());
  EXPECT_EQ(keys_.list().value().size(), kMore);
}

TEST_F(AccessTest, LimitsHowManyRequestsAreAtWork) {
  KeySpec spec{
      .label = "", .scopes = {Scope::read}, .collections = {}, .expires = {}, .rate = 0, .concurrent = 1};
  const NewKey key = make(spec);
  Decision first = access_.decide(bearer(key), Scope::read);
  EXPECT_EQ(refusal(access_.decide(bearer(key), Scope::read)), Errc::rate_limited);
  first.grant.reset();
  EXPECT_FALSE(access_.decide(bearer(key), Scope::read).refusal);
}

TEST_F(AccessTest, LimitsHowOftenAKeyAsks) {
  Access slow(state_, false, {.rate = 0.01, .concurrent = 0});
  const NewKey key = make(Scope::read);
  EXPECT_FALSE(slow.decide(bearer(key), Scope::read).refusal);
  const Decision decision = slow.decide(bearer(key), Scope::read);
  EXPECT_EQ(refusal(decision), Errc::rate_limited);
  EXPECT_GT(decision.retry_seconds, 90U);
}

TEST_F(AccessTest, TellsThatARecordIsDamaged) {
  const NewKey key = make(Scope::read);
  ASSERT_TRUE(state_->put(state::Table::keys, key.info.id, "{").has_value());
  EXPECT_EQ(refusal(access_.decide(bearer(key), Scope::read)), Errc::corrupt);
}

}  // namespace
}  // namespace akin::access
