// One document of a corpus, on a line of JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "server/json/json.h"

namespace akin::dedup {

/// Which of several documents with the same text is kept: the one with the greatest preference, or of equal
/// ones the first.
enum class Keep : std::uint8_t { first, longest, oldest, greatest };

/// Which fields of a line say what.
struct LineFields {
  std::string text = "text";
  std::string id = {};  ///< empty: "id", else "url"
  Keep keep = Keep::first;
  std::string greatest = {};  ///< Keep::greatest: the field, of the line or of its object "metadata"
  std::vector<std::string> refused = {};  ///< fields that a line must not have
};

struct CorpusDocument {
  std::string id;  ///< empty: the line has none
  std::string text;
  /// Nothing: the line has no value of the field by which documents are preferred.
  std::optional<double> preference = 0.0;
};

/// The field `first`, `longest`, `oldest`, or a field's name, of a command line.
void set_keep(LineFields& fields, const std::string& keep);

/// The preference of a document with these fields, an object. A value of Keep::greatest is a number, or a
/// time as RFC 3339 writes it; Keep::oldest takes the first of the fields "date", "time", "timestamp",
/// "published" and "created" that has one. Nothing without a value.
[[nodiscard]] std::optional<double> preference_of(const json::Json& fields, std::string_view text,
                                                  const LineFields& wanted);

/// Reads a line. Errors: as parse_json; invalid_argument (no object, no text, a refused field), too_large.
[[nodiscard]] Result<CorpusDocument> read_corpus_line(std::string_view line, const LineFields& fields);

/// Words of a text as they are counted in summaries: runs of bytes between ASCII white space.
[[nodiscard]] std::uint64_t count_words(std::string_view text) noexcept;

/// The line, an object, with more fields at its end: `fields` is "\"a\":1,\"b\":2". All other bytes stay.
/// Requires a line that read_corpus_line reads.
[[nodiscard]] std::string with_fields(std::string_view line, std::string_view fields);

}  // namespace akin::dedup
