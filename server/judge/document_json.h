// Reads documents from lines of JSON or rows of a table.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "index/store/store.h"
#include "server/json/json.h"
#include "server/judge/labelled_pair.h"

namespace akin::judge {

/// The fields `id`, `title`, `text` or `paragraphs` (an array of strings), `time` (RFC 3339), `source`,
/// `authority` (0 … 1), `url`, `links` (an array of strings), `images` (a count), `metadata` (an object), and
/// `stored` and `places` (ignored; `akin export` writes them). If `time`, `source`, `authority`, `url`,
/// `links` or `images` is absent, the metadata's `date`, `source` or `site`, `authority`, `url`, `links` or
/// `images` is used if it has the right form. A missing source is taken from the host of the `url`. Errors:
/// invalid_argument names the field; unknown fields are errors.
[[nodiscard]] Result<Document> document_of(json::Json value);
[[nodiscard]] Result<Document> document_of(const StoredDocument& record, std::string text);

/// The same for a line, which may have the fields of a feed (feed_line.h); syntax errors as in parse_json.
[[nodiscard]] Result<Document> document_of_line(std::string_view line);

/// {"a": document or id, "b": document or id, "label": true or false}. An id is in the document's `id`, and
/// sets `by_id`.
struct LabelledLine {
  LabelledPair pair;
  bool a_by_id = false, b_by_id = false;
};
[[nodiscard]] Result<LabelledLine> labelled_line(std::string_view line);

/// yes, true, 1, ok, duplicate; no, false, 0, bad, not; in any case. Error: invalid_argument.
[[nodiscard]] Result<bool> parse_label(std::string_view word);

/// Rows of a tab-separated file whose first line names the columns.
class TableReader {
 public:
  /// Error: invalid_argument if a column occurs twice.
  [[nodiscard]] static Result<TableReader> open(std::string_view heading);

  [[nodiscard]] bool has(std::string_view column) const;

  /// Columns text, title, url, id, time, source. Errors: invalid_argument (a row with another number of
  /// columns, no text, an invalid time).
  [[nodiscard]] Result<Document> document(std::string_view row) const;
  /// The column label, and the columns of a document with the suffixes _a and _b.
  [[nodiscard]] Result<LabelledPair> pair(std::string_view row) const;

 private:
  explicit TableReader(std::vector<std::string> columns) : columns_(std::move(columns)) {}
  [[nodiscard]] Result<std::vector<std::string_view>> cells_of(std::string_view row) const;
  [[nodiscard]] Result<Document> read(const std::vector<std::string_view>& cells,
                                      std::string_view suffix) const;

  std::vector<std::string> columns_;
};

}  // namespace akin::judge
