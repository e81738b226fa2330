// The address of a cluster and of akin's part of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace akin::opensearch {

/// "opensearch+https://USER@HOST:9200,HOST:9200/PREFIX", as --store has it.
struct Address {
  std::vector<std::string> nodes;  ///< "https://host:9200"; any of them answers for all
  std::string user, password;      ///< empty: none
  std::string prefix;              ///< all indices of akin have names that begin with it and "-"
  std::string authorities;         ///< file of those whose certificates nodes may have; empty: the system's
};

/// Whether an address names a cluster: it begins with "opensearch+".
[[nodiscard]] bool is_cluster(std::string_view address) noexcept;

/// A password that the address lacks is that of the environment variable AKIN_OPENSEARCH_PASSWORD; the file
/// of authorities is that of AKIN_OPENSEARCH_CA. Error: invalid_argument, which does not repeat the password.
[[nodiscard]] Result<Address> parse_address(std::string_view address);

/// The address without its password, for messages.
[[nodiscard]] std::string shown_address(std::string_view address);

}  // namespace akin::opensearch
