#include "server/search/most_common.h"

#include <algorithm>
#include <utility>

#include "base/hex.h"
#include "base/sliced_text.h"
#include "server/api/write/objects.h"

namespace akin::api {

namespace {

constexpr std::uint32_t kShownCodePoints = 200;

/// Finds features in documents. Keeps the last document: boilerplate is often first in one and the same.
class Examples {
 public:
  Examples(const Collection& collection, const Snapshot& snapshot)
      : collection_(collection), snapshot_(snapshot) {}

  /// Fills in where the example has the feature.
  Result<void> find(std::size_t tier, MostCommon& one) {
    AKIN_CHECK(read(tier, one.common.example));
    const auto place = std::ranges::find(stored_.hashes, one.common.feature);
    if (place == stored_.hashes.end()) {
      return Error{Errc::corrupt, "document '" + *id_ + "'",
                   "its postings list a feature that its sequence does not have", "run akin verify"};
    }
    one.range = stored_.ranges[static_cast<std::size_t>(place - stored_.hashes.begin())];
    if (!collection_.keeps_texts()) return {};
    const TextRange shown{one.range.begin, std::min(one.range.end, one.range.begin + kShownCodePoints)};
    one.text = slices_->slice(shown);
    return {};
  }

 private:
  Result<void> read(std::size_t tier, const std::string& id) {
    if (id_ == id && tier_ == tier) return {};
    AKIN_TRY(stored_, snapshot_.features_in(id, tier));
    if (collection_.keeps_texts()) {
      AKIN_TRY(text_, snapshot_.text(id));
      slices_.emplace(text_);
    }
    id_ = id;
    tier_ = tier;
    return {};
  }

  const Collection& collection_;
  const Snapshot& snapshot_;
  std::optional<std::string> id_;
  std::size_t tier_ = 0;
  FeatureSequence stored_;
  std::string text_;
  std::optional<SlicedText> slices_;  ///< of `text_`
};

}  // namespace

Result<std::vector<MostCommon>> most_common_in(const Collection& collection, const Snapshot& snapshot,
                                               std::size_t count) {
  const auto tiers = collection.scheme().tiers();
  std::vector<MostCommon> list;
  Examples examples(collection, snapshot);
  for (std::size_t tier = 0; tier < std::max<std::size_t>(tiers.size(), 1); ++tier) {
    const auto in_tier = tiers.empty() ? std::nullopt : std::optional(tier);
    AKIN_TRY(std::vector<CommonFeature> found, snapshot.most_common(count, in_tier));
    for (CommonFeature& common : found) {
      MostCommon one{tiers.empty() ? std::string() : tiers[tier].name, std::move(common), {}, {}};
      AKIN_CHECK(examples.find(tier, one));
      list.push_back(std::move(one));
    }
  }
  return list;
}

Json most_common_array(const std::vector<MostCommon>& list) {
  Json array = Json::array();
  for (const MostCommon& one : list) {
    Json entry;
    if (!one.tier.empty()) entry["tier"] = one.tier;
    entry["hash"] = hex16(static_cast<std::uint64_t>(one.common.feature));
    entry["documents"] = one.common.documents;
    entry["example"] = {{"id", one.common.example}, {"range", range_array(one.range)}};
    if (one.text) entry["example"]["text"] = *one.text;
    array.push_back(std::move(entry));
  }
  return array;
}

}  // namespace akin::api
