// Experts' labels of pairs of documents. The server's state has those of a collection as one value: a table
// with the columns a, b and label, sorted by the ids' bytes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

namespace akin::tables {

/// A label as a number: over 0 is a duplicate. Numbers stand for themselves; yes, y, true, ok, duplicate, да,
/// дубликат are 1; no, n, false, bad, none, non, нет are 0; in small or capital letters; a mark of what stays
/// (kept_by) is 1. Nothing for any other word.
[[nodiscard]] std::optional<double> label_grade(std::string_view label);

/// Which document of two duplicates stays.
enum class Kept : std::uint8_t { a, b, both };

/// "keep a", "delete b" or "оставить а" and "удалить б" say that B goes; "keep both" or "оставить оба" that
/// none does. The words are parted by a blank, "-" or "_". Nothing for any other label.
[[nodiscard]] std::optional<Kept> kept_by(std::string_view label);
/// "keep a", "keep b", "keep both"
[[nodiscard]] std::string_view kept_label(Kept kept) noexcept;

/// A label as it is stored: without blanks around it; a mark as kept_label, in which a and b change places if
/// `swapped`. `place` names it in errors. Errors: too_large (kMaxLabelBytes), invalid_argument (it has no
/// grade).
/// "" and "-" are labels here.
[[nodiscard]] Result<std::string> checked_label(std::string_view label, bool swapped,
                                                const std::string& place);

/// Longest label, in bytes.
inline constexpr std::size_t kMaxLabelBytes = 64;

/// Two ids, in the order of their bytes, and the label as it was given.
using Labels = std::map<std::pair<std::string, std::string>, std::string>;

/// The key of a pair, in whichever order its ids are given.
[[nodiscard]] std::pair<std::string, std::string> pair_of(std::string_view a, std::string_view b);

/// The labels of a table that labels_text has made; `name` is used in errors. Error: invalid_argument.
[[nodiscard]] Result<Labels> stored_labels(std::string_view table, const std::string& name);
[[nodiscard]] std::string labels_text(const Labels& labels);

/// Labels from a table with the columns a, b and label, the ids guarded (spreadsheet_cell.h) or not. A row
/// without a label has no effect; the label "-" removes the stored one; of two rows about one pair the later
/// one counts. Errors: invalid_argument (a column is missing; a label that has no grade or is too long; a
/// pair of a document with itself), with the line.
[[nodiscard]] Result<Labels> read_given_labels(std::string_view table, const std::string& name);

/// The effect of given labels.
struct LabelChanges {
  std::uint64_t added = 0;
  std::uint64_t changed = 0;
  std::uint64_t removed = 0;
  std::uint64_t same = 0;  ///< already stored, or there was nothing to remove
};

LabelChanges merge_labels(Labels& stored, const Labels& given);

}  // namespace akin::tables
