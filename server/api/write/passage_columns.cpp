#include "server/api/write/passage_columns.h"

#include <algorithm>
#include <string>
#include <utility>

namespace akin::api {

namespace {

bool has(const Json& passages, const char* field) {
  return std::ranges::any_of(passages, [field](const Json& passage) { return passage.contains(field); });
}

/// One range of each passage, or of its pages; [0, 0] where a passage has none.
Json range_column(const Json& passages, const char* field) {
  Json column = Json::array();
  std::int64_t end = 0;
  for (const Json& passage : passages) {
    const auto range = passage.find(field);
    add_to_column(column, range == passage.end() ? TextRange{} : json::read_range(*range), end);
  }
  return column;
}

/// The different parts, and the place of each passage's among them; -1 where it has none.
Json part_column(const Json& passages, const char* field) {
  Json names = Json::array(), of = Json::array();
  for (const Json& passage : passages) {
    const auto part = passage.find(field);
    if (part == passage.end()) {
      of.push_back(-1);
      continue;
    }
    const auto known = std::ranges::find(names, *part);
    of.push_back(known - names.begin());
    if (known == names.end()) names.push_back(*part);
  }
  return {{"names", std::move(names)}, {"of", std::move(of)}};
}

/// The columns of all passages' changes, each after another; `counts` says how many each passage has.
Json change_columns(const Json& passages) {
  Json columns{{"counts", Json::array()}};
  for (const char* column : {"kinds", "a", "b"}) columns[column] = Json::array();
  for (const Json& passage : passages) {
    const auto places = passage.find("change_places");
    columns["counts"].push_back(places == passage.end() ? 0 : places->at("kinds").size());
    if (places == passage.end()) continue;
    for (const char* column : {"kinds", "a", "b"})
      for (const Json& number : places->at(column)) columns[column].push_back(number);
  }
  return columns;
}

Json gap_columns(const Json& passages) {
  Json counts = Json::array(), ranges = Json::array();
  for (const Json& passage : passages) {
    const auto gaps = passage.find("gaps");
    counts.push_back(gaps == passage.end() ? 0 : gaps->size());
    if (gaps == passage.end()) continue;
    std::int64_t end = json::read_range(passage.at("a")).begin;
    for (const Json& gap : *gaps) add_to_column(ranges, json::read_range(gap), end);
  }
  return {{"counts", std::move(counts)}, {"a", std::move(ranges)}};
}

}  // namespace

void add_to_column(Json& column, const TextRange& range, std::int64_t& end) {
  column.push_back(std::int64_t{range.begin} - end);
  column.push_back(std::int64_t{range.end} - range.begin);
  end = range.end;
}

Json passage_columns(const Json& passages) {
  Json columns{{"a", range_column(passages, "a")}, {"b", range_column(passages, "b")}};
  for (const char* count : {"words", "features"}) {
    if (!has(passages, count)) continue;
    for (const Json& passage : passages) columns[count].push_back(passage.value(count, 0));
  }
  for (const char* use : {"quoted", "referenced"}) {
    Json& numbers = columns[use] = Json::array();
    for (std::size_t at = 0; at < passages.size(); ++at)
      if (passages[at].value(use, false)) numbers.push_back(at);
  }
  for (const char* pages : {"a_pages", "b_pages"})
    if (has(passages, pages)) columns[pages] = range_column(passages, pages);
  for (const char* part : {"a_part", "b_part"})
    if (has(passages, part)) columns[part] = part_column(passages, part);
  if (has(passages, "change_places")) columns["change_places"] = change_columns(passages);
  if (has(passages, "gaps")) columns["gaps"] = gap_columns(passages);
  return columns;
}

}  // namespace akin::api
