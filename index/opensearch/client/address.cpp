#include "index/opensearch/client/address.h"

#include <algorithm>
#include <cstdlib>

namespace akin::opensearch {
namespace {

constexpr std::string_view kScheme = "opensearch+";
constexpr std::size_t kMostPrefix = 60;

Error bad_address(std::string reason) {
  return Error{Errc::invalid_argument, "--store", std::move(reason),
               "give one like opensearch+https://user@host:9200/akin"};
}

/// What indices may be called that follow the prefix.
bool is_prefix(std::string_view name) {
  const auto is_plain = [](char one) { return (one >= 'a' && one <= 'z') || (one >= '0' && one <= '9'); };
  return !name.empty() && name.size() <= kMostPrefix && is_plain(name.front()) &&
         std::ranges::all_of(name, [&](char one) { return is_plain(one) || one == '-' || one == '_'; });
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_cluster(std::string_view address) noexcept { return address.starts_with(kScheme); }

Result<Address> parse_address(std::string_view address) {
  std::string_view rest = address.substr(std::min(kScheme.size(), address.size()));
  const auto begin = rest.find("://");
  const std::string_view protocol = rest.substr(0, begin);
  if (!is_cluster(address) || begin == rest.npos || (protocol != "http" && protocol != "https"))
    return bad_address("it begins with neither opensearch+http:// nor opensearch+https://");
  rest.remove_prefix(begin + 3);
  const auto slash = rest.find('/');
  Address parsed;
  parsed.prefix = slash == rest.npos ? "akin" : std::string(rest.substr(slash + 1));
  if (!is_prefix(parsed.prefix))
    return bad_address(
        "what follows the host is not a prefix: small letters, digits, '-' and '_', at most 60");
  std::string_view hosts = rest.substr(0, slash);
  if (const auto at = hosts.rfind('@'); at != hosts.npos) {
    const std::string_view user = hosts.substr(0, at);
    const auto colon = user.find(':');
    parsed.user = user.substr(0, colon);
    if (colon != user.npos) parsed.password = user.substr(colon + 1);
    hosts.remove_prefix(at + 1);
  }
  if (parsed.password.empty()) parsed.password = environment("AKIN_OPENSEARCH_PASSWORD");
  parsed.authorities = environment("AKIN_OPENSEARCH_CA");
  for (bool more = true; more;) {
    const auto comma = hosts.find(',');
    more = comma != hosts.npos;
    if (hosts.substr(0, comma).empty()) return bad_address("it names no host");
    parsed.nodes.push_back(std::string(protocol) + "://" + std::string(hosts.substr(0, comma)));
    hosts.remove_prefix(more ? comma + 1 : 0);
  }
  return parsed;
}

std::string shown_address(std::string_view address) {
  const auto begin = address.find("://");
  const auto at = address.rfind('@');
  if (begin == address.npos || at == address.npos) return std::string(address);
  const std::string_view user = address.substr(begin + 3, at - begin - 3);
  return std::string(address.substr(0, begin + 3)) + std::string(user.substr(0, user.find(':'))) +
         std::string(address.substr(at));
}

}  // namespace akin::opensearch
