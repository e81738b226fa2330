// Completion scripts, made from the command line's own description: commands, flags, files, folders and the
// words that an option takes.
#pragma once

#include <string>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace akin::cli {

/// For bash; needs nothing but bash itself.
[[nodiscard]] std::string bash_completion(const CLI::App& program);

/// For zsh: a file `_akin` in its function path.
[[nodiscard]] std::string zsh_completion(const CLI::App& program);

}  // namespace akin::cli
