// The pages by which an administrator looks after the server: its state and tasks, persons, the audit log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/desk/page.h"
#include "server/json/json.h"

namespace akin::desk {

/// How long answers of one kind took.
struct Speed {
  std::string_view kind;               ///< of Words::request_kinds
  std::vector<std::uint64_t> answers;  ///< in each part between the bounds
};

/// The lists are those that the interface answers to programs.
struct ServerView {
  json::Json collections;         ///< of GET /v1/collections
  std::uint64_t total = 0;        ///< collections
  std::vector<json::Json> tasks;  ///< the newest first
  std::string version;
  std::vector<double> bounds;  ///< in seconds, ascending: of all parts but the last
  std::vector<Speed> speeds;
  std::uint64_t kept_for_checks = 0;  ///< bytes
};
[[nodiscard]] std::string server_page(const Reader& reader, const ServerView& view);

/// A secret that was just made, which no later page shows. `of`: the person, or the label of the key.
struct NewSecret {
  std::string of, secret;
};
[[nodiscard]] std::string secret_box(std::string_view sentence, const NewSecret& made);

/// Boxes for the collections that a person or key may use; nothing if there are none.
[[nodiscard]] std::string collection_boxes(const Words& words, const std::vector<std::string>& collections,
                                           const json::Json& chosen);

/// What the form has of a person, apart from the id.
[[nodiscard]] json::Json person_base(const json::Json& person);

struct PersonsView {
  json::Json persons;  ///< of GET /v1/persons
  std::vector<std::string> collections;
  NewSecret made = {};
  /// What the form says of a person whom somebody else has changed meanwhile; null: of nobody.
  json::Json written = nullptr;
};
[[nodiscard]] std::string persons_page(const Reader& reader, const PersonsView& view);

/// Keys of programs; those of persons, and revoked ones, are not among `keys`. keys.cpp
[[nodiscard]] std::string keys_page(const Reader& reader, const json::Json& keys,
                                    const std::vector<std::string>& collections, const NewSecret& made);

struct LogView {
  json::Json entries;         ///< of GET /v1/audit
  std::string older;          ///< the cursor of the next page; empty: there is none
  std::string verified = {};  ///< what a verification found, in words; empty: none was asked for
  std::vector<std::string> problems = {};
};
[[nodiscard]] std::string log_page(const Reader& reader, const LogView& view);

}  // namespace akin::desk
