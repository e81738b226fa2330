#include "index/pairs/further_copies.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/hash.h"

namespace akin {

Result<FurtherCopies> FurtherCopies::find(const ListSource& lists) {
  // A commutative hash of each document's features and their counts.
  using Digest = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<Digest> digests(lists.document_limit());
  AKIN_TRY(const auto stream, lists.lists());
  for (std::uint64_t number = 1;; ++number) {
    AKIN_TRY(const bool there, stream->next());
    if (!there) break;
    for (std::size_t at = 0; at < stream->documents().size(); ++at) {
      const std::uint64_t posting = mix64(mix64(number) ^ stream->counts()[at]);
      Digest& digest = digests[static_cast<std::uint32_t>(stream->documents()[at])];
      digest.first += posting;
      digest.second += mix64(posting ^ 0x9e3779b97f4a7c15U);
    }
  }
  std::vector<std::uint32_t> order(digests.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t one) { return std::pair(digests[one], one); });
  FurtherCopies copies;
  copies.second_.resize(digests.size());
  std::iota(copies.second_.begin(), copies.second_.end(), 0U);
  for (std::size_t at = 2; at < order.size(); ++at) {
    if (digests[order[at]] == digests[order[at - 2]])
      copies.second_[order[at]] = copies.second_[order[at - 1]];
  }
  return copies;
}

void FurtherCopies::join(DisjointSets& groups) const noexcept {
  for (std::uint32_t number = 0; number < second_.size(); ++number) {
    const std::uint32_t second = second_[number];
    if (second != number && groups.root(second) != second) groups.join(number, second);
  }
}

bool Unjoined::takes(std::span<const DocNumber> documents) const noexcept {
  const auto root = [this](DocNumber document) { return groups.root(static_cast<std::uint32_t>(document)); };
  const std::uint32_t first = root(documents.front());
  return documents.size() == 1 ||
         std::ranges::any_of(documents, [&](DocNumber document) { return root(document) != first; });
}

}  // namespace akin
