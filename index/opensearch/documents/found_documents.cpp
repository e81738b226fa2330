#include "index/opensearch/documents/found_documents.h"

#include <algorithm>

namespace akin::opensearch {

void FoundDocuments::add(std::int64_t number, std::uint64_t bytes) {
  if (place_of_.emplace(number, found_.size()).second) found_.push_back({number, bytes});
}

std::vector<std::int64_t> FoundDocuments::from(std::int64_t number) const {
  const auto place = place_of_.find(number);
  if (place == place_of_.end()) return {number};
  std::vector<std::int64_t> numbers;
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < std::min(found_.size(), kFoundAtOnce); ++i) {
    const Found& one = found_[(place->second + i) % found_.size()];
    sum += one.bytes;
    if (!numbers.empty() && sum > kFoundBytes) break;
    numbers.push_back(one.number);
  }
  return numbers;
}

}  // namespace akin::opensearch
