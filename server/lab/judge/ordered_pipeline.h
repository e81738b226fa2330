// Pieces arrive one by one, several threads prepare them, and one thread takes them in their order.
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

namespace akin::judge {

/// One thread reads, `threads` threads prepare, the caller's thread takes. At most `capacity` pieces are held
/// at once. (Differs from index/ordered_work.h: the number of pieces is unknown, and each is taken as soon as
/// possible, so that a client that waits for an answer before its next question is not delayed.)
template <class In, class Out>
class OrderedPipeline {
 public:
  /// The next piece, nothing at the end. May wait; called on a thread of its own.
  using Read = std::function<Result<std::optional<In>>()>;
  using Prepare = std::function<Out(unsigned thread, In piece)>;
  /// `idle`: nothing else is under way at the moment. False ends the run.
  using Take = std::function<bool(Out piece, bool idle)>;

  OrderedPipeline(unsigned threads, std::size_t capacity) : threads_(threads), capacity_(capacity) {}

  /// Returns when everything that was read is taken, or when `take` has ended the run and `read` has
  /// returned. The result is the error of `read`, if any. An exception of `prepare` or `take` is rethrown.
  [[nodiscard]] Result<void> run(const Read& read, const Prepare& prepare, const Take& take) {
    std::vector<std::jthread> helpers;
    try {
      helpers.emplace_back([&] { read_all(read); });
      for (unsigned i = 0; i < threads_; ++i) helpers.emplace_back([&, i] { prepare_all(i, prepare); });
      take_all(take);
    } catch (...) {
      fail(std::current_exception());
    }
    helpers.clear();
    if (failure_) std::rethrow_exception(failure_);
    return outcome_;
  }

 private:
  struct Piece {
    std::optional<In> in;
    std::optional<Out> out;
  };

  void read_all(const Read& read) {
    for (;;) {
      auto next = read();
      std::unique_lock lock(mutex_);
      if (next.has_error() || !*next) {
        if (next.has_error()) outcome_ = std::move(next).error();
        at_end_ = true;
        changed_.notify_all();
        return;
      }
      changed_.wait(lock, [&] { return stopped_ || pieces_.size() < capacity_; });
      if (stopped_) return;
      pieces_.emplace_back().in = std::move(**next);
      changed_.notify_all();
    }
  }

  void prepare_all(unsigned thread, const Prepare& prepare) {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return stopped_ || begun_ < pieces_.size() || at_end_; });
      if (stopped_ || begun_ == pieces_.size()) return;
      Piece& piece = pieces_[begun_++];  // its address stays: the deque only loses its front
      In in = std::move(*piece.in);
      lock.unlock();
      std::optional<Out> out;
      try {
        out = prepare(thread, std::move(in));
      } catch (...) {
        fail(std::current_exception());
        return;
      }
      lock.lock();
      piece.out = std::move(out);
      changed_.notify_all();
    }
  }

  void take_all(const Take& take) {
    std::unique_lock lock(mutex_);
    for (;;) {
      const auto ready = [&] { return !pieces_.empty() && pieces_.front().out; };
      changed_.wait(lock, [&] { return stopped_ || ready() || (at_end_ && pieces_.empty()); });
      if (stopped_ || !ready()) return;
      Out out = *std::move(pieces_.front().out);
      pieces_.pop_front();
      --begun_;
      const bool idle = pieces_.empty();
      changed_.notify_all();
      lock.unlock();
      const bool more = take(std::move(out), idle);
      lock.lock();
      if (more) continue;
      stopped_ = true;
      changed_.notify_all();
      return;
    }
  }

  void fail(std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (!failure_) failure_ = std::move(failure);
    stopped_ = true;
    changed_.notify_all();
  }

  const unsigned threads_;
  const std::size_t capacity_;
  std::mutex mutex_;  // guards the following members
  std::condition_variable changed_;
  std::deque<Piece> pieces_;  ///< in order: those that are prepared or in preparation, then those that wait
  std::size_t begun_ = 0;     ///< number of pieces_ that no longer wait
  bool at_end_ = false;       ///< nothing more will be read
  bool stopped_ = false;
  Result<void> outcome_{};
  std::exception_ptr failure_;
};

}  // namespace akin::judge
