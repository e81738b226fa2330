#include "index/search/scheme_snapshot.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "base/waiting.h"
#include "index/pairs/groups.h"
#include "index/pairs/text_copies.h"
#include "index/search/ranking.h"
#include "index/search/reuse_pairs.h"

namespace akin {

namespace {

/// Features of recently verified documents: the partners of one document recur in later pairs.
class FeatureCache {
 public:
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;

  explicit FeatureCache(const Snapshot& snapshot) : snapshot_(snapshot) {}

  [[nodiscard]] Result<std::shared_ptr<const std::vector<Feature>>> of(const std::string& id) {
    if (const auto known = features_.find(id); known != features_.end()) return known->second;
    AKIN_TRY(FeatureSequence analyzed, snapshot_.features(id));
    const std::uint64_t bytes = analyzed.hashes.size() * sizeof(Feature) + id.size() + kEntryBytes;
    if (held_ + bytes > kMaxBytes) {
      features_.clear();
      held_ = 0;
    }
    held_ += bytes;
    auto kept = std::make_shared<const std::vector<Feature>>(std::move(analyzed.hashes));
    features_.emplace(id, kept);
    return std::shared_ptr<const std::vector<Feature>>(std::move(kept));
  }

 private:
  static constexpr std::uint64_t kEntryBytes = 128;

  const Snapshot& snapshot_;
  std::uint64_t held_ = 0;
  std::unordered_map<std::string, std::shared_ptr<const std::vector<Feature>>> features_;
};

}  // namespace

SchemeSnapshot::SchemeSnapshot(std::unique_ptr<Snapshot> stored, std::shared_ptr<const Scheme> scheme,
                               std::shared_ptr<const Dictionary> dictionary) noexcept
    : stored_(std::move(stored)), scheme_(std::move(scheme)), dictionary_(std::move(dictionary)) {}

Result<SearchResult> SchemeSnapshot::search(const SearchRequest& request) const {
  AKIN_TRY(const Scheme* const scheme, scheme_in(request.tier));
  AKIN_CHECK(check_containment(*scheme, request.min_containment));
  AKIN_TRY(SearchResult result,
           scheme_->generates_candidates() ? verified(request) : stored_->search(request));
  for (Hit& hit : result.hits) hit.overlap.has_containment = scheme->has_containment();
  return result;
}

Result<const Scheme*> SchemeSnapshot::scheme_in(std::size_t tier) const {
  const auto tiers = scheme_->tiers();
  if (tier < tiers.size()) return tiers[tier].scheme.get();
  if (tier == 0) return scheme_.get();
  return Error{Errc::invalid_argument, "tier " + std::to_string(tier + 1),
               "the scheme " + scheme_->name() + " does not have it", "name a tier of the collection"};
}

Result<PairsRequest> SchemeSnapshot::in_one_tier(PairsRequest request) const {
  AKIN_TRY(const Scheme* const scheme, scheme_in(request.tier.value_or(0)));
  AKIN_CHECK(check_containment(*scheme, request.condition.min_containment));
  if (request.common_limit) AKIN_CHECK(require_stored_features());
  if (!scheme_->tiers().empty() && !request.tier) request.tier = 0;
  if (scheme_->tiers().empty()) request.tier.reset();
  return request;
}

Result<SearchResult> SchemeSnapshot::verified(const SearchRequest& request) const {
  AKIN_CHECK(check_request(request));
  const FeatureSequence& query = *request.query;
  const FeatureSequence signature = scheme_->signature(query);
  SearchRequest unverified = request;
  unverified.query = &signature;
  unverified.bound = 0;
  unverified.min_containment = 0;
  unverified.limit = std::numeric_limits<std::uint64_t>::max();
  unverified.offset = 0;
  unverified.evidence = false;
  unverified.best_only = false;
  AKIN_TRY(SearchResult candidates, stored_->search(unverified));
  SearchResult result;
  result.candidates = candidates.hits.size();
  const std::uint64_t least = least_overlap(request.bound, request.min_containment, query.hashes.size());
  for (Hit& hit : candidates.hits) {
    AKIN_CHECK(check_work());
    AKIN_TRY(const FeatureSequence document, features(hit.document));
    hit.overlap = overlap(query.hashes, document.hashes);
    hit.document.features = document.hashes.size();
    if (hit.overlap.x >= least) result.hits.push_back(std::move(hit));
  }
  result.total = result.hits.size();
  result.counted = !request.best_only;
  std::ranges::sort(result.hits, better_hit);
  result.hits.erase(result.hits.begin(),
                    result.hits.begin() +
                        static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(request.offset, result.total)));
  if (result.hits.size() > request.limit) result.hits.resize(request.limit);
  if (!request.evidence) return result;
  for (Hit& hit : result.hits) {
    AKIN_TRY(const FeatureSequence document, features(hit.document));
    hit.passages = shared_passages(query, document);
  }
  return result;
}

Result<FeatureSequence> SchemeSnapshot::features(const StoredDocument& document) const {
  if (!scheme_->tiers().empty()) return stored_->features_in(document, 0);
  if (!scheme_->generates_candidates()) return stored_->features(document);
  AKIN_TRY(const std::string text, stored_->text(document));
  return extract_features(text, *dictionary_, scheme_->verifying_scheme());
}

Result<FeatureSequence> SchemeSnapshot::features_in(const StoredDocument& document, std::size_t tier) const {
  AKIN_CHECK(scheme_in(tier));
  return tier == 0 ? features(document) : stored_->features_in(document, tier);
}

Result<Overlap> SchemeSnapshot::overlap_in(const StoredDocument& document, std::size_t tier,
                                           std::span<const Feature> query) const {
  AKIN_CHECK(scheme_in(tier));
  return scheme_->generates_candidates() ? Snapshot::overlap_in(document, tier, query)
                                         : stored_->overlap_in(document, tier, query);
}

Result<FeatureSequence> SchemeSnapshot::features_beside(const StoredDocument& document, std::size_t tier,
                                                        const FeatureSequence& query) const {
  AKIN_CHECK(scheme_in(tier));
  return scheme_->generates_candidates() ? features(document)
                                         : stored_->features_beside(document, tier, query);
}

Result<void> SchemeSnapshot::require_stored_features() const {
  if (!scheme_->generates_candidates()) return {};
  return Error{Errc::unsupported, "common features",
               "the scheme " + scheme_->name() + " stores candidates, not the features that it compares",
               "use a collection of the scheme " + scheme_->verifying_scheme().name()};
}

Result<std::vector<Feature>> SchemeSnapshot::common_features(std::span<const Feature> features,
                                                             std::uint64_t limit) const {
  AKIN_CHECK(require_stored_features());
  return stored_->common_features(features, limit);
}

Result<std::vector<CommonFeature>> SchemeSnapshot::most_common(std::size_t count,
                                                               std::optional<std::size_t> tier) const {
  AKIN_CHECK(require_stored_features());
  AKIN_CHECK(scheme_in(tier.value_or(0)));
  if (scheme_->tiers().empty()) return stored_->most_common(count, std::nullopt);
  return stored_->most_common(count, tier.value_or(0));
}

Result<PairsSummary> SchemeSnapshot::pairs(const PairsRequest& wanted, const PairVisitor& visit) const {
  if (wanted.reuse) return find_reuse_pairs(*this, *scheme_, dictionary_, wanted, visit);
  AKIN_TRY(const PairsRequest request, in_one_tier(wanted));
  AKIN_TRY(const Scheme* const scheme, scheme_in(request.tier.value_or(0)));
  const auto report = [&](DocumentPair pair) -> Result<void> {
    pair.overlap.has_containment = scheme->has_containment();
    return visit(pair);
  };
  return scheme_->generates_candidates() ? verified_pairs(request, report) : stored_->pairs(request, report);
}

Result<PairsSummary> SchemeSnapshot::verified_pairs(const PairsRequest& request,
                                                    const PairVisitor& visit) const {
  AKIN_CHECK(request.condition.check());
  PairsRequest unverified = request;
  unverified.condition = {};
  std::uint64_t reported = 0;
  unverified.progress = [&](const PairsProgress& now) {
    if (request.progress) request.progress({now.share, reported});
  };
  FeatureCache features(*this);
  const auto verify_pair = [&](const DocumentPair& pair) -> Result<void> {
    AKIN_TRY(const auto a, features.of(std::string(pair.a)));
    AKIN_TRY(const auto b, features.of(std::string(pair.b)));
    const Overlap shared = overlap(*a, *b);
    if (!request.condition.holds(shared)) return {};
    ++reported;
    return visit({pair.a, pair.b, shared});
  };
  AKIN_TRY(const PairsSummary candidates, stored_->pairs(unverified, verify_pair));
  return PairsSummary{.pairs = reported, .complete = candidates.complete, .candidates = candidates.pairs};
}

Result<GroupsSummary> SchemeSnapshot::groups(const PairsRequest& wanted, const GroupVisitor& visit) const {
  if (wanted.reuse) return find_reuse_groups(*this, *scheme_, dictionary_, wanted, visit);
  if (!scheme_->generates_candidates()) {
    AKIN_TRY(const PairsRequest request, in_one_tier(wanted));
    return stored_->groups(request, visit);
  }
  AKIN_TRY(const TextCopies copies, TextCopies::find(*this, wanted.only));
  PairsRequest of_others = wanted;
  of_others.only = &copies.others();
  return group_pairs([&](const PairVisitor& take) { return pairs(of_others, take); }, visit, &copies);
}

}  // namespace akin
