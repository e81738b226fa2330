#include "server/tables/labels.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/ascii.h"
#include "base/spreadsheet_cell.h"
#include "base/utf8.h"
#include "dict/fold/fold.h"
#include "server/json/quoted.h"
#include "server/tables/delimited.h"

namespace akin::tables {

namespace {

constexpr std::string_view kRemove = "-";
constexpr std::string_view kBlanks = " \t\r\n";

std::string lower(std::string_view word) {
  WordFolder folder;
  return to_utf8(folder.fold(word).letters);
}

}  // namespace

std::optional<double> label_grade(std::string_view label) {
  label = trimmed(label, kBlanks);
  double number = 0;
  const char* end = label.data() + label.size();
  const auto [stop, failure] = std::from_chars(label.data(), end, number);
  if (failure == std::errc{} && stop == end && std::isfinite(number)) return number;
  constexpr std::array<std::string_view, 7> kYes = {"yes", "y", "true", "ok", "duplicate", "да", "дубликат"};
  constexpr std::array<std::string_view, 7> kNo = {"no", "n", "false", "bad", "none", "non", "нет"};
  const std::string word = lower(label);
  if (std::find(kYes.begin(), kYes.end(), word) != kYes.end()) return 1.0;
  if (std::find(kNo.begin(), kNo.end(), word) != kNo.end()) return 0.0;
  return kept_by(label) ? std::optional(1.0) : std::nullopt;
}

std::optional<Kept> kept_by(std::string_view label) {
  const std::string_view words = trimmed(label, kBlanks);
  const std::size_t between = words.find_first_of(" -_");
  if (between == std::string_view::npos) return std::nullopt;
  const std::string verb = lower(words.substr(0, between)), side = lower(words.substr(between + 1));
  const bool keeps = verb == "keep" || verb == "оставить";
  if (!keeps && verb != "delete" && verb != "удалить") return std::nullopt;
  // The letter may be the Latin or the Cyrillic one, which look alike.
  if (side == "a" || side == "а") return keeps ? Kept::a : Kept::b;
  if (side == "b" || side == "б") return keeps ? Kept::b : Kept::a;
  const bool both = side == "both" || side == "оба";
  return keeps && both ? std::optional(Kept::both) : std::nullopt;
}

std::string_view kept_label(Kept kept) noexcept {
  constexpr std::array<std::string_view, 3> kLabels = {"keep a", "keep b", "keep both"};
  return kLabels.at(static_cast<std::size_t>(kept));
}

Result<std::string> checked_label(std::string_view label, bool swapped, const std::string& place) {
  label = trimmed(label, kBlanks);
  if (label.size() > kMaxLabelBytes) {
    return Error{Errc::too_large, place, "the label has more than 64 bytes", "shorten it"};
  }
  if (auto kept = kept_by(label)) {
    if (swapped && *kept != Kept::both) kept = *kept == Kept::a ? Kept::b : Kept::a;
    return std::string(kept_label(*kept));
  }
  if (!label.empty() && label != kRemove && !label_grade(label)) {
    return Error{Errc::invalid_argument, place,
                 "the label " + json::in_quotes(label) + " means neither yes nor no",
                 "write yes, no, keep a, keep b, keep both, or a number (over 0 is a duplicate)"};
  }
  return std::string(label);
}

std::pair<std::string, std::string> pair_of(std::string_view a, std::string_view b) {
  if (b < a) std::swap(a, b);
  return {std::string(a), std::string(b)};
}

Result<Labels> stored_labels(std::string_view table, const std::string& name) {
  AKIN_TRY(Labels labels, read_given_labels(table, name));
  std::erase_if(labels, [](const auto& entry) { return entry.second == kRemove; });
  return labels;
}

std::string labels_text(const Labels& labels) {
  std::string content = "a\tb\tlabel\n";
  for (const auto& [pair, label] : labels) {
    content += guarded_cell(pair.first) + "\t" + guarded_cell(pair.second) + "\t" + label + "\n";
  }
  return content;
}

Result<Labels> read_given_labels(std::string_view text, const std::string& name) {
  AKIN_TRY(const DelimitedTable table, read_delimited(text, name));
  AKIN_TRY(const std::size_t a, table.required_column({"a"}));
  AKIN_TRY(const std::size_t b, table.required_column({"b"}));
  AKIN_TRY(const std::size_t label_column, table.required_column({"label"}));
  Labels labels;
  for (const DelimitedRow& row : table.rows) {
    const std::string first = unguarded_cell(row.fields[a]), second = unguarded_cell(row.fields[b]);
    AKIN_TRY(const std::string label,
             checked_label(row.fields[label_column], second < first, table.place(row)));
    if (label.empty()) continue;
    if (first == second) {
      return Error{Errc::invalid_argument, table.place(row), "pairs a document with itself", "name two ids"};
    }
    labels[pair_of(first, second)] = label;
  }
  return labels;
}

LabelChanges merge_labels(Labels& stored, const Labels& given) {
  LabelChanges changes;
  for (const auto& [pair, label] : given) {
    const auto found = stored.find(pair);
    if (label == kRemove) {
      ++(found == stored.end() ? changes.same : changes.removed);
      if (found != stored.end()) stored.erase(found);
    } else if (found == stored.end()) {
      stored.emplace(pair, label);
      ++changes.added;
    } else if (found->second == label) {
      ++changes.same;
    } else {
      found->second = label;
      ++changes.changed;
    }
  }
  return changes;
}

}  // namespace akin::tables
