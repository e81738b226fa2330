// Shared passages as a person reads them: how much is shared, and the text of both sides one below the other.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "index/overlap.h"
#include "index/passages.h"
#include "server/cli/output.h"

namespace akin::cli {

/// A text that is sliced at many places: cuts cost a bounded walk instead of one from the start.
class SlicedText {
 public:
  /// Keeps a view; requires well-formed UTF-8.
  explicit SlicedText(std::string_view utf8);
  [[nodiscard]] std::string_view slice(TextRange range) const;

 private:
  std::string_view utf8_;
  std::vector<std::size_t> marks_;  ///< byte offset of every kStep-th code point
};

/// Names of the two sides as they head the lines: {"query", "document"} or two file names.
struct SideNames {
  std::string a;
  std::string b;
};

/// What B has of A: "has 117 of the query's 120 features (97.5 %), which make 1.2 % of its own 9,800".
[[nodiscard]] std::string shares_line(const Overlap& overlap, std::string_view a_name);

/// Prints the `limit` passages with most features (0 = all), in the order of the first text, each with its
/// ranges and the beginning of its text on both sides; says how many were left out.
void print_passages(Output& out, const std::vector<Passage>& passages, const SlicedText& a,
                    const SlicedText& b, const SideNames& names, std::size_t limit);

}  // namespace akin::cli
