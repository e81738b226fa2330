#include "server/gate/entrant.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "index/search/stored_matches.h"
#include "index/search/tier_search.h"
#include "morph/align/word_sequence.h"
#include "morph/schemes/tiers.h"

namespace akin::gate {

namespace {

bool is_nearer(const Nearest& left, const Nearest& right) {
  return left.similarity != right.similarity ? left.similarity > right.similarity
                                             : left.hit.document.id < right.hit.document.id;
}

/// Calls visit(hit) for every document that a search finds, whatever its limit, a page at a time.
template <class Visit>
Result<void> for_each_hit(const Snapshot& snapshot, SearchRequest request, Visit visit) {
  constexpr std::uint64_t kPage = 1000;
  request.bound = 0;
  request.limit = kPage;
  if (request.query->hashes.empty()) return {};
  for (;; request.offset += kPage) {
    AKIN_TRY(SearchResult page, snapshot.search(request));
    for (Hit& hit : page.hits) AKIN_CHECK(visit(hit));
    if (request.offset + page.hits.size() >= page.total || page.hits.empty()) return {};
  }
}

}  // namespace

Result<Entrant> Entrant::of(const Collection& collection, const Submission& submission, const Gate& gate) {
  Entrant entrant(collection, submission, gate);
  if (gate.measure != Measure::words) return entrant;
  const std::string_view text = submission.document.text;
  AKIN_TRY(entrant.tiers_, collection.analyze_tiers(text));
  AKIN_TRY(WordSequence words, read_words(text, collection.dictionary()));
  AKIN_TRY(entrant.aligner_, TextAligner::of(text, std::move(words), collection.shared_dictionary()));
  return entrant;
}

Result<Duplicates> Entrant::find_duplicates(const Snapshot& snapshot) const {
  Duplicates found;
  if (aligner_) {
    AKIN_TRY(SearchResult reuse, find_reuse(snapshot));
    StoredMatcher matcher(snapshot, *aligner_);
    for (Hit& hit : reuse.hits) {
      if (!hit.words) AKIN_CHECK(matcher.match(hit));
      hit.overlap = hit.tiers.front().overlap;
      const double shared = std::max(hit.words->larger_share(), similarity(gate_.measure, hit.overlap));
      take(std::move(hit), shared, found);
    }
    return found;
  }
  SearchRequest request;
  request.query = submission_.features;
  request.min_containment = least_share();
  AKIN_CHECK(for_each_hit(snapshot, request, [&](Hit& hit) -> Result<void> {
    const double shared = similarity(gate_.measure, hit.overlap);
    take(std::move(hit), shared, found);
    return {};
  }));
  return found;
}

/// By Measure::words: what a search for reuse finds, and what reaches the threshold in the first tier.
Result<SearchResult> Entrant::find_reuse(const Snapshot& snapshot) const {
  TieredRequest request{.tiers = reuse_tiers(scheme_, true),
                        .page = {},
                        .aligner = aligner_.get(),
                        .common_above = kCommonDocuments};
  for (TierQuery& tier : request.tiers) {
    tier.query = part_in_tier(*tiers_, tiers_->tier_sizes, tier.tier);
    tier.min_word_share = std::min(tier.min_word_share, gate_.threshold);
    if (tier.verified || tier.tier != 0) continue;
    tier.bound = 0;
    tier.min_containment = least_share();
  }
  request.page.limit = std::numeric_limits<std::uint64_t>::max();
  return search_tiers(snapshot, scheme_, request);
}

Result<void> Entrant::show_passages(const Snapshot& snapshot, std::vector<Nearest>& nearest) const {
  for (Nearest& one : nearest) {
    if (aligner_) {
      AKIN_CHECK(align_hit(snapshot, *aligner_, one.hit));
      continue;
    }
    AKIN_TRY(const FeatureSequence stored, snapshot.features(one.hit.document));
    one.hit.passages = shared_passages(*submission_.features, stored);
  }
  return {};
}

double Entrant::least_share() const {
  return scheme_.has_containment() ? least_containment(gate_.measure, gate_.threshold) : 0.0;
}

void Entrant::take(Hit hit, double similarity, Duplicates& found) const {
  if (similarity >= gate_.threshold) count(hit, found);
  Nearest one{std::move(hit), similarity};
  const auto place = std::ranges::lower_bound(found.nearest, one, is_nearer);
  if (place == found.nearest.end() && found.nearest.size() == kMostNearest) return;
  found.nearest.insert(place, std::move(one));
  if (found.nearest.size() > kMostNearest) found.nearest.pop_back();
}

void Entrant::count(const Hit& hit, Duplicates& found) const {
  ++found.count;
  const Contender added{submission_.features->code_points, hit.overlap.a_features};
  const Contender stored{hit.document.code_points, hit.overlap.b_features};
  found.survived = found.survived && survives(gate_.survivor, added, stored);
  if (found.survived) found.losers.push_back({hit.document.id, hit.document.revision});
}

}  // namespace akin::gate
