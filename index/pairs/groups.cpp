#include "index/pairs/groups.h"

#include <algorithm>
#include <functional>

namespace akin {

void DocumentGroups::join(DocNumber a, DocNumber b) noexcept {
  sets_.join(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
}

std::vector<std::vector<DocNumber>> DocumentGroups::arranged(std::span<const DocNumber> documents) {
  std::vector<std::uint32_t> sizes(sets_.size());
  for (const DocNumber document : documents) ++sizes[sets_.root(static_cast<std::uint32_t>(document))];
  std::vector<std::uint32_t> numbers(sets_.size());
  std::vector<std::vector<DocNumber>> groups;
  for (const DocNumber document : documents) {
    const std::uint32_t group = sets_.root(static_cast<std::uint32_t>(document));
    if (sizes[group] < 2) continue;
    if (numbers[group] == 0) {
      groups.emplace_back().reserve(sizes[group]);
      numbers[group] = static_cast<std::uint32_t>(groups.size());
    }
    groups[numbers[group] - 1].push_back(document);
  }
  std::ranges::stable_sort(groups, std::ranges::greater(), &std::vector<DocNumber>::size);
  return groups;
}

}  // namespace akin
