// Flags that are parameters of an operation of the interface: the description of the interface has their
// names, values, defaults and meanings.
#pragma once

#include <deque>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/frame/command.h"
#include "server/api/parameters.h"

namespace akin::cli {

class DeclaredFlags {
 public:
  /// Adds parameters of the operation (its handler's name) to a command: `min_words` is --min-words. This
  /// must live as long as the command. Requires that the operation has them. Call it once.
  void add(Command command, std::string_view operation, std::initializer_list<std::string_view> names);
  /// What was given, and the defaults of all parameters of the operation. Error: as api::Parameters::read.
  [[nodiscard]] Result<api::Parameters> read() const;
  /// Whether the parameter was given.
  [[nodiscard]] bool has(std::string_view name) const;

 private:
  std::vector<api::DeclaredParameter> declared_;
  std::deque<std::pair<std::string_view, std::optional<std::string>>> values_;
};

}  // namespace akin::cli
