#include "index/pairs/groups.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace akin {

DocumentGroups::DocumentGroups(std::uint32_t documents) : parents_(documents) {
  std::iota(parents_.begin(), parents_.end(), 0U);
}

std::uint32_t DocumentGroups::representative(std::uint32_t document) noexcept {
  assert(document < parents_.size());
  // Halves the path on its way (Tarjan, van Leeuwen 1984).
  while (parents_[document] != document) {
    parents_[document] = parents_[parents_[document]];
    document = parents_[document];
  }
  return document;
}

void DocumentGroups::join(DocNumber a, DocNumber b) noexcept {
  const std::uint32_t one = representative(static_cast<std::uint32_t>(a));
  const std::uint32_t other = representative(static_cast<std::uint32_t>(b));
  parents_[std::max(one, other)] = std::min(one, other);
}

std::vector<std::vector<DocNumber>> DocumentGroups::arranged(std::span<const DocNumber> documents) {
  std::vector<std::uint32_t> sizes(parents_.size());
  for (const DocNumber document : documents) ++sizes[representative(static_cast<std::uint32_t>(document))];
  std::vector<std::uint32_t> numbers(parents_.size());
  std::vector<std::vector<DocNumber>> groups;
  for (const DocNumber document : documents) {
    const std::uint32_t group = representative(static_cast<std::uint32_t>(document));
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
