#include "server/judge/document_json.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/rfc3339.h"
#include "server/json/quoted.h"
#include "server/json/strict_json.h"
#include "server/judge/feed_line.h"

namespace akin::judge {

namespace {

using json::Fields;
using json::Json;

constexpr std::uint64_t kMaxImages = 1'000'000;

std::string host_of(std::string_view url) {
  const auto scheme = url.find("://");
  if (scheme == std::string_view::npos) return {};
  url.remove_prefix(scheme + 3);
  url = url.substr(0, url.find_first_of("/?#"));
  if (const auto user = url.rfind('@'); user != url.npos) url.remove_prefix(user + 1);
  if (url.starts_with("www.")) url.remove_prefix(4);
  return std::string(url);
}

Result<std::int64_t> seconds_of(std::string_view name, std::string_view text) {
  if (const auto microseconds = parse_rfc3339(text)) return *microseconds / 1'000'000;
  return Error{Errc::invalid_argument, "field " + json::in_quotes(name),
               json::in_quotes(text) + " is not a time", kGiveADate};
}

Result<void> read_text(const Fields& fields, Document& document) {
  AKIN_TRY(const auto paragraphs, fields.strings("paragraphs"));
  if (!paragraphs) {
    AKIN_TRY(document.text, fields.required_string("text"));
    return {};
  }
  if (fields.has("text")) {
    return Error{Errc::invalid_argument, "field 'paragraphs'", "given in addition to 'text'",
                 "leave one of them out"};
  }
  for (const std::string& paragraph : *paragraphs) {
    if (!document.text.empty()) document.text += "\n\n";
    document.text += paragraph;
  }
  return {};
}

/// The metadata of a document.
class Metadata {
 public:
  explicit Metadata(const Fields& fields) {
    const Json* object = fields.value("metadata");
    if (object != nullptr && object->is_object()) object_ = object;
  }

  [[nodiscard]] const Json* value(std::string_view name) const {
    if (object_ == nullptr) return nullptr;
    const auto found = object_->find(name);
    return found == object_->end() ? nullptr : &*found;
  }

  [[nodiscard]] std::optional<std::string_view> string(std::string_view name) const {
    const Json* found = value(name);
    if (found == nullptr || !found->is_string()) return std::nullopt;
    return std::string_view(found->get_ref<const std::string&>());
  }

  [[nodiscard]] std::optional<double> number(std::string_view name, double most) const {
    const Json* found = value(name);
    if (found == nullptr || !found->is_number()) return std::nullopt;
    const auto number = found->get<double>();
    return number >= 0 && number <= most ? std::optional(number) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::vector<std::string>> strings(std::string_view name) const {
    const Json* found = value(name);
    if (found == nullptr || !found->is_array()) return std::nullopt;
    std::vector<std::string> strings;
    for (const Json& one : *found) {
      if (one.is_string()) strings.push_back(one.get<std::string>());
    }
    return strings;
  }

  [[nodiscard]] std::map<std::string, std::string, std::less<>> strings() const {
    std::map<std::string, std::string, std::less<>> strings;
    if (object_ == nullptr) return strings;
    for (const auto& [name, value] : object_->items()) {
      if (value.is_string()) strings.emplace(name, value.get<std::string>());
    }
    return strings;
  }

 private:
  const Json* object_ = nullptr;
};

/// Time, source, authority and address, each from its field or from the metadata.
Result<void> read_origin(const Fields& fields, const Metadata& metadata, Document& document) {
  AKIN_TRY(auto time, fields.string("time"));
  if (!time) time = metadata.string("date");
  if (time) {
    AKIN_TRY(document.time, seconds_of("time", *time));
  }
  AKIN_TRY(auto url, fields.string("url"));
  if (!url) url = metadata.string("url");
  AKIN_TRY(auto source, fields.string("source"));
  if (!source) source = metadata.string("source");
  if (!source) source = metadata.string("site");
  document.source = source ? std::string(*source) : host_of(url.value_or(""));
  AKIN_TRY(document.authority, fields.share("authority"));
  if (!document.authority) document.authority = metadata.number("authority", 1);
  return {};
}

Result<void> read_links_and_images(const Fields& fields, const Metadata& metadata, Document& document) {
  AKIN_TRY(auto links, fields.strings("links"));
  if (!links) links = metadata.strings("links");
  document.has_links = links.has_value();
  if (links) document.links = *std::move(links);
  AKIN_TRY(const auto images, fields.integer("images", kMaxImages));
  if (images) document.images = static_cast<std::uint32_t>(*images);
  if (!images) {
    if (const auto counted = metadata.number("images", kMaxImages))
      document.images = static_cast<std::uint32_t>(*counted);
  }
  return {};
}

/// A document, or the id of one.
Result<Document> side_of(const Fields& fields, std::string_view name, bool& by_id) {
  const Json* value = fields.value(name);
  if (value == nullptr) {
    return Error{Errc::invalid_argument, "field " + json::in_quotes(name), "is missing",
                 "give a document or its id"};
  }
  by_id = value->is_string();
  if (!by_id) return document_of(*value);
  Document document;
  document.id = value->get<std::string>();
  return document;
}

Error bad_label(std::string_view word) {
  return {Errc::invalid_argument, "label " + json::in_quotes(word), "is neither yes nor no",
          "give yes, true, 1, ok or duplicate, or no, false, 0, bad or not"};
}

}  // namespace

Result<Document> document_of(Json value) {
  AKIN_TRY(const auto fields,
           Fields::read(std::move(value), {"id", "title", "text", "paragraphs", "time", "source", "authority",
                                           "url", "links", "images", "metadata", "stored", "places"}));
  Document document;
  AKIN_TRY(const auto id, fields.string("id"));
  AKIN_TRY(const auto title, fields.string("title"));
  document.id = id.value_or("");
  document.title = title.value_or("");
  AKIN_CHECK(fields.object("metadata"));
  AKIN_CHECK(read_text(fields, document));
  const Metadata metadata(fields);
  AKIN_CHECK(read_origin(fields, metadata, document));
  AKIN_CHECK(read_links_and_images(fields, metadata, document));
  document.metadata = metadata.strings();
  return document;
}

Result<Document> document_of(const StoredDocument& record, std::string text) {
  Json value = {{"id", record.id}, {"title", record.title}, {"text", std::move(text)}};
  Json metadata = Json::parse(record.metadata, nullptr, false);
  if (metadata.is_object()) value["metadata"] = std::move(metadata);
  return document_of(std::move(value));
}

Result<Document> document_of_line(std::string_view line) {
  AKIN_TRY(Json value, json::parse_json(line));
  AKIN_TRY(value, document_of_feed(std::move(value)));
  return document_of(std::move(value));
}

Result<bool> parse_label(std::string_view word) {
  for (const std::string_view yes : {"yes", "true", "1", "ok", "duplicate"}) {
    if (equals_ignoring_case(word, yes)) return true;
  }
  for (const std::string_view no : {"no", "false", "0", "bad", "not"}) {
    if (equals_ignoring_case(word, no)) return false;
  }
  return bad_label(word);
}

Result<LabelledLine> labelled_line(std::string_view line) {
  AKIN_TRY(Json value, json::parse_json(line));
  AKIN_TRY(const auto fields, Fields::read(std::move(value), {"a", "b", "label"}));
  LabelledLine read;
  AKIN_TRY(read.pair.a, side_of(fields, "a", read.a_by_id));
  AKIN_TRY(read.pair.b, side_of(fields, "b", read.b_by_id));
  const Json* label = fields.value("label");
  if (label == nullptr) {
    return Error{Errc::invalid_argument, "field 'label'", "is missing", "give true or false"};
  }
  if (label->is_boolean()) {
    read.pair.label = label->get<bool>();
  } else if (label->is_string()) {
    AKIN_TRY(read.pair.label, parse_label(label->get_ref<const std::string&>()));
  } else {
    return bad_label(label->dump());
  }
  return read;
}

Result<TableReader> TableReader::open(std::string_view heading) {
  if (heading.starts_with("\xef\xbb\xbf")) heading.remove_prefix(3);
  std::vector<std::string> columns;
  for (;;) {
    const std::size_t tab = heading.find('\t');
    std::string name(heading.substr(0, tab));
    while (name.ends_with('\r')) name.pop_back();
    if (std::find(columns.begin(), columns.end(), name) != columns.end()) {
      return Error{Errc::invalid_argument, "column " + json::in_quotes(name), "occurs twice in the heading",
                   "name each column once"};
    }
    columns.push_back(std::move(name));
    if (tab == std::string_view::npos) break;
    heading.remove_prefix(tab + 1);
  }
  return TableReader(std::move(columns));
}

bool TableReader::has(std::string_view column) const {
  return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

Result<std::vector<std::string_view>> TableReader::cells_of(std::string_view row) const {
  while (row.ends_with('\r')) row.remove_suffix(1);
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t tab = row.find('\t');
    cells.push_back(row.substr(0, tab));
    if (tab == std::string_view::npos) break;
    row.remove_prefix(tab + 1);
  }
  if (cells.size() == columns_.size()) return cells;
  return Error{
      Errc::invalid_argument, "row",
      "has " + std::to_string(cells.size()) + " columns, the heading " + std::to_string(columns_.size()),
      "separate columns by single tabs"};
}

Result<Document> TableReader::read(const std::vector<std::string_view>& cells,
                                   std::string_view suffix) const {
  const auto cell = [&](std::string_view name) -> std::optional<std::string_view> {
    const std::string column = std::string(name) + std::string(suffix);
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end()) return std::nullopt;
    return cells[static_cast<std::size_t>(found - columns_.begin())];
  };
  const auto text = cell("text");
  if (!text) {
    return Error{Errc::invalid_argument, "column " + json::in_quotes("text" + std::string(suffix)),
                 "is missing", "name it in the heading"};
  }
  const std::string_view url = cell("url").value_or("");
  Document document;
  document.text = *text;
  document.title = cell("title").value_or("");
  document.id = cell("id").value_or(url);
  document.source = cell("source").value_or("");
  if (document.source.empty()) document.source = host_of(url);
  if (const auto time = cell("time"); time && !time->empty()) {
    AKIN_TRY(document.time, seconds_of("time", *time));
  }
  return document;
}

Result<Document> TableReader::document(std::string_view row) const {
  AKIN_TRY(const auto cells, cells_of(row));
  return read(cells, "");
}

Result<LabelledPair> TableReader::pair(std::string_view row) const {
  AKIN_TRY(const auto cells, cells_of(row));
  const auto label = std::find(columns_.begin(), columns_.end(), "label");
  if (label == columns_.end()) {
    return Error{Errc::invalid_argument, "column 'label'", "is missing", "name it in the heading"};
  }
  LabelledPair pair;
  AKIN_TRY(pair.label, parse_label(cells[static_cast<std::size_t>(label - columns_.begin())]));
  AKIN_TRY(pair.a, read(cells, "_a"));
  AKIN_TRY(pair.b, read(cells, "_b"));
  return pair;
}

}  // namespace akin::judge
