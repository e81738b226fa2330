#include "tests/server/watch/receiver.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <sstream>

namespace akin::test {

Receiver::Receiver(Answer answer) : answer_(std::move(answer)) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  bind(listener_, reinterpret_cast<sockaddr*>(&address), size);
  listen(listener_, 64);
  getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  thread_ = std::jthread([this] { accept_all(); });
}

Receiver::~Receiver() {
  release();
  shutdown(listener_, SHUT_RDWR);
  thread_.join();
  serving_.clear();
  close(listener_);
}

std::string Receiver::with_status(int status, const std::string& more_fields, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + " X\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n" + more_fields + "\r\n" + body;
}

Receiver::Answer Receiver::always(int status, const std::string& more_fields) {
  return [=](std::size_t) { return with_status(status, more_fields); };
}

std::vector<Received> Receiver::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

bool Receiver::wait_for(std::size_t count) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return received_.size() >= count; });
}

void Receiver::hold() {
  const std::lock_guard lock(mutex_);
  is_held_ = true;
}

void Receiver::release() {
  const std::lock_guard lock(mutex_);
  is_held_ = false;
  changed_.notify_all();
}

void Receiver::accept_all() {
  for (;;) {
    const int connection = accept(listener_, nullptr, nullptr);
    if (connection < 0) return;
    ++connections_;
    serving_.emplace_back([this, connection] { serve(connection); });
  }
}

void Receiver::serve(int connection) {
  const int now = ++at_work_;
  for (int most = most_; now > most && !most_.compare_exchange_weak(most, now);) {
  }
  std::string bytes;
  std::array<char, 4096> buffer{};
  std::size_t header = std::string::npos, wanted = std::string::npos;
  Received request;
  while (bytes.size() < wanted) {
    const auto count = recv(connection, buffer.data(), buffer.size(), 0);
    if (count <= 0) break;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
    header = bytes.find("\r\n\r\n");
    if (header == std::string::npos || wanted != std::string::npos) continue;
    std::istringstream lines(bytes.substr(0, header));
    std::string line;
    std::getline(lines, line);
    request.path = line.substr(line.find(' ') + 1, line.rfind(' ') - line.find(' ') - 1);
    while (std::getline(lines, line)) {
      const auto colon = line.find(": ");
      std::string name = line.substr(0, colon);
      std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
      request.fields[name] = line.substr(colon + 2, line.find('\r') - colon - 2);
    }
    wanted = header + 4 + std::stoul(request.fields["content-length"]);
  }
  if (header != std::string::npos) {
    request.body = bytes.substr(header + 4);
    request.at = std::chrono::steady_clock::now();
    std::size_t number = 0;
    {
      std::unique_lock lock(mutex_);
      number = received_.size();
      received_.push_back(request);
      changed_.notify_all();
      changed_.wait(lock, [&] { return !is_held_; });
    }
    const std::string answer = answer_(number);
    --at_work_;  // before the client, which may ask again at once, has the answer
    send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
  } else {
    --at_work_;
  }
  close(connection);
}

}  // namespace akin::test
