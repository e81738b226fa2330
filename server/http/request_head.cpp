#include "server/http/request_head.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <random>
#include <string_view>

#include "base/ascii.h"
#include "base/hex.h"

namespace akin::http {

namespace {

constexpr std::size_t kMaxIdBytes = 128;

bool is_request_id(std::string_view text) {
  return !text.empty() && text.size() <= kMaxIdBytes && std::ranges::all_of(text, [](unsigned char c) {
    return c < 0x80 && (std::isalnum(c) != 0 || c == '.' || c == '_' || c == '-');
  });
}

std::string new_request_id() {
  thread_local std::mt19937_64 numbers = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return std::mt19937_64(seed);
  }();
  return hex16(numbers());
}

}  // namespace

api::Request request_head(const Parser::value_type& parsed, const std::string& peer) {
  using boost::beast::http::field;
  api::Request request;
  request.method = std::string(parsed.method_string());
  request.target = std::string(parsed.target());
  request.content_type = std::string(parsed[field::content_type]);
  request.peer = peer;
  for (const auto& sent : parsed) {
    std::string name = ascii_lower(sent.name_string());
    if (name == "x-request-id" && request.id.empty() && is_request_id(sent.value()))
      request.id = sent.value();
    request.headers.emplace_back(std::move(name), std::string(sent.value()));
  }
  if (request.id.empty()) request.id = new_request_id();
  return request;
}

}  // namespace akin::http
