#include "base/fair_turns.h"

#include <algorithm>

namespace akin {

bool FairTurns::may_work(const Client& client) const noexcept { return client.working < free_to_work_; }

bool FairTurns::is_next(const Queue::iterator& own) noexcept {
  return std::find_if(queue_.begin(), queue_.end(),
                      [this](const auto& piece) { return may_work(piece.second->second); }) == own;
}

void FairTurns::forget_if_absent(Clients::iterator client) noexcept {
  if (client->second.working + client->second.waiting == 0) clients_.erase(client);
}

std::optional<FairTurns::Turn> FairTurns::take(const std::string& name) {
  std::unique_lock lock(mutex_);
  const auto client = clients_.try_emplace(name).first;
  Client& own = client->second;
  const bool goes_on_at_once = may_work(own) && std::ranges::none_of(queue_, [this](const auto& piece) {
                                 return may_work(piece.second->second);
                               });
  if (closed_ || (!goes_on_at_once && own.waiting >= free_to_wait_)) {
    forget_if_absent(client);
    return std::nullopt;
  }
  own.round = std::max(own.round + 1, round_);
  if (!goes_on_at_once) {
    Queue::iterator place;
    try {
      place = queue_.try_emplace({own.round, arrivals_++}, client).first;
    } catch (...) {
      forget_if_absent(client);
      throw;
    }
    ++own.waiting;
    --free_to_wait_;
    changed_.wait(lock, [&] { return closed_ || is_next(place); });
    round_ = std::max(round_, place->first.first);
    queue_.erase(place);
    --own.waiting;
    ++free_to_wait_;
    if (closed_) {
      forget_if_absent(client);
      return std::nullopt;
    }
  }
  ++own.working;
  --free_to_work_;
  // Another place may be free.
  changed_.notify_all();
  return Turn(*this, client);
}

void FairTurns::give_back(Clients::iterator client) noexcept {
  {
    const std::lock_guard lock(mutex_);
    --client->second.working;
    ++free_to_work_;
    forget_if_absent(client);
  }
  changed_.notify_all();
}

void FairTurns::close() noexcept {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

std::size_t FairTurns::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

}  // namespace akin
