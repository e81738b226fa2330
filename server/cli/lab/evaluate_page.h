// Tables that commands below `akin evaluate` put into documents.
#pragma once

#include <string>
#include <string_view>

#include "server/cli/frame/program.h"

namespace akin::cli {

/// The region of a document that a table goes into (server/lab/evaluate/marked_region.h).
struct PageRegion {
  std::string into;    ///< the document; empty: none
  std::string region;  ///< the region's name
};

/// Adds --into and --region.
void add_page_options(Command command, PageRegion& page);

/// Checks that the region can be written, before anything is measured for it. Errors: those of
/// read_whole_file and with_region, with the document's name; invalid_argument (a document without a region).
[[nodiscard]] Result<void> check_page(const PageRegion& page);

/// Replaces the document by one in which the region has this content; does nothing if there is no document.
[[nodiscard]] Result<void> write_page(const PageRegion& page, std::string_view markdown);

/// A call of akin that readers can repeat.
class CommandLine {
 public:
  /// `command` is taken unchanged: "akin evaluate rank".
  explicit CommandLine(std::string command) : text_(std::move(command)) {}

  /// Adds a word, in quotes if a shell needs them.
  void add(std::string_view word);
  void add(std::string_view flag, std::string_view value);

  /// As a line of Markdown, with a blank line after it.
  [[nodiscard]] std::string markdown() const;

 private:
  std::string text_;
};

}  // namespace akin::cli
