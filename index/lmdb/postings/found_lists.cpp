#include "index/lmdb/postings/found_lists.h"

#include <algorithm>
#include <utility>

#include "index/lmdb/env/read_ahead.h"

namespace akin {

std::shared_ptr<FoundLists> LookUps::known(std::span<const Feature> features) const {
  for (const auto& one : last_) {
    if (one && std::ranges::equal(one->features, features)) return one;
  }
  return nullptr;
}

Result<std::shared_ptr<FoundLists>> LookUps::find(const lmdb::Txn& txn, const Tables& tables,
                                                  std::span<const Feature> features) {
  if (auto before = known(features)) return before;
  AKIN_TRY(PostingLists lists, PostingLists::open(txn, tables));
  auto found =
      std::make_shared<FoundLists>(FoundLists{{features.begin(), features.end()}, {}, std::move(lists)});
  found->refs.reserve(features.size());
  lmdb::ColdReads cold;
  for (std::size_t i = 0; i < features.size(); i += PostingLists::kTogether) {
    const auto rest = features.subspan(i);
    if (cold.found_before(i)) found->lists.announce(rest);
    AKIN_CHECK(
        found->lists.find_all(rest.first(std::min(PostingLists::kTogether, rest.size())), found->refs));
  }
  last_[next_] = found;
  next_ = (next_ + 1) % last_.size();
  return found;
}

}  // namespace akin
