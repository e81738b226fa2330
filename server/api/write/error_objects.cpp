// Errors as clients and operators see them.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "server/api/write/objects.h"

namespace akin::api {

namespace {

/// With other words in place of paths: of words that begin with a slash, or name a file of the data folder.
std::string without_paths(std::string_view text) {
  constexpr std::array<std::string_view, 8> kOwn = {"/state",    "/collections",  "/gen-", "/tasks",
                                                    "/hand-ins", "/dictionaries", ".mdb",  "/CURRENT"};
  std::string clean;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" ,;()"), text.size());
    std::string_view word = text.substr(0, end);
    while (word.starts_with('\'') || word.starts_with('"')) word.remove_prefix(1);
    const bool is_path = (word.starts_with('/') && word.size() > 1 && !word.starts_with("/v1/")) ||
                         std::ranges::any_of(kOwn, [word](std::string_view own) {
                           return word.find(own) != std::string_view::npos;
                         });
    clean += is_path ? std::string_view("a file of the server") : text.substr(0, end);
    text.remove_prefix(end);
    if (text.empty()) break;
    clean += text.front();
    text.remove_prefix(1);
  }
  return clean;
}

}  // namespace

Json error_object(const Error& error) {
  if (error.code == Errc::unavailable) {
    return full_error_object({error.code, "database", "it does not answer", "try again later"});
  }
  switch (error.code) {
    case Errc::io:
    case Errc::disk_full:
    case Errc::corrupt:
    case Errc::bad_dictionary:
    case Errc::internal:
    case Errc::busy:
    case Errc::quarantined:
      return full_error_object(
          {error.code, without_paths(error.what), without_paths(error.reason), without_paths(error.remedy)});
    default:
      return full_error_object(error);
  }
}

Json full_error_object(const Error& error) {
  Json object;
  object["code"] = error_name(error.code);
  object["detail"] = error.message();
  object["what"] = error.what;
  object["reason"] = error.reason;
  object["remedy"] = error.remedy;
  return object;
}

}  // namespace akin::api
