#include "cli/commands/documents/metadata_file.h"

#include <utility>

#include "base/ascii.h"
#include "cli/frame/file_line_reader.h"
#include "extract/formats/text_encoding.h"
#include "index/collection/collection.h"
#include "server/api/read/metadata.h"
#include "server/ingest/input.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"
#include "server/tables/delimited.h"

namespace akin::cli {

namespace {

using json::Json;

/// Metadata as the API takes them, or the reason why they are not. `place` is where they were read.
Result<std::string> valid_metadata(const Json& metadata, const std::string& place) {
  if (metadata.empty()) return std::string();
  AKIN_TRY(const json::Fields fields, json::Fields::read(Json{{"metadata", metadata}}, {"metadata"}));
  auto text = api::read_metadata(fields);
  if (!text.has_error()) return text;
  Error error = std::move(text).error();
  error.what = place + ": " + error.what;
  return error;
}

Error wrong_line(const std::string& place, std::string reason, std::string remedy) {
  return Error{Errc::invalid_argument, place, std::move(reason), std::move(remedy)};
}

bool has_lines(const std::filesystem::path& path) {
  const std::string end = ascii_lower(path.extension().native());
  return end == ".jsonl" || end == ".ndjson" || end == ".json";
}

/// The member's string, removed from the object; "" if it is absent.
Result<std::string> take_string(Json& object, const char* name, const std::string& place) {
  const auto found = object.find(name);
  if (found == object.end()) return std::string();
  if (!found->is_string())
    return wrong_line(place, std::string("its '") + name + "' is not a string", "give a string");
  std::string value = found->get<std::string>();
  object.erase(found);
  return value;
}

}  // namespace

Result<MetadataFile> MetadataFile::read(const std::filesystem::path& path, const std::string& encoding,
                                        Json common) {
  MetadataFile file;
  file.common_ = std::move(common);
  if (path.empty()) return file;
  file.name_ = ingest::display_name(path);
  AKIN_CHECK(has_lines(path) ? file.read_lines(path) : file.read_table(path, encoding));
  return file;
}

Result<void> MetadataFile::read_lines(const std::filesystem::path& path) {
  AKIN_TRY(const auto lines, FileLineReader::open(path));
  for (;;) {
    AKIN_TRY(const auto line, lines->next());
    if (!line) return {};
    AKIN_CHECK(check_lines_of_json(*line, lines->number(), name_));
    if (is_blank(*line)) continue;
    const std::string place = name_ + " line " + std::to_string(lines->number());
    auto object = json::parse_json(*line);
    if (object.has_error()) {
      Error error = std::move(object).error();
      error.what = place;
      return error;
    }
    if (!object->is_object()) return wrong_line(place, "is not an object", "give {\"id\": …, …}");
    Entry entry;
    AKIN_TRY(const std::string id, take_string(*object, "id", place));
    AKIN_TRY(entry.title, take_string(*object, "title", place));
    entry.metadata = *std::move(object);
    AKIN_CHECK(add(place, id, std::move(entry)));
  }
}

Result<void> MetadataFile::read_table(const std::filesystem::path& path, const std::string& encoding) {
  AKIN_TRY(const std::string bytes, ingest::read_bytes(path));
  const auto as = [&](std::string_view name) { return extract::decode_text(bytes, name, name_); };
  Result<std::string> decoded = as(extract::kUtf8Name);
  if (decoded.has_error() && encoding != extract::kUtf8Name) decoded = as(encoding);
  AKIN_TRY(const std::string text, std::move(decoded));
  AKIN_TRY(const tables::DelimitedTable table, tables::read_delimited(text, name_));
  AKIN_TRY(const std::size_t id, table.required_column({"id", "file"}));
  const auto title = table.column({"title"});
  for (const tables::DelimitedRow& row : table.rows) {
    Entry entry{.title = title ? row.fields[*title] : "", .metadata = Json::object()};
    for (std::size_t column = 0; column < row.fields.size(); ++column) {
      if (column != id && column != title && !row.fields[column].empty())
        entry.metadata[table.head[column]] = row.fields[column];
    }
    AKIN_CHECK(add(table.place(row), row.fields[id], std::move(entry)));
  }
  return {};
}

Result<void> MetadataFile::add(const std::string& place, const std::string& id, Entry entry) {
  if (id.empty())
    return wrong_line(place, "has no id", "give the id of a document: its path below the folder");
  if (entry.title.size() > kMaxTitleBytes) {
    return Error{Errc::too_large, place,
                 "its title has more than " + std::to_string(kMaxTitleBytes) + " bytes", "shorten it"};
  }
  AKIN_CHECK(valid_metadata(entry.metadata, place));
  if (!entries_.emplace(id, std::move(entry)).second)
    return wrong_line(place, "has the id " + json::in_quotes(id) + " a second time",
                      "name each document once");
  return {};
}

Result<void> MetadataFile::describe(OwnedDocument& document) {
  Json metadata = common_.is_null() ? Json::object() : common_;
  if (!document.metadata.empty()) {
    AKIN_TRY(const Json own, json::parse_json(document.metadata));
    metadata.update(own);
  }
  const auto found = entries_.find(document.id);
  if (found != entries_.end()) {
    found->second.used = true;
    if (!found->second.title.empty()) document.title = found->second.title;
    metadata.update(found->second.metadata);
  } else if (has_file()) {
    ++without_;
  }
  AKIN_TRY(document.metadata, valid_metadata(metadata, "document " + json::in_quotes(document.id)));
  return {};
}

std::string MetadataFile::description(const std::string& id) const {
  const auto found = entries_.find(id);
  const Json of_id =
      found == entries_.end() ? Json() : Json::array({found->second.title, found->second.metadata});
  return Json::array({common_, of_id}).dump();
}

std::vector<std::string> MetadataFile::unused() const {
  std::vector<std::string> ids;
  for (const auto& [id, entry] : entries_) {
    if (!entry.used) ids.push_back(id);
  }
  return ids;
}

Result<Json> read_common_metadata(const std::vector<std::string>& settings) {
  Json metadata = Json::object();
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const std::string name = setting.substr(0, equals);
    if (equals == std::string::npos || name.empty()) {
      return Error{Errc::invalid_argument, "--set " + json::in_quotes(setting), "is not NAME=VALUE",
                   "give for instance --set author='N. N.'"};
    }
    if (metadata.contains(name))
      return Error{Errc::invalid_argument, "--set " + name, "is given twice", "give it once"};
    metadata[name] = setting.substr(equals + 1);
  }
  AKIN_CHECK(valid_metadata(metadata, "--set"));
  return metadata;
}

}  // namespace akin::cli
