// Events of checks for a webhook: each is written together with the change that it reports, and stays until
// the webhook has taken it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "server/json/json.h"
#include "server/state/state.h"

namespace akin::check {

/// Where events of checks are sent. The secret signs them; no answer contains it.
struct CheckWebhook {
  std::string url, secret;
};

/// Sets it for all that share the state; nothing: events are no longer written, and those that wait stay.
[[nodiscard]] Result<void> set_check_webhook(state::State& state, const std::optional<CheckWebhook>& webhook);
[[nodiscard]] Result<std::optional<CheckWebhook>> check_webhook(const state::State& state);

/// Adds an event about a check in the write of the change that it reports; does nothing without a webhook.
/// `type`: "check.done", "check.updated" or "check.decided", with the check's object; "check.failed", with
/// that of what was handed in.
[[nodiscard]] Result<void> announce(state::Writer& writer, std::string_view type, const json::Json& about);

/// An event that waits.
struct Announcement {
  std::string key;   ///< those of earlier events come first
  std::string id;    ///< "evt_" and 32 hex digits, the same in each attempt
  std::string body;  ///< {"type","timestamp","data"}
  std::uint64_t attempts = 0;
  Time due{};
  std::string last_error = {};  ///< of the last attempt
  bool has_failed = false;      ///< given up
};
inline constexpr std::size_t kMostFailed = 1000;

/// The oldest `limit` of them.
[[nodiscard]] Result<std::vector<Announcement>> announcements(const state::State& state, std::size_t limit);
/// Stores attempts and due time of one that still waits.
[[nodiscard]] Result<void> postpone(state::State& state, const Announcement& one);
/// Removes one that was taken, or that failed.
[[nodiscard]] Result<void> settle(state::State& state, const Announcement& one);

/// No longer tries one that waits. It is listed as failed, as long as it is one of the last kMostFailed.
[[nodiscard]] Result<void> give_up(state::State& state, const Announcement& one);
/// Those that failed, the oldest first.
[[nodiscard]] Result<std::vector<Announcement>> failed_announcements(const state::State& state);
/// Has one that failed sent again, as if it had just happened. Error: not_found.
[[nodiscard]] Result<Announcement> retry_announcement(state::State& state, std::string_view id);

}  // namespace akin::check
