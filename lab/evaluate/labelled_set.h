// Texts with people's labels of which pairs are duplicates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace akin::evaluate {

/// The meaning of pairs that the table does not list.
enum class Unlisted {
  different,  ///< they are not duplicates
  unknown,    ///< nobody has judged them: such a pair does not count
};

struct LabelledSetRequest {
  /// A folder of texts with its table `pairs.tsv`; or a table, whose columns text_a and text_b contain the
  /// texts, or whose texts are files below its folder.
  std::filesystem::path set = {};
  std::filesystem::path pairs = {};        ///< the table, if it is elsewhere or has another name
  std::vector<std::string> positive = {};  ///< labels that mean a duplicate; empty: as tables::label_grade
  /// If not given: `different` for a table without labels (every pair in it is a duplicate), else `unknown`.
  std::optional<Unlisted> unlisted = {};
};

enum class Judgement : std::uint8_t { duplicate, different, unknown };

struct JudgedPair {
  std::uint32_t a = 0, b = 0;  ///< indices into LabelledSet::texts, a < b
  Judgement judgement = Judgement::unknown;
  friend auto operator<=>(const JudgedPair&, const JudgedPair&) = default;
};

struct LabelledSet {
  std::vector<std::string> texts;  ///< UTF-8 without byte order marks
  std::vector<std::string> names =
      {};  ///< of the texts: paths below the folder; empty if the table contains the texts
  std::vector<JudgedPair> pairs;  ///< the pairs in the table, ascending, each once
  Unlisted unlisted = Unlisted::unknown;

  [[nodiscard]] std::uint64_t count(Judgement judgement) const;  ///< including unlisted pairs
  /// The judgement of two texts. Requires a < b.
  [[nodiscard]] Judgement judgement(std::uint32_t a, std::uint32_t b) const;
};

/// Columns: a, file_a or file; b, file_b or source; label or category, where an empty label marks a pair that
/// nobody has judged. Files are named by their path below the folder, or by their last part if that is
/// unique. Reads the files that the table names, and, if unlisted pairs are different, every *.txt below the
/// folder. Errors: not_found (folder, table, a file), invalid_argument (columns, labels, a name that two
/// files have, a pair of a text with itself, two judgements of one pair), invalid_utf8.
[[nodiscard]] Result<LabelledSet> read_labelled_set(const LabelledSetRequest& request);

}  // namespace akin::evaluate
