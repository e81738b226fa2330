// The pages by which an administrator looks after the server: its state and tasks, persons, the audit log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// The lists are those that the interface answers to programs.
struct ServerView {
  json::Json collections;         ///< of GET /v1/collections
  std::uint64_t total = 0;        ///< collections
  std::vector<json::Json> tasks;  ///< the newest first
  std::string version;
};
[[nodiscard]] std::string server_page(const Reader& reader, const ServerView& view);

/// A secret that was just made, which no later page shows.
struct NewSecret {
  std::string person, secret;
};
[[nodiscard]] std::string persons_page(const Reader& reader, const json::Json& persons,
                                       const std::vector<std::string>& collections, const NewSecret& made);

struct LogView {
  json::Json entries;         ///< of GET /v1/audit
  std::string older;          ///< the cursor of the next page; empty: there is none
  std::string verified = {};  ///< what a verification found, in words; empty: none was asked for
  std::vector<std::string> problems = {};
};
[[nodiscard]] std::string log_page(const Reader& reader, const LogView& view);

}  // namespace akin::desk
