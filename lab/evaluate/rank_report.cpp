#include "lab/evaluate/rank_report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "server/json/quoted.h"
#include "server/tables/labels.h"

namespace akin::evaluate {

namespace {

struct Column {
  std::string name;
  std::size_t at = 0;
  std::vector<double> values;
};

/// The judged pairs: values by columns.
struct LabelledPairs {
  std::vector<Column> measures;
  std::vector<double> labels;
};

Result<std::vector<Column>> measure_columns(const tables::DelimitedTable& table, const RankRequest& request) {
  std::vector<Column> columns;
  for (const std::string& name : request.measures) {
    AKIN_TRY(const std::size_t at, table.required_column({name}));
    columns.push_back({name, at, {}});
  }
  if (!request.measures.empty()) return columns;
  for (const std::string_view name : kPairMeasures) {
    if (const auto at = table.column({name})) columns.push_back({std::string(name), *at, {}});
  }
  if (columns.empty()) {
    return Error{Errc::invalid_argument, table.name, "has no column with a measure",
                 "name its columns with --measure, or create the table with akin pairs --table"};
  }
  return columns;
}

Result<double> read_value(const tables::DelimitedTable& table, const tables::DelimitedRow& row,
                          const Column& column) {
  const std::string& field = row.fields[column.at];
  double value = 0;
  const char* end = field.data() + field.size();
  const auto [stop, failure] = std::from_chars(field.data(), end, value);
  if (failure != std::errc{} || stop != end || !std::isfinite(value)) {
    return Error{
        Errc::invalid_argument, table.place(row),
        json::in_quotes(field) + " in the column " + json::in_quotes(column.name) + " is not a number",
        "write it with a point, as 0.5"};
  }
  return value;
}

bool is_equal_pair(const std::vector<Column>& columns, const std::vector<double>& values) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].name != "x" && values[i] == 1.0) return true;
  }
  return false;
}

Result<LabelledPairs> read_pairs(const tables::DelimitedTable& table, const RankRequest& request,
                                 RankReport& report) {
  LabelledPairs pairs;
  AKIN_TRY(pairs.measures, measure_columns(table, request));
  AKIN_TRY(const std::size_t label_column, table.required_column({"label"}));
  std::vector<double> values(pairs.measures.size());
  for (const tables::DelimitedRow& row : table.rows) {
    const std::string& label = row.fields[label_column];
    if (label.empty()) {
      ++report.unlabelled;
      continue;
    }
    const auto grade = tables::label_grade(label);
    if (!grade) {
      return Error{Errc::invalid_argument, table.place(row),
                   "the label " + json::in_quotes(label) + " means neither yes nor no",
                   "write yes, no, or a number (over 0 is a duplicate)"};
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      AKIN_TRY(values[i], read_value(table, row, pairs.measures[i]));
    }
    if (request.without_equal && is_equal_pair(pairs.measures, values)) {
      ++report.equal;
      continue;
    }
    pairs.labels.push_back(*grade);
    for (std::size_t i = 0; i < values.size(); ++i) pairs.measures[i].values.push_back(values[i]);
  }
  return pairs;
}

std::vector<MeasureCorrelation> correlate(const std::vector<Column>& measures) {
  std::vector<MeasureCorrelation> correlations;
  for (std::size_t i = 0; i < measures.size(); ++i) {
    for (std::size_t j = i + 1; j < measures.size(); ++j) {
      const auto& [first, first_at, first_values] = measures[i];
      const auto& [second, second_at, second_values] = measures[j];
      correlations.push_back({first, second, kendall_tau(first_values, second_values),
                              pearson(first_values, second_values), spearman(first_values, second_values)});
    }
  }
  return correlations;
}

}  // namespace

Result<RankReport> rank_report(const tables::DelimitedTable& table, const RankRequest& request) {
  RankReport report;
  AKIN_TRY(const LabelledPairs pairs, read_pairs(table, request, report));
  if (pairs.labels.empty()) {
    return Error{Errc::invalid_argument, table.name, "no pair in it has a label",
                 "write yes or no into the column 'label'"};
  }
  report.pairs = pairs.labels.size();
  std::vector<bool> relevant;
  relevant.reserve(pairs.labels.size());
  for (const double label : pairs.labels) relevant.push_back(label > 0);
  report.relevant = static_cast<std::uint64_t>(std::count(relevant.begin(), relevant.end(), true));
  for (const std::size_t cut : request.cuts) {
    if (cut >= 1 && cut <= report.pairs) report.cuts.push_back(cut);
  }
  for (const Column& column : pairs.measures) {
    report.measures.push_back({column.name, kendall_tau(column.values, pairs.labels),
                               precision_at(column.values, relevant, report.cuts)});
  }
  report.correlations = correlate(pairs.measures);
  return report;
}

}  // namespace akin::evaluate
