// Runs pieces of work on several threads; one thread takes their results in order.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.h"

namespace akin {

/// Runs work(thread, piece, results) for pieces 0 … pieces-1 on `threads` threads, and passes each piece's
/// results to take(results) on the caller's thread, in the order of the pieces. No thread begins a piece
/// while more than `window` results wait to be taken, so at most that many and one piece per thread are held.
/// An error from `take`, which is returned, or an exception from `work`, which is rethrown, ends the run
/// early.
template <class T>
class OrderedWork {
 public:
  using Work = std::function<void(unsigned thread, std::size_t piece, std::vector<T>& results)>;
  using Take = std::function<Result<void>(const std::vector<T>& results)>;

  OrderedWork(unsigned threads, std::size_t window) : threads_(threads), window_(window) {}

  [[nodiscard]] Result<void> run(std::size_t pieces, const Work& work, const Take& take) {
    pieces_ = pieces;
    Result<void> outcome{};
    {
      std::vector<std::jthread> helpers;
      helpers.reserve(threads_);
      for (unsigned thread = 0; thread < threads_; ++thread) {
        try {
          helpers.emplace_back([this, thread, &work] { work_on(thread, work); });
        } catch (const std::system_error&) {
          if (helpers.empty()) throw;  // fewer threads are enough, none is not
          break;
        }
      }
      outcome = take_all(take);
    }
    if (failure_) std::rethrow_exception(failure_);
    return outcome;
  }

 private:
  struct Piece {
    std::vector<T> results;
    bool done = false;
  };

  void work_on(unsigned thread, const Work& work) {
    std::unique_lock lock(mutex_);
    for (;;) {
      room_.wait(lock, [this] { return ended_ || begun_ == pieces_ || waiting_ <= window_; });
      if (ended_ || begun_ == pieces_) return;
      const std::size_t number = begun_++;
      Piece& piece = under_way_.emplace_back();  // stays in place: a deque only loses its front
      lock.unlock();
      std::exception_ptr failure;
      try {
        work(thread, number, piece.results);
      } catch (...) {
        failure = std::current_exception();
      }
      lock.lock();
      if (failure) {
        failure_ = failure;
        ended_ = true;
        room_.notify_all();
      }
      piece.done = true;
      waiting_ += piece.results.size();
      done_.notify_one();
    }
  }

  Result<void> take_all(const Take& take) {
    std::unique_lock lock(mutex_);
    for (std::size_t taken = 0; taken < pieces_; ++taken) {
      done_.wait(lock, [this] { return ended_ || (!under_way_.empty() && under_way_.front().done); });
      if (ended_) break;
      const std::vector<T> results = std::move(under_way_.front().results);
      under_way_.pop_front();
      lock.unlock();
      Result<void> outcome = take(results);
      lock.lock();
      waiting_ -= results.size();
      if (outcome.has_error()) {
        ended_ = true;
        room_.notify_all();
        return outcome;
      }
      room_.notify_all();
    }
    return {};
  }

  const unsigned threads_;
  const std::size_t window_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable room_, done_;
  std::size_t pieces_ = 0;
  std::size_t begun_ = 0;
  std::size_t waiting_ = 0;  ///< results of finished pieces that have not been taken
  std::deque<Piece> under_way_;
  bool ended_ = false;
  std::exception_ptr failure_;
};

}  // namespace akin
