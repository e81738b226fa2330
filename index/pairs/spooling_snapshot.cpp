#include "index/pairs/spooling_snapshot.h"

#include <algorithm>
#include <utility>

#include "index/store/records.h"

namespace akin {

Result<bool> SpoolingSnapshot::spool(const PairsRequest& request) const {
  if (lists_) return true;
  AKIN_TRY(SpooledLists lists, SpooledLists::make(request.memory / 4));
  AKIN_TRY(const StoreStats all, stats());
  numbers_.clear();
  const auto add = [&](const StoredDocument& document, const FeatureSequence& sequence) -> Result<bool> {
    if (request.stop.stop_requested()) return false;
    AKIN_CHECK(lists.add(encode_record(document), count_features(sequence.hashes)));
    numbers_.push_back(document.number);
    const double share = static_cast<double>(numbers_.size()) / static_cast<double>(all.documents);
    if (request.progress) request.progress({share / 2, 0});
    return true;
  };
  AKIN_TRY(const bool is_whole, for_each_document(add));
  if (!is_whole) return false;
  AKIN_CHECK(lists.finish());
  lists_.emplace(std::move(lists));
  return true;
}

template <class Summary, class Find>
Result<Summary> SpoolingSnapshot::find_spooled(const PairsRequest& wanted, const Find& find) const {
  PairsRequest request = wanted;
  if (!lists_ && wanted.progress) {
    request.progress = [&wanted](const PairsProgress& now) {
      wanted.progress({(1 + now.share) / 2, now.pairs});
    };
  }
  AKIN_TRY(const bool is_whole, spool(wanted));
  return is_whole ? find(request) : Result<Summary>(Summary{.complete = false});
}

Result<std::vector<CommonFeature>> SpoolingSnapshot::most_common(std::size_t count,
                                                                 std::optional<std::size_t> tier) const {
  AKIN_CHECK(spool({}));
  return lists_->most_common(count, tier);
}

Result<std::uint64_t> SpoolingSnapshot::number_in_pairs(const StoredDocument& document) const {
  AKIN_CHECK(spool({}));
  return static_cast<std::uint64_t>(std::ranges::lower_bound(numbers_, document.number) - numbers_.begin());
}

Result<PairsSummary> SpoolingSnapshot::pairs(const PairsRequest& wanted, const PairVisitor& visit) const {
  return find_spooled<PairsSummary>(wanted,
                                    [&](const auto& request) { return lists_->pairs(request, visit); });
}

Result<GroupsSummary> SpoolingSnapshot::groups(const PairsRequest& wanted, const GroupVisitor& visit) const {
  return find_spooled<GroupsSummary>(wanted,
                                     [&](const auto& request) { return lists_->groups(request, visit); });
}

}  // namespace akin
