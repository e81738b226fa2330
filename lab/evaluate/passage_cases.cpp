#include "lab/evaluate/passage_cases.h"

#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "server/json/quoted.h"

namespace akin::evaluate {

namespace {

struct CaseColumns {
  std::size_t text = 0, source = 0, text_offset = 0, text_length = 0, source_offset = 0, source_length = 0;

  static Result<CaseColumns> of(const tables::DelimitedTable& table) {
    CaseColumns columns;
    AKIN_TRY(columns.text, table.required_column({"susp"}));
    AKIN_TRY(columns.source, table.required_column({"source"}));
    AKIN_TRY(columns.text_offset, table.required_column({"this_offset"}));
    AKIN_TRY(columns.text_length, table.required_column({"this_length"}));
    AKIN_TRY(columns.source_offset, table.required_column({"source_offset"}));
    AKIN_TRY(columns.source_length, table.required_column({"source_length"}));
    return columns;
  }
};

/// One row, with what its errors need.
struct CaseRow {
  const tables::DelimitedTable& table;
  const tables::DelimitedRow& row;

  [[nodiscard]] Result<std::uint32_t> number(std::size_t column) const {
    const std::string& field = row.fields[column];
    std::uint32_t value = 0;
    const auto [end, failure] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (failure == std::errc() && end == field.data() + field.size()) return value;
    return Error{Errc::invalid_argument, table.place(row),
                 "the " + table.head[column] + " " + json::in_quotes(field) + " is not a number",
                 "give a number of code points, below 2^32"};
  }

  [[nodiscard]] Result<TextRange> range(std::size_t offset, std::size_t length) const {
    AKIN_TRY(const std::uint32_t begin, number(offset));
    AKIN_TRY(const std::uint32_t characters, number(length));
    if (characters == 0) {
      return Error{Errc::invalid_argument, table.place(row), "the " + table.head[length] + " is 0",
                   "remove the row: it has no passage"};
    }
    if (characters > std::numeric_limits<std::uint32_t>::max() - begin) {
      return Error{Errc::invalid_argument, table.place(row),
                   "the sum of " + table.head[offset] + " and " + table.head[length] + " is over 2^32-1",
                   "give offsets and lengths in code points"};
    }
    return TextRange{begin, begin + characters};
  }

  [[nodiscard]] Result<std::string> document(std::size_t column, const FolderNames& folder) const {
    if (const std::string* const name = folder.find(row.fields[column])) return *name;
    return Error{
        Errc::not_found, table.place(row),
        "the " + table.head[column] + " " + json::in_quotes(row.fields[column]) + " is not in " +
            folder.folder(),
        "name files by their paths in that folder; --texts has the column susp, --sources the column source"};
  }
};

}  // namespace

FolderNames::FolderNames(const std::filesystem::path& folder, std::set<std::string> names)
    : folder_(folder.string()), names_(std::move(names)) {
  std::filesystem::path own = folder.lexically_normal();
  if (!own.has_filename()) own = own.parent_path();
  prefix_ = own.filename().string() + "/";
}

const std::string* FolderNames::find(const std::string& name) const {
  auto found = names_.find(name);
  if (found == names_.end() && name.starts_with(prefix_)) found = names_.find(name.substr(prefix_.size()));
  return found == names_.end() ? nullptr : &*found;
}

Result<std::vector<PassageCase>> read_passage_cases(const tables::DelimitedTable& table,
                                                    const FolderNames& texts, const FolderNames& sources) {
  AKIN_TRY(const CaseColumns columns, CaseColumns::of(table));
  std::vector<PassageCase> cases;
  for (const tables::DelimitedRow& row : table.rows) {
    const CaseRow fields{table, row};
    PassageCase one{.reuse = {}, .line = row.line};
    AKIN_TRY(one.reuse.document, fields.document(columns.text, texts));
    AKIN_TRY(one.reuse.source, fields.document(columns.source, sources));
    AKIN_TRY(one.reuse.a, fields.range(columns.text_offset, columns.text_length));
    AKIN_TRY(one.reuse.b, fields.range(columns.source_offset, columns.source_length));
    cases.push_back(std::move(one));
  }
  if (cases.empty()) {
    return Error{Errc::invalid_argument, table.name, "has no cases", "give a row for each known passage"};
  }
  return cases;
}

Result<std::set<SourcePair>> read_known_overlaps(const tables::DelimitedTable& table,
                                                 const FolderNames& texts, const FolderNames& sources) {
  AKIN_TRY(const std::size_t a, table.required_column({"doc_a"}));
  AKIN_TRY(const std::size_t b, table.required_column({"doc_b"}));
  std::set<SourcePair> pairs;
  for (const tables::DelimitedRow& row : table.rows) {
    for (const auto& [text, source] : {std::pair(a, b), std::pair(b, a)}) {
      const std::string* const of_text = texts.find(row.fields[text]);
      const std::string* const of_source = sources.find(row.fields[source]);
      if (of_text != nullptr && of_source != nullptr) pairs.emplace(*of_text, *of_source);
    }
  }
  if (pairs.empty()) {
    return Error{Errc::invalid_argument, table.name,
                 "names no pair of a text in " + texts.folder() + " and a source in " + sources.folder(),
                 "name files by their paths in these folders"};
  }
  return pairs;
}

PassageReport report_passages(const std::vector<PassageCase>& cases,
                              const std::set<SourcePair>& known_overlaps,
                              const std::vector<FoundSource>& found) {
  PassageReport report;
  std::vector<Reuse> known;
  std::set<SourcePair> labelled;
  for (const PassageCase& one : cases) {
    known.push_back(one.reuse);
    labelled.emplace(one.reuse.document, one.reuse.source);
  }
  std::vector<Reuse> detected;
  for (const auto& [pair, passages] : found) {
    if (!labelled.contains(pair)) {
      (known_overlaps.contains(pair) ? report.known : report.unlisted).push_back(pair);
      continue;
    }
    ++report.pairs_found;
    for (const Passage& passage : passages) {
      detected.push_back({pair.first, pair.second, passage.a, passage.b});
    }
  }
  report.pairs = labelled.size();
  report.measures = measure_passages(known, detected);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (report.measures.met[i] == 0) report.missed.push_back(cases[i]);
  }
  return report;
}

}  // namespace akin::evaluate
