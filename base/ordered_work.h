// Pieces of work come one by one, several threads work on them, and one thread takes the results in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"

namespace akin {

/// Each of `threads` threads reads a piece, works on it, and reads the next; the caller's thread takes the
/// results. Each result is taken as soon as those of all earlier pieces are, so that a client that waits for
/// an answer before its next question is not delayed.
template <class Piece, class Outcome>
class OrderedWork {
 public:
  /// The next piece, nothing at the end. May wait; called by one thread at a time.
  using Read = std::function<Result<std::optional<Piece>>()>;
  using Work = std::function<Outcome(unsigned thread, Piece piece)>;
  /// `idle`: no other piece is under way. False ends the run.
  using Take = std::function<Result<bool>(Outcome outcome, bool idle)>;
  /// What a finished piece counts in the window.
  using Weight = std::size_t (*)(const Outcome&);

  /// No thread reads a piece while results that weigh more than `window` wait to be taken, so at most that
  /// much and one piece per thread are held. Without `weight` each result weighs 1.
  OrderedWork(unsigned threads, std::size_t window, Weight weight = nullptr)
      : threads_(threads), window_(window), weight_(weight) {}

  /// Returns when everything that was read is taken, or when `take` has ended the run and `read` has
  /// returned. The result is the error of `take`, which ends the run, or of `read`. The first exception is
  /// rethrown. Call once.
  [[nodiscard]] Result<void> run(const Read& read, const Work& work, const Take& take) {
    {
      std::vector<std::jthread> helpers;
      helpers.reserve(threads_);
      try {
        for (unsigned thread = 0; thread < threads_; ++thread) {
          try {
            helpers.emplace_back([this, thread, &read, &work] { work_on(thread, read, work); });
          } catch (const std::exception&) {
            if (helpers.empty()) throw;  // fewer threads are enough, none is not
            break;
          }
        }
        take_all(take);
      } catch (...) {
        fail(std::current_exception());
      }
    }
    if (failure_) std::rethrow_exception(failure_);
    return outcome_;
  }

 private:
  void work_on(unsigned thread, const Read& read, const Work& work) {
    try {
      for (;;) {
        std::unique_lock reading(reading_);
        std::unique_lock lock(mutex_);
        room_.wait(lock, [this] { return ended_ || waiting_ <= window_; });
        if (ended_ || at_end_) return;
        lock.unlock();
        auto piece = read();
        lock.lock();
        if (piece.has_error() || !*piece) {
          if (piece.has_error() && !ended_) outcome_ = std::move(piece).error();
          at_end_ = true;
          done_.notify_one();
          return;
        }
        std::optional<Outcome>& place = under_way_.emplace_back();  // stays: a deque only loses its front
        lock.unlock();
        reading.unlock();
        Outcome outcome = work(thread, **std::move(piece));
        lock.lock();
        waiting_ += weight_of(outcome);
        place = std::move(outcome);
        done_.notify_one();
      }
    } catch (...) {
      fail(std::current_exception());
    }
  }

  void take_all(const Take& take) {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto ready = [this] { return !under_way_.empty() && under_way_.front(); };
      done_.wait(lock, [&] { return ended_ || ready() || (at_end_ && under_way_.empty()); });
      if (ended_ || !ready()) return;
      Outcome outcome = *std::move(under_way_.front());
      under_way_.pop_front();
      const bool idle = under_way_.empty();
      const std::size_t weight = weight_of(outcome);
      lock.unlock();
      Result<bool> more = take(std::move(outcome), idle);
      lock.lock();
      waiting_ -= weight;
      if (more.has_error()) outcome_ = more.error();
      if (more.has_error() || !*more) ended_ = true;  // a thread may have failed and ended it meanwhile
      room_.notify_all();
    }
  }

  [[nodiscard]] std::size_t weight_of(const Outcome& outcome) const {
    return weight_ == nullptr ? 1 : weight_(outcome);
  }

  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    ended_ = true;
    room_.notify_all();
    done_.notify_one();
  }

  const unsigned threads_;
  const std::size_t window_;
  const Weight weight_;
  std::mutex reading_;  ///< held by the thread that reads, and locked before mutex_
  std::mutex mutex_;    ///< guards the members below
  std::condition_variable room_, done_;
  std::deque<std::optional<Outcome>> under_way_;  ///< in the order of the pieces; empty: not finished
  std::size_t waiting_ = 0;                       ///< weight of finished pieces that have not been taken
  bool at_end_ = false;                           ///< nothing more will be read
  bool ended_ = false;
  Result<void> outcome_{};
  std::exception_ptr failure_;
};

}  // namespace akin
