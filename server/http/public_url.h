// Where clients find a server behind a reverse proxy: --public-url.
#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "server/api/message.h"

namespace akin::http {

/// By default, clients reach the server directly, and everything stays as it is.
class PublicUrl {
 public:
  PublicUrl() = default;
  /// "https://library.example/akin": scheme, host, perhaps a port and a path. Error: invalid_argument.
  [[nodiscard]] static Result<PublicUrl> parse(std::string_view text);

  /// Clients reach the server directly, by HTTPS that it speaks itself.
  [[nodiscard]] static PublicUrl of_own_https() {
    PublicUrl url;
    url.is_secure_ = true;
    return url;
  }

  /// Host and port as the field Host has them; empty by default.
  [[nodiscard]] const std::string& authority() const noexcept { return authority_; }
  /// The path before the server's own paths, without a slash at its end; may be empty.
  [[nodiscard]] const std::string& root() const noexcept { return root_; }

  /// The target without the root, if it has it: a proxy may pass the root on or take it away.
  [[nodiscard]] std::string inward(std::string target) const;
  /// Puts the root before the server's own paths: in Location, in the path of cookies, in links and forms of
  /// pages, in the `type` of problems and in the `servers` of the interface's description. With https, the
  /// cookies are sent through HTTPS only.
  void outward(const api::Request& request, api::Response& response) const;

 private:
  std::string authority_, root_;
  bool is_secure_ = false;
};

}  // namespace akin::http
