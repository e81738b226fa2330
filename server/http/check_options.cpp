#include "server/http/check_options.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <string>

#include "server/access/hosts.h"
#include "server/http/listen_endpoint.h"
#include "server/http/tls.h"

namespace akin::http {

Result<void> check_options(const ServerOptions& options) {
  const auto wrong = [](const char* name, const char* rule) {
    return Error{Errc::invalid_argument, std::string("server option ") + name, rule, "change it"};
  };
  if (options.header_limit < 256 || options.header_limit > (std::size_t{1} << 20U)) {
    return wrong("header limit", "must be from 256 to 1048576 bytes");
  }
  if (options.body_limit == 0) return wrong("body limit", "must be over 0 bytes");
  if (options.body_limit > options.body_memory)
    return wrong("memory for bodies", "must be at least the body limit");
  if (options.answer_memory == 0) return wrong("memory for answers", "must be over 0 bytes");
  if (options.max_connections == 0) return wrong("number of connections", "must be over 0");
  if (options.max_streams == 0 || options.max_streams > 1024)
    return wrong("number of streams", "must be from 1 to 1024");
  if (options.io_threads == 0 || options.io_threads > 256)
    return wrong("number of I/O threads", "must be from 1 to 256");
  if (options.max_queued == 0) return wrong("number of queued requests", "must be over 0");
  if (options.tls) AKIN_CHECK(load_tls(*options.tls));
  return {};
}

Result<void> check_address(const ServerOptions& options) {
  AKIN_TRY(const auto endpoint, listen_endpoint(options));
  AKIN_CHECK(check_reach(options, endpoint.address()));
  boost::asio::io_context context;
  boost::asio::ip::tcp::socket socket(context);
  boost::system::error_code failure;
  socket.open(endpoint.protocol(), failure);
  if (!failure) socket.bind({endpoint.address(), 0}, failure);
  if (failure) return cannot_listen(options, failure);
  return {};
}

Result<void> check_without_keys(const ServerOptions& options) {
  const std::string host = access::host_of(options.public_url.authority()).value_or("localhost");
  if (host != "localhost" && !access::is_loopback_address(host)) {
    Error error = reachable_without_keys(host);
    error.remedy = "create a key (akin key create --scope admin), or leave --public-url out";
    return error;
  }
  const auto& origins = options.cors_origins;
  if (std::ranges::find(origins, "*") == origins.end()) return {};
  return Error{Errc::forbidden, "--cors-origin '*'",
               "no access key exists: any web page that is open in a browser of this machine could read, "
               "change and delete everything",
               "name the origins whose pages may use the API, or create a key (akin key create)"};
}

Error reachable_without_keys(const std::string& address) {
  return {
      Errc::forbidden, "serving at " + address,
      "other machines may reach it, and there is no access key: anyone who can reach it could read, change "
      "and delete everything",
      "create a key (akin key create --scope admin), or listen on 127.0.0.1"};
}

}  // namespace akin::http
