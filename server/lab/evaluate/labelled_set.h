// Texts of which people have said which pairs are duplicates.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"

namespace akin::evaluate {

/// What holds of two texts that the table does not name as a pair.
enum class Unlisted {
  different,  ///< they are no duplicates
  unknown,    ///< nobody has looked: the pair does not count
};

struct LabelledSetRequest {
  /// A folder of texts with its table `pairs.tsv`; or a table, whose columns text_a and text_b hold the
  /// texts, or whose texts are files below its folder.
  std::filesystem::path set = {};
  std::filesystem::path pairs = {};        ///< the table, if not in the folder or of another name
  std::vector<std::string> positive = {};  ///< labels that mean a duplicate; empty: as label_grade
  /// Without: `different` for a table without labels (every pair in it is a duplicate), else `unknown`.
  std::optional<Unlisted> unlisted = {};
};

enum class Judgement : std::uint8_t { duplicate, different, unknown };

struct JudgedPair {
  std::uint32_t a = 0, b = 0;  ///< places in LabelledSet::texts, a < b
  Judgement judgement = Judgement::unknown;
  friend auto operator<=>(const JudgedPair&, const JudgedPair&) = default;
};

struct LabelledSet {
  std::vector<std::string> texts;       ///< UTF-8 without byte order marks
  std::vector<std::string> names = {};  ///< of the texts: paths below the folder; empty if a table has them
  std::vector<JudgedPair> pairs;        ///< those that the table names, ascending, each once
  Unlisted unlisted = Unlisted::unknown;

  [[nodiscard]] std::uint64_t count(Judgement judgement) const;  ///< unlisted pairs included
  /// What is known of two texts. Requires a < b.
  [[nodiscard]] Judgement judgement(std::uint32_t a, std::uint32_t b) const;
};

/// Columns: a, file_a or file; b, file_b or source; label or category, a row with an empty label being one
/// that nobody has judged. Files are named by their path below the folder, or by their last part if that is
/// unique. Read are the files that the table names, and, where unlisted pairs are different, every *.txt
/// below the folder. Errors: not_found (folder, table, a file), invalid_argument (columns, labels, a name
/// that two files have, a pair of a text with itself, two judgements of one pair), invalid_utf8.
[[nodiscard]] Result<LabelledSet> read_labelled_set(const LabelledSetRequest& request);

}  // namespace akin::evaluate
