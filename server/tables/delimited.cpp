#include "server/tables/delimited.h"

#include <algorithm>
#include <utility>

#include "server/json/quoted.h"

namespace akin::tables {

namespace {

char separator_of(std::string_view text) {
  const std::string_view head = text.substr(0, text.find('\n'));
  if (head.find('\t') != std::string_view::npos) return '\t';
  return std::count(head.begin(), head.end(), ';') > std::count(head.begin(), head.end(), ',') ? ';' : ',';
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text), separator_(separator_of(text)) {}

  [[nodiscard]] bool at_end() const { return at_ == text_.size(); }

  /// The next line's fields; an empty line has one empty field. False if a quotation mark is not closed.
  [[nodiscard]] bool next(DelimitedRow& row) {
    row = {.fields = {}, .line = line_};
    for (;;) {
      if (!read_field(row.fields.emplace_back())) return false;
      if (at_end()) return true;
      const char after = text_[at_++];
      if (after == separator_) continue;
      ++line_;
      return true;
    }
  }

 private:
  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
  std::uint64_t line_ = 1;

  /// Reads up to the separator or line feed after the field.
  bool read_field(std::string& field) {
    if (separator_ != '\t' && !at_end() && text_[at_] == '"') {
      ++at_;
      if (!read_quoted(field)) return false;
    }
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != separator_ && text_[end] != '\n') ++end;
    std::string_view rest = text_.substr(at_, end - at_);
    at_ = end;
    const bool line_ends = at_end() || text_[at_] == '\n';
    if (line_ends && rest.ends_with('\r')) rest.remove_suffix(1);
    field += rest;
    return true;
  }

  bool read_quoted(std::string& field) {
    for (; !at_end(); ++at_) {
      if (text_[at_] == '\n') ++line_;
      if (text_[at_] == '"') {
        ++at_;
        if (at_end() || text_[at_] != '"') return true;
      }
      field += text_[at_];
    }
    return false;
  }
};

Error unclosed(const DelimitedTable& table, const DelimitedRow& row) {
  return {Errc::invalid_argument, table.place(row), "a quotation mark is not closed",
          "close it, or double it where it is part of a value (RFC 4180)"};
}

Result<void> check_head(const DelimitedTable& table) {
  for (auto name = table.head.begin(); name != table.head.end(); ++name) {
    if (std::find(table.head.begin(), name, *name) != name) {
      return Error{Errc::invalid_argument, table.name, "has two columns " + json::in_quotes(*name),
                   "rename one of them"};
    }
  }
  return {};
}

}  // namespace

std::optional<std::size_t> DelimitedTable::column(std::initializer_list<std::string_view> names) const {
  for (const std::string_view wanted : names) {
    const auto found = std::find(head.begin(), head.end(), wanted);
    if (found != head.end()) return static_cast<std::size_t>(found - head.begin());
  }
  return std::nullopt;
}

Result<std::size_t> DelimitedTable::required_column(std::initializer_list<std::string_view> names) const {
  if (const auto found = column(names)) return *found;
  const std::vector<std::string_view> present(head.begin(), head.end());
  return Error{Errc::invalid_argument, name, "has no column " + json::in_quotes(*names.begin()),
               "it has " + json::quoted_list(present)};
}

std::string DelimitedTable::place(const DelimitedRow& row) const {
  return name + " line " + std::to_string(row.line);
}

Result<DelimitedTable> read_delimited(std::string_view text, std::string name) {
  DelimitedTable table;
  table.name = std::move(name);
  Reader reader(text);
  DelimitedRow row;
  while (!reader.at_end()) {
    if (!reader.next(row)) return unclosed(table, row);
    if (row.fields.size() == 1 && row.fields.front().empty()) continue;
    if (table.head.empty()) {
      table.head = std::move(row.fields);
      AKIN_CHECK(check_head(table));
    } else if (row.fields.size() == table.head.size()) {
      table.rows.push_back(std::move(row));
    } else {
      return Error{Errc::invalid_argument, table.place(row),
                   "has " + std::to_string(row.fields.size()) + " fields, the heading " +
                       std::to_string(table.head.size()),
                   "give every line as many fields as the heading"};
    }
  }
  if (table.head.empty()) {
    return Error{Errc::invalid_argument, table.name, "is empty", "the first line names the columns"};
  }
  return table;
}

}  // namespace akin::tables
