// A body and an answer in memory, for handlers of streams.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "server/api/stream.h"
#include "server/api/write/objects.h"

namespace akin::test {

/// Gives the pieces one by one, then the error, if there is one.
class Pieces final : public api::BodySource {
 public:
  explicit Pieces(std::vector<std::string> pieces, std::optional<Error> error = {})
      : pieces_(pieces.begin(), pieces.end()), error_(std::move(error)) {}
  Result<std::size_t> read(std::span<char> into) override {
    while (!pieces_.empty() && pieces_.front().empty()) pieces_.pop_front();
    if (pieces_.empty()) {
      if (error_) return *error_;
      return std::size_t{0};
    }
    std::string& piece = pieces_.front();
    const std::size_t taken = std::min(piece.size(), into.size());
    std::copy_n(piece.begin(), taken, into.begin());
    piece.erase(0, taken);
    return taken;
  }

 private:
  std::deque<std::string> pieces_;
  std::optional<Error> error_;
};

/// Takes so many writes, then the client is gone.
class Answer final : public api::AnswerSink {
 public:
  explicit Answer(int writes = 1'000'000) : writes_(writes) {}
  Result<void> begin(const api::Response& head) override {
    status = head.status;
    return {};
  }
  Result<void> write(std::string_view bytes) override {
    if (writes_-- <= 0) return Error{Errc::io, "client", "is gone", ""};
    body += bytes;
    return {};
  }
  void trouble(std::string what) override { said = std::move(what); }
  std::vector<api::Json> lines() const {
    std::vector<api::Json> all;
    std::istringstream stream(body);
    for (std::string line; std::getline(stream, line);) all.push_back(api::Json::parse(line));
    return all;
  }
  int status = 0;
  std::string body, said;

 private:
  int writes_;
};

}  // namespace akin::test
