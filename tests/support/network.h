// A network of a test's own, joined with this one by a cable that can be cut.
#pragma once

#include <sys/types.h>

#include <string>

namespace akin::test {

/// A network namespace, and a pair of virtual interfaces. It goes with its owner, however that ends.
class Network {
 public:
  Network();
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  /// False where the kernel, or who runs the test, may not make namespaces.
  [[nodiscard]] bool is_there() const noexcept { return is_there_; }
  /// Of the far end.
  [[nodiscard]] std::string address() const { return prefix_ + "2"; }
  /// Moves this process into it.
  [[nodiscard]] bool enter() const;

  /// The far end's interface goes down.
  void cut();
  /// What the far end says is lost on the way, without a sign.
  void silence();
  void mend();

 private:
  [[nodiscard]] bool run(const std::string& command) const;
  [[nodiscard]] bool run_there(const std::string& command) const;

  pid_t holder_ = -1;  ///< the process that keeps the namespace
  std::string prefix_, name_;
  bool is_there_ = false;
};

}  // namespace akin::test
