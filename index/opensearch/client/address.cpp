#include "index/opensearch/client/address.h"

#include <cstdlib>
#include <regex>

#include "base/ascii.h"

namespace akin::opensearch {
namespace {

constexpr std::string_view kScheme = "opensearch+";
constexpr std::size_t kMostBytes = 4'096;

Error bad_address(std::string reason) {
  return Error{Errc::invalid_argument, "--store", std::move(reason),
               "give one like opensearch+https://user@host:9200/akin"};
}

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

bool is_cluster(std::string_view address) noexcept { return address.starts_with(kScheme); }

Result<Address> parse_address(std::string_view address) {
  static const std::regex kForm("opensearch\\+(https?://)(?:([^/:]*)(?::([^/]*))?@)?([^/@]*)(?:/(.*))?"),
      kPrefix("[a-z0-9][a-z0-9_-]{0,59}");
  if (address.size() > kMostBytes) return bad_address("it is longer than 4,096 bytes");
  std::match_results<std::string_view::const_iterator> parts;
  if (!std::regex_match(address.begin(), address.end(), parts, kForm))
    return bad_address("it begins with neither opensearch+http:// nor opensearch+https://");
  Address parsed{{}, parts[2], parts[3], parts[5].matched ? parts[5].str() : "akin", {}};
  if (parsed.password.empty()) parsed.password = environment("AKIN_OPENSEARCH_PASSWORD");
  parsed.authorities = environment("AKIN_OPENSEARCH_CA");
  if (!std::regex_match(parsed.prefix, kPrefix))
    return bad_address(
        "what follows the host is not a prefix: small letters, digits, '-' and '_', at most 60");
  const std::string hosts = parts[4];
  for (const std::string_view host : split(hosts, ',')) {
    if (host.empty()) return bad_address("it names no host");
    parsed.nodes.push_back(parts[1].str() + std::string(host));
  }
  return parsed;
}

std::string shown_address(std::string_view address) {
  std::string shown(address);
  const auto at = shown.rfind('@'), colon = shown.find(':', shown.find("://") + 3);
  if (at != shown.npos && colon < at) shown.erase(colon, at - colon);
  return shown;
}

}  // namespace akin::opensearch
