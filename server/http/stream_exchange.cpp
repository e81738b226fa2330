#include "server/http/stream_exchange.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/exceptions.h"

namespace akin::http {

Failure server_ends() noexcept {
  return failure_of([] {
    return Error{Errc::busy, "server", "it is stopping", "send the rest again in a moment"};
  });
}

bool StreamExchange::wants_bytes() {
  const std::lock_guard lock(mutex_);
  reader_waits_ = body_.size() - read_ >= capacity_ && !body_failure_ && !finished_;
  return !reader_waits_;
}

void StreamExchange::arrived(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  if (body_failure_ || finished_) return;
  body_.erase(0, std::exchange(read_, 0));
  body_.append(bytes);
  changed_.notify_all();
}

void StreamExchange::body_ended() {
  const std::lock_guard lock(mutex_);
  body_ended_ = true;
  changed_.notify_all();
}

void StreamExchange::body_failed(Failure failure) noexcept {
  const std::lock_guard lock(mutex_);
  if (!body_ended_ && !body_failure_) body_failure_ = std::move(failure);
  changed_.notify_all();
}

std::optional<StreamExchange::Outgoing> StreamExchange::take(bool body_first) {
  const std::lock_guard lock(mutex_);
  const bool arrives = !body_ended_ && !body_failure_;
  const bool held = body_first && answer_bytes_ < capacity_ && (arrives || answer_.empty());
  writer_waits_ = !finished_ && (held || (!head_ && answer_.empty()));
  if (writer_waits_) return std::nullopt;
  Outgoing outgoing{std::exchange(head_, {}), {}, finished_ && answer_.size() <= 1};
  if (!answer_.empty()) {
    outgoing.bytes = std::move(answer_.front());
    answer_.pop_front();
    answer_bytes_ -= outgoing.bytes.size();
  }
  changed_.notify_all();
  return outgoing;
}

void StreamExchange::client_gone(Failure failure) noexcept {
  const std::lock_guard lock(mutex_);
  answer_failure_ = failure;
  answer_.clear();
  answer_bytes_ = 0;
  if (!body_failure_) body_failure_ = std::move(failure);
  changed_.notify_all();
}

std::chrono::steady_clock::duration StreamExchange::waited() const {
  const std::lock_guard lock(mutex_);
  return waits_since_ ? waited_ + (std::chrono::steady_clock::now() - *waits_since_) : waited_;
}

/// The worker waits for the client.
template <class Condition>
void StreamExchange::wait(std::unique_lock<std::mutex>& lock, const Condition& condition) {
  if (condition()) return;
  waits_since_ = std::chrono::steady_clock::now();
  changed_.wait(lock, condition);
  waited_ += std::chrono::steady_clock::now() - *std::exchange(waits_since_, {});
}

Result<std::size_t> StreamExchange::read(std::span<char> into) {
  std::unique_lock lock(mutex_);
  wait(lock, [this] { return body_.size() > read_ || body_ended_ || body_failure_; });
  const std::size_t bytes = std::min(into.size(), body_.size() - read_);
  if (body_.size() == read_ && body_failure_) return *body_failure_;
  std::copy_n(body_.data() + read_, bytes, into.data());
  read_ += bytes;
  if (reader_waits_ && body_.size() - read_ <= capacity_ / 2) {
    reader_waits_ = false;
    lock.unlock();
    wakers_.reader();
  }
  return bytes;
}

void StreamExchange::wake_writer(std::unique_lock<std::mutex>& lock) {
  if (!std::exchange(writer_waits_, false)) return;
  lock.unlock();
  wakers_.writer();
}

Result<void> StreamExchange::begin(const api::Response& head) {
  std::unique_lock lock(mutex_);
  if (answer_failure_) return *answer_failure_;
  if (std::exchange(begun_, true)) return Error{Errc::internal, "answer", "was begun twice", "report it"};
  head_ = head;
  wake_writer(lock);
  return {};
}

/// A client that sends all before it reads anything must not be waited for: it would wait for the server.
Result<void> StreamExchange::await_room(std::unique_lock<std::mutex>& lock) {
  constexpr std::chrono::seconds kReads(1);
  if (!has_room() && wakers_.may_keep && !body_ended_ && !body_failure_) {
    if (!only_sends_) only_sends_ = !changed_.wait_for(lock, kReads, [this] { return has_room(); });
    if (!has_room()) {
      lock.unlock();
      const bool more = wakers_.may_keep(capacity_);
      lock.lock();
      if (more) kept_ += capacity_;
    }
  }
  wait(lock, [this] { return has_room(); });
  if (answer_failure_) return *answer_failure_;
  return {};
}

Result<void> StreamExchange::write(std::string_view bytes) {
  while (!bytes.empty()) {
    std::unique_lock lock(mutex_);
    if (!begun_) return Error{Errc::internal, "answer", "was not begun", "report it"};
    AKIN_CHECK(await_room(lock));
    if (answer_.empty() || answer_.back().size() >= capacity_) answer_.emplace_back();
    const auto part = bytes.substr(0, std::min(kept_ - answer_bytes_, capacity_ - answer_.back().size()));
    answer_.back().append(part);
    answer_bytes_ += part.size();
    bytes.remove_prefix(part.size());
    wake_writer(lock);
  }
  return {};
}

void StreamExchange::trouble(std::string what) {
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(what);
}

void StreamExchange::finish(std::optional<api::Response> returned) noexcept {
  std::unique_lock lock(mutex_);
  returned_ = std::move(returned);
  finished_ = true;
  waits_since_ = std::chrono::steady_clock::now();
  wake_writer(lock);
}

}  // namespace akin::http
