#include "server/check/policies.h"

#include <algorithm>
#include <limits>

#include "base/sha256.h"
#include "index/collection/collection_name.h"
#include "server/audit/audit_log.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

constexpr auto kTable = state::Table::policies;

std::string policy_named(std::string_view name) { return "policy " + json::in_quotes(name); }

/// Policies are named like collections.
Result<void> check_name(std::string_view name) {
  if (is_collection_name(name)) return {};
  return Error{Errc::invalid_argument, policy_named(name), "not a policy's name", kCollectionNameRule};
}

Result<Policy> decode_policy(std::string_view name, std::string_view value) {
  auto object = json::parse_json(value);
  if (object.has_value()) {
    auto policy = parse_policy(*object);
    if (policy.has_value()) return policy;
  }
  return Error{Errc::corrupt, policy_named(name), "its stored record is not a policy", "store it again"};
}

/// `value`: what is stored under the name.
Result<Policy> policy_in(std::string_view name, const std::optional<std::string>& value) {
  if (value) return decode_policy(name, *value);
  if (name == kDefaultPolicy) return Policy();
  return Error{Errc::not_found, policy_named(name), "does not exist",
               "GET /v1/policies lists the stored ones, PUT makes one"};
}

/// Returns whether it is new.
Result<bool> write_policy(state::Writer& writer, std::string_view name, const Policy& policy,
                          const state::Actor& by) {
  const std::string value = policy_object(policy).dump();
  AKIN_TRY(const auto before, writer.get(kTable, name));
  AKIN_CHECK(writer.put(kTable, name, value));
  AKIN_CHECK(audit::append(writer, {by,
                                    before ? "policy.changed" : "policy.created",
                                    std::string(name),
                                    {{"sha256", sha256_hex(value)}}}));
  return !before;
}

}  // namespace

Result<Policy> Policies::get(std::string_view name) const {
  AKIN_CHECK(check_name(name));
  AKIN_TRY(const auto value, state_->get(kTable, name));
  return policy_in(name, value);
}

Result<std::vector<std::pair<std::string, Policy>>> Policies::list() const {
  AKIN_TRY(const auto entries, state_->list(kTable, "", "", std::numeric_limits<std::size_t>::max()));
  std::vector<std::pair<std::string, Policy>> policies;
  for (const state::Entry& entry : entries) {
    AKIN_TRY(Policy policy, decode_policy(entry.key, entry.value));
    policies.emplace_back(entry.key, std::move(policy));
  }
  const auto place = std::ranges::lower_bound(
      policies, kDefaultPolicy, {}, [](const auto& named) { return std::string_view(named.first); });
  if (place == policies.end() || place->first != kDefaultPolicy) {
    AKIN_TRY(Policy policy, get(kDefaultPolicy));
    policies.emplace(place, kDefaultPolicy, std::move(policy));
  }
  return policies;
}

Result<bool> Policies::put(std::string_view name, const Policy& policy, const state::Actor& by) {
  AKIN_CHECK(check_name(name));
  bool made = false;
  AKIN_CHECK(state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(made, write_policy(writer, name, policy, by));
    return {};
  }));
  return made;
}

Result<void> Policies::change(std::string_view name, const std::function<Result<Policy>(Policy)>& make,
                              const state::Actor& by) {
  AKIN_CHECK(check_name(name));
  return state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(const auto value, writer.get(kTable, name));
    AKIN_TRY(Policy now, policy_in(name, value));
    AKIN_TRY(const Policy changed, make(std::move(now)));
    AKIN_CHECK(write_policy(writer, name, changed, by));
    return {};
  });
}

Result<bool> Policies::erase(std::string_view name, const state::Actor& by) {
  AKIN_CHECK(check_name(name));
  bool erased = false;
  const auto written = state_->write([&](state::Writer& writer) -> Result<void> {
    AKIN_TRY(erased, writer.erase(kTable, name));
    if (!erased) return {};
    return audit::append(writer, {by, "policy.deleted", std::string(name)});
  });
  if (written.has_error()) return written.error();
  return erased;
}

}  // namespace akin::check
