#include "server/access/access.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/ascii.h"
#include "server/json/quoted.h"

namespace akin::access {

namespace {

using Clock = std::chrono::steady_clock;

/// The token of "Bearer TOKEN", the scheme in any case; empty for anything else.
std::string_view bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (!equals_ignoring_case(authorization.substr(0, kScheme.size()), kScheme)) return {};
  authorization.remove_prefix(kScheme.size());
  while (authorization.starts_with(' ')) authorization.remove_prefix(1);
  return authorization;
}

Decision refused(Error error, std::uint32_t retry_seconds = 0) {
  return {.grant = nullptr, .refusal = std::move(error), .retry_seconds = retry_seconds};
}

}  // namespace

/// A token bucket that fills at the key's rate and holds two seconds' worth, but at least one token.
struct KeyUse {
  std::mutex mutex;
  double tokens = -1;  ///< below 0: not used yet
  Clock::time_point filled;
  std::uint32_t at_work = 0;

  /// 0 if a request may proceed, else the seconds until one may.
  double take(double rate) {
    const double most = std::max(1.0, 2 * rate);
    const auto now = Clock::now();
    tokens = tokens < 0 ? most
                        : std::min(most, tokens + rate * std::chrono::duration<double>(now - filled).count());
    filled = now;
    if (tokens < 1) return (1 - tokens) / rate;
    tokens -= 1;
    return 0;
  }
};

Grant::~Grant() {
  const std::lock_guard lock(use_->mutex);
  --use_->at_work;
}

Access::Access(std::shared_ptr<state::State> state, bool always, const AccessLimits& limits)
    : state_(std::move(state)), keys_(state_), sessions_(state_), always_(always), limits_(limits) {}

bool Access::decides_at_once(std::string_view authorization) const {
  return keys_.knows(bearer_token(authorization));
}

Decision Access::decide(std::string_view authorization, Scope needed, std::string_view address) {
  Decision decision = decide_by_key(authorization, needed, address);
  const bool has_no_key = decision.refusal && decision.refusal->code == Errc::unauthenticated;
  if (!has_no_key || always_) return decision;
  // Without keys everything is allowed, also to a client with the key of another server.
  const auto any = keys_.any();
  if (any.has_error()) return refused(any.error());
  return *any ? decision : Decision();
}

Result<KeyInfo> Access::authenticate(std::string_view authorization, std::string_view address) {
  if (authorization.starts_with(kSessionScheme)) {
    AKIN_TRY(const auto id, sessions_.key_of(authorization.substr(kSessionScheme.size()), time_now()));
    if (id) return keys_.valid(*id);
    return Error{Errc::unauthenticated, "session", "it has ended", "sign in again"};
  }
  const std::string_view token = bearer_token(authorization);
  if (!token.empty()) return keys_.authenticate(token, address);
  return Error{
      Errc::unauthenticated, "request",
      authorization.empty() ? "it has no access key" : "its Authorization field is not a bearer token",
      "send 'Authorization: Bearer KEY'; akin key create creates keys"};
}

Decision Access::decide_by_key(std::string_view authorization, Scope needed, std::string_view address) {
  auto key = authenticate(authorization, address);
  if (key.has_error()) return refused(key.error(), key.error().code == Errc::rate_limited ? 1 : 0);
  return decide_for(*std::move(key), needed);
}

Decision Access::decide_for_person(std::string_view id, Scope needed, std::string_view address) {
  auto key = signed_on(ascii_lower(id), address);
  return key.has_error() ? refused(key.error()) : decide_for(*std::move(key), needed);
}

Result<KeyInfo> Access::signed_on(std::string_view id, std::string_view address) {
  Persons persons(state_);
  const auto known = persons.find(id);
  if (known.has_error() && known.error().code != Errc::not_found) return known.error();
  if (known.has_error() && first_role_) {
    const state::Actor by{
        .kind = "person", .id = std::string(id), .name = std::string(id), .address = std::string(address)};
    AKIN_CHECK(persons.put(id, {.name = std::string(id), .roles = {*first_role_}, .collections = {}}, by));
  } else if (known.has_error()) {
    return Error{Errc::forbidden, "person " + json::in_quotes(id), "has signed on, but is not known here",
                 "let an administrator make the person: akin person add"};
  }
  KeyInfo key;
  key.id = "person:" + std::string(id);
  key.spec.person = id;
  AKIN_CHECK(Persons::empower(*state_, key));
  return key;
}

Decision Access::decide_for(KeyInfo key, Scope needed) {
  if (key.allows(needed)) return count(std::move(key));
  return refused(Error{Errc::forbidden, "access key '" + key.id + "'",
                       "it lacks the scope '" + std::string(scope_name(needed)) + "'",
                       "use a key that has it"});
}

Decision Access::count(KeyInfo key) {
  std::shared_ptr<KeyUse> use;
  {
    const std::lock_guard lock(mutex_);
    auto& known = uses_[key.id];
    if (known == nullptr) known = std::make_shared<KeyUse>();
    use = known;
  }
  const double rate = key.spec.rate > 0 ? key.spec.rate : limits_.rate;
  const std::uint32_t most = key.spec.concurrent > 0 ? key.spec.concurrent : limits_.concurrent;
  {
    const std::lock_guard lock(use->mutex);
    if (most > 0 && use->at_work >= most) {
      return refused(Error{Errc::rate_limited, "access key '" + key.id + "'",
                           "it has " + std::to_string(most) + " requests at work already",
                           "wait for the answers before sending more"},
                     1);
    }
    const double wait = rate > 0 ? use->take(rate) : 0;
    if (wait > 0) {
      return refused(Error{Errc::rate_limited, "access key '" + key.id + "'", "it has sent too many requests",
                           "retry after the number of seconds in Retry-After"},
                     static_cast<std::uint32_t>(std::ceil(wait)));
    }
    ++use->at_work;
  }
  return {.grant = std::make_shared<const Grant>(std::move(key), std::move(use)), .refusal = {}};
}

}  // namespace akin::access
