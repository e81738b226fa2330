// Who does something, for what is recorded of it.
#pragma once

#include <string>

namespace akin::state {

/// A person, an access key, or somebody at the command line; nobody is known on a server without keys.
struct Actor {
  std::string kind = {};     ///< "person", "key", "link", "command"; empty: unknown
  std::string id = {};       ///< of the person, key or link; of the command line the user's name
  std::string name = {};     ///< for people: the person's name, the key's or link's label
  std::string address = {};  ///< of the client; empty at the command line

  [[nodiscard]] bool is_known() const noexcept { return !kind.empty(); }
};

}  // namespace akin::state
