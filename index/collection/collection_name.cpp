#include "index/collection/collection_name.h"

#include <algorithm>

namespace akin {

bool is_collection_name(std::string_view name) noexcept {
  constexpr std::size_t kLongest = 64;
  const auto alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return !name.empty() && name.size() <= kLongest && alphanumeric(name[0]) &&
         std::all_of(name.begin(), name.end(),
                     [&](char c) { return alphanumeric(c) || c == '.' || c == '_' || c == '-'; });
}

Result<void> check_collection_name(std::string_view name) {
  if (is_collection_name(name)) return {};
  return Error{Errc::invalid_argument, "collection '" + std::string(name) + "'",
               std::string("a name has ") + kCollectionNameRule, "choose another name"};
}

Error no_collection(std::string_view name) {
  return Error{Errc::not_found, "collection '" + std::string(name) + "'",
               "there is no collection with this name", "check the name"};
}

Error collection_expired(std::string_view name) {
  return Error{Errc::not_found, "collection '" + std::string(name) + "'", "it has expired", ""};
}

Error collection_exists(std::string_view name) {
  return Error{Errc::already_exists, "collection '" + std::string(name) + "'",
               "a collection with this name exists", ""};
}

}  // namespace akin
