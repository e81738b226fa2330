#include "server/http/public_url.h"

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>

#include "base/ascii.h"
#include "server/json/quoted.h"

namespace akin::http {

namespace {

bool is_plain(std::string_view text, std::string_view others) {
  return std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

/// Writes `root` before the slash with which `mark` ends, at each place of `mark`.
void insert_root(std::string& text, std::string_view mark, std::string_view root) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) {
    text.insert(at + mark.size() - 1, root);
    at += mark.size() + root.size();
  }
}

}  // namespace

Result<PublicUrl> PublicUrl::parse(std::string_view text) {
  const Error wrong{Errc::invalid_argument, "public URL " + json::in_quotes(text),
                    "it is not an address that clients can use",
                    "give scheme, host and perhaps a path, as in https://library.example/akin"};
  PublicUrl url;
  url.is_secure_ = text.starts_with("https://");
  if (!url.is_secure_ && !text.starts_with("http://")) return wrong;
  text.remove_prefix(text.find("://") + 3);
  const std::size_t slash = std::min(text.find('/'), text.size());
  url.authority_ = ascii_lower(text.substr(0, slash));
  url.root_ = text.substr(slash);
  while (url.root_.ends_with('/')) url.root_.pop_back();
  if (url.authority_.empty() || !is_plain(url.authority_, ".-:[]") || !is_plain(url.root_, "/._-~"))
    return wrong;
  return url;
}

std::string PublicUrl::inward(std::string target) const {
  if (root_.empty() || !target.starts_with(root_)) return target;
  const std::string_view rest = std::string_view(target).substr(root_.size());
  if (rest.empty()) return "/";
  if (rest.starts_with('?')) return "/" + std::string(rest);
  return rest.starts_with('/') ? std::string(rest) : target;
}

void PublicUrl::outward(const api::Request& request, api::Response& response) const {
  if (authority_.empty() && !is_secure_) return;
  std::string_view type;
  for (auto& [name, value] : response.headers) {
    if (boost::beast::iequals(name, "content-type")) type = value;
    if (name == "Location" && value.starts_with('/')) value.insert(0, root_);
    if (name != "Set-Cookie") continue;
    insert_root(value, "; Path=/", root_);
    if (is_secure_) value += "; Secure";
  }
  if (root_.empty()) return;
  constexpr std::array<std::string_view, 3> kPageMarks = {"href=\"/", "action=\"/", "src=\"/"};
  constexpr std::string_view kProblem = R"({"type":"/)", kServers = R"("servers":[{"url":"/)";
  if (type.starts_with("text/html")) {
    for (const std::string_view mark : kPageMarks) insert_root(response.body, mark, root_);
  } else if (type.starts_with(api::kProblemType) && response.body.starts_with(kProblem)) {
    response.body.insert(kProblem.size() - 1, root_);
  } else if (request.endpoint && request.endpoint->pattern == "/openapi.json") {
    insert_root(response.body, kServers, root_);
  }
}

}  // namespace akin::http
