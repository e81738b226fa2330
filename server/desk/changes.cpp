#include "server/desk/changes.h"

#include <algorithm>
#include <cstdint>

#include "base/sliced_text.h"
#include "morph/align/differences.h"
#include "server/desk/page.h"

namespace akin::desk {

namespace {

using json::Json;

std::vector<SideChange> from_columns(const Json& columns, const char* side, std::uint32_t begin) {
  const Json& kinds = columns.at("kinds");
  const Json& places = columns.at(side);
  std::vector<SideChange> changes;
  changes.reserve(kinds.size());
  std::int64_t at = begin;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    at += places.at(2 * i).get<std::int64_t>();
    const std::int64_t end = at + places.at(2 * i + 1).get<std::int64_t>();
    changes.push_back({{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end)},
                       name_of(static_cast<ChangeKind>(kinds[i].get<unsigned>()))});
    at = end;
  }
  return changes;
}

}  // namespace

std::vector<SideChange> changes_of(const Json& passage, const char* side) {
  if (const auto columns = passage.find("change_places"); columns != passage.end())
    return from_columns(*columns, side, json::read_range(passage.at(side)).begin);
  std::vector<SideChange> changes;
  if (const auto list = passage.find("changes"); list != passage.end()) {
    for (const Json& one : *list)
      changes.push_back({json::read_range(one.at(side)), one.at("kind").get_ref<const std::string&>()});
  }
  return changes;
}

std::string changed_text(const Words& words, std::string_view text, TextRange range,
                         std::vector<SideChange> changes) {
  std::ranges::sort(changes, {}, [](const SideChange& one) { return one.range.begin; });
  const SlicedText sliced(text);
  const auto slice = [&](std::uint32_t begin, std::uint32_t end) {
    return escaped(sliced.slice({begin - range.begin, end - range.begin}));
  };
  std::string html;
  std::uint32_t at = range.begin;
  for (const SideChange& change : changes) {
    const std::uint32_t from = std::max(at, change.range.begin), to = std::min(range.end, change.range.end);
    if (from >= to) continue;
    const std::string kind = escaped(Words::of(words.change_kinds, change.kind));
    html += slice(at, from);
    html.append("<mark class=\"change\" title=\"").append(kind).append("\">");
    html += slice(from, to);
    html.append("<span class=\"spoken\"> (").append(kind).append(")</span></mark>");
    at = to;
  }
  return html + slice(at, range.end);
}

}  // namespace akin::desk
