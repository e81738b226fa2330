#include "tests/support/network.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace akin::test {

Network::Network() {
  int made[2];
  if (pipe(made) != 0) return;
  holder_ = fork();
  if (holder_ == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const char done = unshare(CLONE_NEWNET) == 0 ? '1' : '0';
    if (write(made[1], &done, 1) != 1) _exit(1);
    for (;;) pause();
  }
  close(made[1]);
  char done = '0';
  const bool told = read(made[0], &done, 1) == 1;
  close(made[0]);
  if (!told || done != '1') return;
  const auto id = static_cast<unsigned>(holder_);
  prefix_ = "10." + std::to_string(200 + id % 50) + "." + std::to_string(id / 50 % 250) + ".";
  name_ = "akin" + std::to_string(id);
  const std::string far = name_ + "f";
  is_there_ =
      run("ip link add " + name_ + " type veth peer name " + far + " netns " + std::to_string(holder_)) &&
      run("ip address add " + prefix_ + "1/30 dev " + name_) && run("ip link set " + name_ + " up") &&
      run_there("ip address add " + address() + "/30 dev " + far) &&
      run_there("ip link set " + far + " up") && run_there("ip link set lo up");
}

Network::~Network() {
  if (holder_ <= 0) return;
  // The interfaces go with the namespace, which goes with the last process in it.
  kill(holder_, SIGKILL);
  waitpid(holder_, nullptr, 0);
}

bool Network::enter() const {
  const int handle = open(("/proc/" + std::to_string(holder_) + "/ns/net").c_str(), O_RDONLY | O_CLOEXEC);
  return handle >= 0 && setns(handle, CLONE_NEWNET) == 0;
}

void Network::cut() { static_cast<void>(run_there("ip link set " + name_ + "f down")); }

void Network::silence() { static_cast<void>(run_there("ip route add blackhole " + prefix_ + "1/32")); }

void Network::mend() {
  static_cast<void>(run_there("ip link set " + name_ + "f up"));
  static_cast<void>(run_there("ip route delete blackhole " + prefix_ + "1/32"));
}

bool Network::run(const std::string& command) const {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

bool Network::run_there(const std::string& command) const {
  return run("nsenter --target " + std::to_string(holder_) + " --net " + command);
}

}  // namespace akin::test
