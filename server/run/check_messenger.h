// Sends the events of checks to their webhook.
#pragma once

#include <atomic>
#include <memory>
#include <stop_token>
#include <thread>

#include "server/check/announcements.h"
#include "server/outbound/sender.h"
#include "server/state/state.h"
#include "server/watch/deliveries.h"

namespace akin::api {

/// A thread that sends what waits, while this server holds the lease "check-events" of the state: each event
/// at least once, signed as those of watches, and with the same waits after failures. Events may arrive in
/// another order than they happened.
class CheckMessenger {
 public:
  /// Error: as watch::Sender::open.
  [[nodiscard]] static Result<std::unique_ptr<CheckMessenger>> open(std::shared_ptr<state::State> state,
                                                                    const watch::DeliveryOptions& options);
  CheckMessenger(const CheckMessenger&) = delete;
  CheckMessenger& operator=(const CheckMessenger&) = delete;
  /// Cancels what is being sent, which still waits then.
  ~CheckMessenger();

 private:
  CheckMessenger(std::shared_ptr<state::State> state, const watch::DeliveryOptions& options,
                 std::unique_ptr<watch::Sender> sender);
  void work(const std::stop_token& ended);
  [[nodiscard]] Result<void> send_due(const std::stop_token& ended);
  [[nodiscard]] Result<void> note(check::Announcement one, const watch::Answer& answer);

  const std::shared_ptr<state::State> state_;
  const watch::DeliveryOptions options_;
  const std::unique_ptr<watch::Sender> sender_;
  std::unique_ptr<state::Lease> lease_;  ///< of the thread
  std::jthread thread_;                  // last: it uses the others
};

}  // namespace akin::api
