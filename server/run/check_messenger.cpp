#include "server/run/check_messenger.h"

#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/background_failures.h"
#include "base/exceptions.h"
#include "server/outbound/signature.h"

namespace akin::api {

namespace {

constexpr std::chrono::milliseconds kMessagePause{500};
/// Events that are looked at in one round.
constexpr std::size_t kLookedAt = 1000;

}  // namespace

Result<std::unique_ptr<CheckMessenger>> CheckMessenger::open(std::shared_ptr<state::State> state,
                                                             const watch::DeliveryOptions& options) {
  AKIN_TRY(auto sender, watch::Sender::open(options.send));
  return std::unique_ptr<CheckMessenger>(new CheckMessenger(std::move(state), options, std::move(sender)));
}

CheckMessenger::CheckMessenger(std::shared_ptr<state::State> state, const watch::DeliveryOptions& options,
                               std::unique_ptr<watch::Sender> sender)
    : state_(std::move(state)), options_(options), sender_(std::move(sender)) {
  thread_ = std::jthread([this](const std::stop_token& ended) { work(ended); });
}

CheckMessenger::~CheckMessenger() {
  thread_.request_stop();
  sender_->wake();
}

void CheckMessenger::work(const std::stop_token& ended) {
  while (!ended.stop_requested()) {
    const auto sent = without_exceptions([&] { return send_due(ended); });
    // A standby's state takes no writes, and gives no lease.
    if (sent.has_value() || sent.error().code != Errc::forbidden) note_failure_of(Round::watches, sent);
    static_cast<void>(sender_->wait(kMessagePause));
  }
}

Result<void> CheckMessenger::send_due(const std::stop_token& ended) {
  AKIN_TRY(const auto webhook, check::check_webhook(*state_));
  if (!webhook) return {};
  if (lease_ == nullptr) {
    AKIN_TRY(lease_, state_->try_lease("check-events"));
  }
  if (lease_ == nullptr) return {};
  if (auto held = lease_->check(); held.has_error()) {
    lease_ = nullptr;
    return held;
  }
  AKIN_TRY(const std::string key, watch::secret_key(webhook->secret));
  AKIN_TRY(std::vector<check::Announcement> all, check::announcements(*state_, kLookedAt));
  const Time now = time_now();
  std::erase_if(all, [now](const check::Announcement& one) { return one.due > now; });
  std::map<std::uint64_t, check::Announcement> sent;
  std::uint64_t next = 0;
  while ((next < all.size() || !sent.empty()) && !ended.stop_requested()) {
    for (; next < all.size() && sent.size() < options_.per_host; ++next) {
      sender_->begin(next, watch::signed_message(webhook->url, all[next].id, all[next].body, key));
      sent.emplace(next, all[next]);
    }
    for (const auto& [ticket, answer] : sender_->wait(kMessagePause)) {
      const auto found = sent.find(ticket);
      if (found == sent.end()) continue;
      AKIN_CHECK(note(std::move(found->second), answer));
      sent.erase(found);
    }
  }
  return {};
}

/// An outcome that cannot be written leads to another attempt.
Result<void> CheckMessenger::note(check::Announcement one, const watch::Answer& answer) {
  if (answer.taken()) return check::settle(*state_, one);
  one.last_error = answer.error.empty() ? "status " + std::to_string(answer.status) : answer.error;
  if (one.attempts == options_.retries.size()) return check::give_up(*state_, one);
  one.due = time_now() + options_.retries[one.attempts++];
  return check::postpone(*state_, one);
}

}  // namespace akin::api
