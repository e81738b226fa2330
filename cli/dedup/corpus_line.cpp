#include "cli/dedup/corpus_line.h"

#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "morph/words/scanner.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"

namespace akin::dedup {

namespace {

using json::Json;

constexpr std::array<std::string_view, 5> kTimeFields = {"date", "time", "timestamp", "published", "created"};

bool is_white(char byte) noexcept {
  return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\v' || byte == '\f';
}

/// A field of the line, or else of its metadata; null if neither has it.
const Json* find_field(const Json& line, std::string_view name) {
  if (const auto own = line.find(name); own != line.end()) return &*own;
  const auto metadata = line.find("metadata");
  if (metadata == line.end() || !metadata->is_object()) return nullptr;
  const auto its = metadata->find(name);
  return its == metadata->end() ? nullptr : &*its;
}

/// A number, or the microseconds of a time.
std::optional<double> as_number(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  if (!value->is_string()) return std::nullopt;
  const auto time = parse_rfc3339(value->get_ref<const std::string&>());
  return time ? std::optional(static_cast<double>(*time)) : std::nullopt;
}

std::string as_id(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

std::string find_id(const Json& line, const LineFields& fields) {
  for (const std::string_view name : fields.id.empty()
                                         ? std::array<std::string_view, 2>{"id", "url"}
                                         : std::array<std::string_view, 2>{fields.id, fields.id}) {
    const auto value = line.find(name);
    if (value != line.end() && (value->is_string() || value->is_number())) return as_id(*value);
  }
  return {};
}

Error field_error(std::string_view name, std::string reason, std::string remedy) {
  return {Errc::invalid_argument, "field " + json::in_quotes(name), std::move(reason), std::move(remedy)};
}

}  // namespace

void set_keep(LineFields& fields, const std::string& keep) {
  fields.keep = keep == "first"     ? Keep::first
                : keep == "longest" ? Keep::longest
                : keep == "oldest"  ? Keep::oldest
                                    : Keep::greatest;
  fields.greatest = keep;
}

std::optional<double> preference_of(const Json& fields, std::string_view text, const LineFields& wanted) {
  switch (wanted.keep) {
    case Keep::first:
      return 0.0;
    case Keep::longest:
      return static_cast<double>(text.size());
    case Keep::greatest:
      return as_number(find_field(fields, wanted.greatest));
    case Keep::oldest:
      for (const std::string_view name : kTimeFields) {
        if (const auto time = as_number(find_field(fields, name))) return -*time;
      }
  }
  return std::nullopt;
}

Result<CorpusDocument> read_corpus_line(std::string_view line, const LineFields& fields) {
  AKIN_TRY(Json value, json::parse_json(line, json::kAnyJsonValues));
  if (!value.is_object())
    return Error{Errc::invalid_argument, "the line", "is not an object", "write {\"text\":…}"};
  for (const std::string& name : fields.refused) {
    if (value.contains(name)) return field_error(name, "is there already", "rename it, or do without --mark");
  }
  const auto text = value.find(fields.text);
  if (text == value.end()) return field_error(fields.text, "is missing", "--text-field names another");
  if (!text->is_string()) return field_error(fields.text, "is not a string", "--text-field names another");
  CorpusDocument document;
  document.text = std::move(text->get_ref<std::string&>());
  if (document.text.size() > kMaxTextBytes) {
    return Error{Errc::too_large, "field " + json::in_quotes(fields.text),
                 "longer than " + std::to_string(kMaxTextBytes) + " bytes", "split the document"};
  }
  document.id = find_id(value, fields);
  document.preference = preference_of(value, document.text, fields);
  return document;
}

std::uint64_t count_words(std::string_view text) noexcept {
  std::uint64_t words = 0;
  bool inside = false;
  for (const char byte : text) {
    const bool white = is_white(byte);
    words += !white && !inside ? 1 : 0;
    inside = !white;
  }
  return words;
}

std::string with_fields(std::string_view line, std::string_view fields) {
  const std::size_t end = line.rfind('}');
  std::string longer(line.substr(0, end));
  longer += ',';
  longer += fields;
  longer += line.substr(end);
  return longer;
}

}  // namespace akin::dedup
