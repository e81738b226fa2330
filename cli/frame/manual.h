// Manual pages, in roff with the macros of man(7), made from the command line's own description.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace akin::cli {

struct ManualPage {
  std::string file;  ///< "akin-serve.1"
  std::string text;
};

struct ManualText {
  std::string summary;  ///< of the program, half a sentence
  std::string version;
  std::string date;  ///< of the release, YYYY-MM-DD
};

/// PROGRAM(1), and PROGRAM-COMMAND(1) for every command below it; commands below that one are part of its
/// page. Reads the defaults of the flags, so it must be called before flags change them.
[[nodiscard]] std::vector<ManualPage> manual_pages(CLI::App& program, const ManualText& text);

}  // namespace akin::cli
