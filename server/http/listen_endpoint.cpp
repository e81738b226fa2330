#include "server/http/listen_endpoint.h"

#include <boost/asio/error.hpp>
#include <boost/asio/io_context.hpp>
#include <string>
#include <utility>

#include "server/http/check_options.h"
#include "server/json/quoted.h"

namespace akin::http {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using tcp = asio::ip::tcp;

std::string endpoint_name(const ServerOptions& options) {
  const bool v6 = options.host.find(':') != std::string::npos;
  return (v6 ? "[" + options.host + "]:" : options.host + ":") + std::to_string(options.port);
}

}  // namespace

Result<tcp::endpoint> listen_endpoint(const ServerOptions& options) {
  asio::io_context context;
  tcp::resolver resolver(context);
  error_code failure;
  const auto found =
      resolver.resolve(options.host, std::to_string(options.port), tcp::resolver::passive, failure);
  if (!failure && !found.empty()) return found.begin()->endpoint();
  return Error{Errc::invalid_argument, "listen address " + json::in_quotes(options.host),
               "is not an address of this machine",
               "give an IPv4 or IPv6 address or a name, for instance 127.0.0.1"};
}

Result<void> check_reach(const ServerOptions& options, const asio::ip::address& address) {
  if (address.is_loopback() || options.reachable) return {};
  return reachable_without_keys(address.to_string());
}

Error cannot_listen(const ServerOptions& options, const error_code& failure) {
  std::string remedy = "check the address";
  if (failure == asio::error::address_in_use)
    remedy = "stop the program that listens there, or choose another port (0 takes any free one)";
  if (failure == asio::error::access_denied) remedy = "choose a port over 1023";
  return Error{Errc::io, "listening on " + endpoint_name(options), failure.message(), std::move(remedy)};
}

}  // namespace akin::http
