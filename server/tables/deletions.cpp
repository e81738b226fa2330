#include "server/tables/deletions.h"

#include <map>
#include <utility>

#include "base/disjoint_sets.h"

namespace akin::tables {

Deletions deletions_of(const Labels& labels) {
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joined;
  std::map<std::string, std::string> kept;  // by the document that goes
  for (const auto& [pair, label] : labels) {
    const auto mark = kept_by(label);
    if (!mark || *mark == Kept::both) continue;
    const auto number = [&](const std::string& id) {
      return numbers.try_emplace(id, static_cast<std::uint32_t>(numbers.size())).first->second;
    };
    joined.emplace_back(number(pair.first), number(pair.second));
    if (*mark == Kept::a) {
      kept.try_emplace(pair.second, pair.first);
    } else {
      kept.try_emplace(pair.first, pair.second);
    }
  }
  DisjointSets sets(numbers.size());
  for (const auto& [a, b] : joined) sets.join(a, b);
  std::map<std::uint32_t, std::vector<std::string>> members;
  std::map<std::uint32_t, bool> stays;
  for (const auto& [id, number] : numbers) {
    members[sets.root(number)].push_back(id);
    if (!kept.contains(id)) stays[sets.root(number)] = true;
  }
  Deletions all;
  for (const auto& [id, other] : kept) {
    if (stays[sets.root(numbers.at(id))]) all.documents.push_back({id, other});
  }
  for (auto& [root, ids] : members) {
    if (!stays[root]) all.contradictions.push_back(std::move(ids));
  }
  return all;
}

}  // namespace akin::tables
