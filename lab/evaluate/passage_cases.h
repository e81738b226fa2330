// Reads tables of passages that are known to be reused, and of further pairs of documents that share text,
// and compares them with what searches found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "index/overlap/passages.h"
#include "lab/evaluate/passage_measures.h"
#include "server/tables/delimited.h"

namespace akin::evaluate {

/// The documents of a folder, as tables name them.
class FolderNames {
 public:
  /// `names`: paths relative to the folder, with '/' between their parts.
  FolderNames(const std::filesystem::path& folder, std::set<std::string> names);

  /// The document's path in the folder, for a name that is this path, with or without the folder's own name
  /// in front ("susp/a.txt" in the folder ".../susp"); null if the folder does not have it.
  [[nodiscard]] const std::string* find(const std::string& name) const;
  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  [[nodiscard]] const std::set<std::string>& names() const noexcept { return names_; }

 private:
  std::string folder_;  ///< as given, for errors
  std::string prefix_;  ///< its own name and '/'
  std::set<std::string> names_;
};

/// A passage of a text that is known to be taken from a source.
struct PassageCase {
  Reuse reuse;
  std::uint64_t line = 0;  ///< of the table
};

/// Reads the columns susp, source, this_offset, this_length, source_offset and source_length; others are
/// ignored. Offsets and lengths are in code points. Errors: invalid_argument (a column is missing, no rows, a
/// number that is malformed, a length of 0, an end over 2^32-1), not_found (a document that is not in its
/// folder), all with the line.
[[nodiscard]] Result<std::vector<PassageCase>> read_passage_cases(const tables::DelimitedTable& table,
                                                                  const FolderNames& texts,
                                                                  const FolderNames& sources);

/// Reads the pairs of a text and a source in the columns doc_a and doc_b, in either order. Pairs of other
/// documents are ignored. Errors: invalid_argument (a column is missing; no such pair).
[[nodiscard]] Result<std::set<SourcePair>> read_known_overlaps(const tables::DelimitedTable& table,
                                                               const FolderNames& texts,
                                                               const FolderNames& sources);

/// A source that the search for a text found; the passages' A is the text.
struct FoundSource {
  SourcePair pair;
  std::vector<Passage> passages;
};

struct PassageReport {
  /// Over the labelled pairs, those with a case: passages found in other pairs are neither right nor wrong.
  PassageMeasures measures;
  std::size_t pairs = 0;             ///< labelled
  std::size_t pairs_found = 0;       ///< of them
  std::vector<PassageCase> missed;   ///< cases that no passage meets, in their order
  std::vector<SourcePair> known;     ///< other pairs found that are known overlaps
  std::vector<SourcePair> unlisted;  ///< and those that are not; both in the order of `found`
};

/// `found` has each pair once.
[[nodiscard]] PassageReport report_passages(const std::vector<PassageCase>& cases,
                                            const std::set<SourcePair>& known_overlaps,
                                            const std::vector<FoundSource>& found);

}  // namespace akin::evaluate
