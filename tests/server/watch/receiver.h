// A webhook's receiver on loopback: remembers the requests it gets, and answers as configured.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace akin::test {

struct Received {
  std::string path;
  std::map<std::string, std::string> fields;  ///< names in lower case
  std::string body;
  std::chrono::steady_clock::time_point at;
};

class Receiver {
 public:
  /// The whole answer to the n-th request, from 0.
  using Answer = std::function<std::string(std::size_t number)>;

  Receiver() : Receiver(always(200)) {}
  explicit Receiver(Answer answer);
  ~Receiver();
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;

  static Answer always(int status, const std::string& more_fields = {});
  static std::string with_status(int status, const std::string& more_fields = {},
                                 const std::string& body = {});

  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_) + "/hook"; }
  [[nodiscard]] std::vector<Received> received() const;
  /// Waits until so many have come; false after 20 s.
  [[nodiscard]] bool wait_for(std::size_t count) const;
  /// From now on answers wait until release, or until the receiver goes.
  void hold();
  void release();
  /// The most that were being answered at once.
  [[nodiscard]] int most_at_once() const { return most_; }
  [[nodiscard]] int connections() const { return connections_; }

 private:
  void accept_all();
  void serve(int connection);

  const Answer answer_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  std::atomic<int> at_work_ = 0, most_ = 0, connections_ = 0;
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::vector<Received> received_;
  bool is_held_ = false;
  std::vector<std::jthread> serving_;
  std::jthread thread_;
};

}  // namespace akin::test
