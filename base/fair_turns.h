// Work of which only a few pieces are done at a time, for clients that take turns: one that wants a lot waits
// for itself, not in front of others.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace akin {

/// Places to do a piece of work, and places to wait for one. A client takes another place, of either kind,
/// only as long as it has fewer than are free then: one client gets half of them, the next half of the rest.
/// Pieces that wait go on in turns, one of each client at a time. Thread-safe.
class FairTurns {
  struct Client;

 public:
  FairTurns(std::size_t working, std::size_t waiting) noexcept
      : free_to_work_(working), free_to_wait_(waiting) {}
  FairTurns(const FairTurns&) = delete;
  FairTurns& operator=(const FairTurns&) = delete;

  /// A place to work, given back on destruction. Must not outlive the FairTurns.
  class Turn {
   public:
    Turn(Turn&& other) noexcept : turns_(std::exchange(other.turns_, nullptr)), client_(other.client_) {}
    Turn& operator=(Turn&& other) noexcept {
      std::swap(turns_, other.turns_);
      std::swap(client_, other.client_);
      return *this;
    }
    ~Turn() {
      if (turns_ != nullptr) turns_->give_back(client_);
    }

   private:
    friend class FairTurns;
    using Clients = std::map<std::string, Client>;
    Turn(FairTurns& turns, Clients::iterator client) noexcept : turns_(&turns), client_(client) {}
    FairTurns* turns_;
    Clients::iterator client_;
  };

  /// Waits for the client's turn. Nothing if it may not wait, or after close().
  [[nodiscard]] std::optional<Turn> take(const std::string& client);
  /// Ends all waiting, for good.
  void close() noexcept;

  [[nodiscard]] std::size_t waiting() const;

 private:
  struct Client {
    std::size_t working = 0, waiting = 0;
    std::uint64_t round = 0;  ///< of its last piece
  };
  using Clients = Turn::Clients;
  /// Pieces that wait, by round and then in the order of arrival.
  using Queue = std::map<std::pair<std::uint64_t, std::uint64_t>, Clients::iterator>;

  void give_back(Clients::iterator client) noexcept;
  [[nodiscard]] bool may_work(const Client& client) const noexcept;
  [[nodiscard]] bool is_next(const Queue::iterator& own) noexcept;
  void forget_if_absent(Clients::iterator client) noexcept;

  mutable std::mutex mutex_;  ///< guards the members below
  std::condition_variable changed_;
  std::size_t free_to_work_, free_to_wait_;
  Clients clients_;  ///< those that work or wait
  Queue queue_;
  std::uint64_t round_ = 0, arrivals_ = 0;
  bool closed_ = false;
};

}  // namespace akin
