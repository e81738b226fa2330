// Forms that a browser sends twice: a double click, or a page that answers a form and is reloaded.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/api/message.h"

namespace akin::api {

struct Form;  // form.h

/// Keeps the answers to forms in memory for ten minutes, since they may have secrets. Members may be called
/// from any number of threads.
class SentForms {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::minutes kKept{10};

  /// What `make` returns when the form is first sent; later the same, without calling it. While the first
  /// sending is carried out, the others wait. A refusal is not kept: the next sending calls `make` again.
  [[nodiscard]] Result<Response> answer(const std::string& name,
                                        const std::function<Result<Response>()>& make);

 private:
  struct Sent {
    Clock::time_point time = Clock::now();
    bool has_ended = false;
    std::optional<Response> answer = {};
  };

  /// Requires the lock. Leaves room for one more.
  void forget_old();

  std::mutex mutex_;  // guards the following members
  std::condition_variable ended_;
  std::unordered_map<std::string, std::shared_ptr<Sent>> forms_;
};

/// The name of this sending: of its client, page, form and all that was written. Nothing if the form has no
/// field `once`.
[[nodiscard]] std::optional<std::string> name_of_sending(const Request& request, const Form& form);

}  // namespace akin::api
