#include "lab/evaluate/grouping.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "server/json/quoted.h"

namespace akin::evaluate {

namespace {

/// Texts of the set by their groups.
using Members = std::map<std::string, std::vector<std::uint32_t>>;

Result<Members> read_members(const LabelledSet& set, const tables::DelimitedTable& table) {
  AKIN_TRY(const std::size_t group, table.required_column({"group"}));
  AKIN_TRY(const std::size_t id, table.required_column({"id"}));
  std::unordered_map<std::string, std::uint32_t> places;
  for (const std::string& name : set.names) places.emplace(name, static_cast<std::uint32_t>(places.size()));
  Members members;
  std::vector<bool> taken(set.names.size());
  for (const tables::DelimitedRow& row : table.rows) {
    const auto found = places.find(row.fields[id]);
    if (found == places.end()) continue;
    if (taken[found->second]) {
      return Error{Errc::invalid_argument, table.place(row),
                   "puts " + json::in_quotes(row.fields[id]) + " into a second group", "keep it in one"};
    }
    taken[found->second] = true;
    members[row.fields[group]].push_back(found->second);
  }
  if (members.empty() && !table.rows.empty()) {
    return Error{Errc::invalid_argument, table.name, "none of its ids is a text of the set",
                 "ids are paths below the set's folder, as akin index gives them"};
  }
  return members;
}

}  // namespace

Result<Grouping> judge_groups(const LabelledSet& set, const tables::DelimitedTable& table) {
  if (set.names.size() != set.texts.size()) {
    return Error{Errc::invalid_argument, table.name, "the texts of the set have no names",
                 "give a set whose texts are files"};
  }
  AKIN_TRY(Members members, read_members(set, table));
  Grouping grouping;
  for (auto& [name, texts] : members) {
    if (texts.size() < 2) continue;
    ++grouping.groups;
    grouping.texts += texts.size();
    std::sort(texts.begin(), texts.end());
    for (std::size_t i = 0; i < texts.size(); ++i) {
      for (std::size_t j = i + 1; j < texts.size(); ++j) {
        grouping.pairs.add(set.judgement(texts[i], texts[j]));
      }
    }
  }
  grouping.pairs.finish(set.count(Judgement::duplicate));
  return grouping;
}

}  // namespace akin::evaluate
