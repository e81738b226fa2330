#include "server/check/engine.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>

#include "base/waiting.h"
#include "index/search/common_features.h"
#include "index/search/tier_search.h"
#include "server/check/common_text.h"
#include "server/check/compared.h"
#include "server/check/compared_sources.h"
#include "server/check/ranges.h"
#include "server/check/references.h"
#include "server/check/searched.h"
#include "server/check/sources.h"
#include "server/check/text_alone.h"
#include "server/check/text_readings.h"
#include "server/check/verdict.h"
#include "server/filter/filter.h"

namespace akin::check {

namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

class Check {
 public:
  /// `cited`: parts to be excluded that an earlier check found.
  Check(const CheckInput& input, const Policy& policy, CitedParts cited = {})
      : input_(input),
        policy_(policy),
        letters_(*input.letters),
        rest_(letters_),
        readings_(input),
        cited_(std::move(cited)),
        finds_cited_(std::ranges::all_of(cited_, &std::vector<TextRange>::empty) && leaves_out_cited()) {}

  /// Stretches of the passages that were found and are to be excluded, if this check was not given any.
  [[nodiscard]] CitedParts& cited() noexcept { return cited_; }

  /// All that goes before the first search for sources.
  Result<void> prepare() {
    AKIN_CHECK(read_text());
    exclude_by_form(input_.text, letters_, policy_.exclude, outcome_.exclusions);
    if (!finds_cited_) exclude_cited(cited_, letters_, policy_.exclude, outcome_.exclusions);
    AKIN_CHECK(exclude_templates());
    AKIN_CHECK(find_own_earlier());
    AKIN_CHECK(compare());
    return turn_to(input_.collections.front());
  }

  /// Requires prepare.
  Result<Outcome> run(const TextAlone& alone) {
    for (std::size_t number = 0; number < input_.collections.size(); ++number) {
      if (number > 0) AKIN_CHECK(turn_to(input_.collections[number]));
      AKIN_CHECK(find_sources(number));
    }
    AKIN_CHECK(sum_up(alone));
    decide_verdict(outcome_, policy_, over_);
    return std::move(outcome_);
  }

 private:
  [[nodiscard]] bool aligns() const {
    return std::ranges::any_of(input_.collections, &SearchedCollection::aligned);
  }

  [[nodiscard]] bool leaves_out_cited() const {
    const Exclusions& rules = policy_.exclude;
    return rules.referenced_quotations || rules.unreferenced_quotations || rules.referenced_passages;
  }

  void note_cited(const std::vector<Passage>& passages) {
    if (!finds_cited_) return;
    for (const Passage& passage : passages) {
      const auto [quoted, referenced] = input_.citations->of(passage.a);
      const auto take = [&](bool rule, ExclusionKind kind) {
        if (rule) append_without(passage.a, passage.gaps, cited_[static_cast<std::size_t>(kind)]);
      };
      const Exclusions& rules = policy_.exclude;
      take(rules.referenced_quotations && quoted && referenced, ExclusionKind::referenced_quotation);
      take(rules.unreferenced_quotations && quoted && !referenced, ExclusionKind::unreferenced_quotation);
      take(rules.referenced_passages && !quoted && referenced, ExclusionKind::referenced_passage);
    }
  }

  [[nodiscard]] bool leaves_out_own() const { return !input_.owner.empty() && policy_.exclude.own_earlier; }

  Result<void> read_text() {
    if (!aligns() || (input_.templates == 0 && !leaves_out_own())) return check_work();
    return readings_.prepare_whole();
  }

  Result<void> exclude_templates() {
    for (std::size_t number = 0; number < input_.templates; ++number) {
      AKIN_TRY(const AnalyzedTemplate entry, input_.read_template(number));
      const Exclusion made_by{ExclusionKind::template_text, {}, entry.collection, entry.id};
      for (std::size_t at = 0; at < input_.analyses.size(); ++at) {
        if (input_.analyses[at].scheme->finds_passages()) continue;
        exclude_shared(input_.analyses[at].features, entry.features[at], made_by, outcome_.exclusions);
      }
      if (aligns()) AKIN_CHECK(exclude_aligned(entry.text, made_by));
    }
    return {};
  }

  Result<void> exclude_aligned(std::string_view other, const Exclusion& made_by) {
    AKIN_TRY(const auto aligned, readings_.align_whole(other));
    for (const AlignedText& one : aligned) exclude_passages(one.passages, made_by, outcome_.exclusions);
    return {};
  }

  Result<void> find_own_earlier() {
    own_.resize(input_.collections.size());
    if (!leaves_out_own()) return {};
    for (std::size_t number = 0; number < input_.collections.size(); ++number) {
      const SearchedCollection& collection = input_.collections[number];
      for (const SearchedTier& tier : collection.tiers)
        AKIN_CHECK(find_own_in(collection, tier, own_[number]));
    }
    return {};
  }

  /// Notes what the owner's documents that one tier finds contain; `known`: those that are aligned already.
  Result<void> find_own_in(const SearchedCollection& collection, const SearchedTier& tier,
                           std::set<std::string, std::less<>>& known) {
    const FeatureSequence& features = input_.analyses[tier.analysis].features;
    SearchRequest request = search_request(collection, tier, features);
    request.bound = 0;
    request.accept = [this](const DocumentRecord& document) -> Result<bool> {
      return belongs_to(document, input_.owner);
    };
    AKIN_TRY(const SearchResult result, collection.snapshot->search(request));
    for (const Hit& hit : result.hits) {
      AKIN_CHECK(check_work());
      const bool fresh = known.insert(hit.document.id).second;
      const auto note = [&](const std::vector<Passage>& passages) {
        for (const Passage& passage : passages)
          outcome_.own.add({passage.a, collection.name, hit.document.id}, passage.gaps);
      };
      if (!tier.verified) {
        AKIN_TRY(const FeatureSequence stored, collection.snapshot->features_in(hit.document, tier.tier));
        note(shared_passages(features, stored));
      }
      if (!collection.aligned || !fresh) continue;
      AKIN_TRY(const std::string text, collection.snapshot->text(hit.document));
      AKIN_TRY(const AlignedText aligned, readings_.whole(collection).align(text, ChangeDetail::none));
      note(aligned.passages);
    }
    return {};
  }

  Result<void> compare() {
    rest_ = letters_.without(outcome_.exclusions.ranges());
    for (const Analysis& analysis : input_.analyses) {
      FeatureSequence features = compared_features(analysis.features, letters_, rest_);
      const std::size_t count = features.hashes.size();
      compared_.push_back({std::move(features), std::vector<bool>(count), analysis.scheme->seed_shape()});
    }
    if (!aligns()) return {};
    const auto options = AlignOptions::for_words(static_cast<unsigned>(policy_.min_passage_words));
    AKIN_TRY(outcome_.aligned_words,
             readings_.prepare_compared(letters_, rest_, options, seeds_of(compared_)));
    return {};
  }

  /// Finds every document that shares a feature, without a bound.
  [[nodiscard]] SearchRequest search_request(const SearchedCollection& collection, const SearchedTier& tier,
                                             const FeatureSequence& features) const {
    SearchRequest request;
    request.query = &features;
    request.tier = tier.tier;
    request.limit = kAll;
    for (const StoredText& itself : input_.itself)
      if (collection.name == itself.collection) request.exclude.emplace_back(itself.id);
    return request;
  }

  Result<void> turn_to(const SearchedCollection& collection) {
    return searched_.choose(collection, readings_.compared(collection), states_.emplace_back());
  }

  Result<void> find_sources(std::size_t number) {
    const SearchedCollection& collection = input_.collections[number];
    const auto& own = own_[number];
    std::optional<filter::Filter> wanted;
    if (!policy_.filter.empty()) {
      AKIN_TRY(wanted, filter::Filter::parse(policy_.filter));
    }
    IndexState& state = states_.back();
    const TextAligner* const aligner = readings_.compared(collection);
    DocumentNumbers known;
    const auto accepts = [&](const DocumentRecord& document) -> Result<bool> {
      return !own.contains(document.id) && (!wanted || wanted->accepts(document));
    };
    SourcePassages passages(collection, collection.aligned ? aligner : nullptr);
    for (const SearchedTier& tier : collection.tiers) {
      passages.begin(tier);
      const auto take = [&](std::span<Hit> hits) {
        return passages.find(hits,
                             [&](Hit hit) { return take_hit(collection, tier, std::move(hit), known); });
      };
      SearchRequest request = search_request(collection, tier, searched_.in(tier));
      request.bound = tier.verified ? 0 : policy_.bound;
      request.min_containment = tier.verified ? 0.0 : policy_.min_containment;
      request.evidence = !collection.aligned;
      if (!own.empty() || wanted) request.accept = accepts;
      CommonSeeds& aside = searched_.set_aside_in(tier);
      request.common = &aside.features;
      request.rules_out = passages.rules_out(tier);
      const bool may_set_aside = tier.verified && !policy_.common_limit;
      const Snapshot& stored = *collection.snapshot;
      AKIN_TRY(SearchResult result,
               may_set_aside ? search_beside(aside, stored, request) : stored.search(request));
      if (tier.verified) {
        state.alignable += result.total;
        state.aligned += result.hits.size() + result.ruled_out;
      }
      std::erase_if(result.hits, [&](const Hit& hit) { return known.contains(hit.document.number); });
      AKIN_CHECK(take(result.hits));
      if (tier.verified && !aside.features.empty()) {
        CommonText& common = state.common_text.emplace();
        common.limit = aside.limit;
        common.documents = result.with_common;
        FeatureSequence seeds = common_part(searched_.in(tier), aside.features);
        common.words = aligner->words_in(common_stretches(searched_.in(tier), aside.features));
        const CommonCover cover{[&](TextRange range) { return is_found(range); },
                                [&](Hit hit) {
                                  ++state.alignable;
                                  ++state.aligned;
                                  return take({&hit, 1});
                                }};
        AKIN_CHECK(cover_common(stored, std::move(request), std::move(seeds), known, cover));
      }
    }
    keep_best(outcome_.sources, policy_.max_sources);
    return passages.show(outcome_.sources);
  }

  [[nodiscard]] bool is_found(TextRange range) const {
    return std::ranges::any_of(
        found_, [&](TextRange one) { return one.begin <= range.begin && range.end <= one.end; });
  }

  /// If a document that a tier found shares passages, it is a source, and `known` from then on.
  Result<void> take_hit(const SearchedCollection& collection, const SearchedTier& tier, Hit hit,
                        DocumentNumbers& known) {
    std::erase_if(hit.passages, [&](const Passage& passage) {
      return passage.words == 0 && passage.features < policy_.min_passage_features;
    });
    if (tier.verified && hit.passages.empty()) return {};
    known.insert(hit.document.number);
    return add_source(collection, tier, std::move(hit));
  }

  /// X in the first tier that was searched, which every source shows.
  Result<Overlap> first_overlap(const SearchedCollection& collection, const Hit& hit) const {
    const SearchedTier& first = collection.tiers.front();
    AKIN_TRY(Overlap shared,
             collection.snapshot->overlap_in(hit.document, first.tier, searched_.in(first).hashes));
    shared.has_containment = input_.analyses[first.analysis].scheme->has_containment();
    return shared;
  }

  Result<void> add_source(const SearchedCollection& collection, const SearchedTier& tier, Hit hit) {
    Source source{.collection = collection.name,
                  .document = {},
                  .tier = tier.name,
                  .overlap = hit.overlap,
                  .words = hit.words,
                  .passages = {}};
    if (tier.tier != collection.tiers.front().tier) {
      AKIN_TRY(source.overlap, first_overlap(collection, hit));
    }
    source.document = std::move(hit.document);
    source.passages = std::move(hit.passages);
    auto [ranges, positions] =
        stretches_of(source.passages, searched_.in(tier), compared_[tier.analysis].features);
    join_ranges(ranges);
    const std::vector<TextRange> whole = with_gaps(ranges, source.passages);
    source.letters = rest_.count_union(ranges);
    source.extent = rest_.count_union(whole);
    const double share = ratio(source.letters, rest_.count());
    if (share < policy_.min_source_share) return {};
    for (const std::size_t position : positions) compared_[tier.analysis].found[position] = true;
    if (collection.aligned) found_.insert(found_.end(), ranges.begin(), ranges.end());
    all_found_.insert(all_found_.end(), ranges.begin(), ranges.end());
    whole_.insert(whole_.end(), whole.begin(), whole.end());
    source.found = std::move(ranges);
    note_cited(source.passages);
    name_passages(source);
    ++outcome_.sources_total;
    if (reaches(share, policy_.review_source_share)) ++over_.review;
    if (reaches(share, policy_.refuse_source_share)) ++over_.refuse;
    outcome_.sources.push_back(std::move(source));
    return {};
  }

  /// Leaves what the policy leaves out also out of the sizes of the sources.
  Result<void> leave_common_out_of_sizes() {
    if (!policy_.common_limit) return {};
    for (Source& source : outcome_.sources) {
      const SearchedCollection& in =
          *std::ranges::find(input_.collections, source.collection, &SearchedCollection::name);
      const CommonFeatures common(*in.snapshot, *policy_.common_limit);
      AKIN_TRY(source.overlap.b_features, common.remaining(source.document, in.tiers.front().tier));
    }
    return {};
  }

  Result<void> sum_up(const TextAlone& alone) {
    AKIN_CHECK(leave_common_out_of_sizes());
    AKIN_CHECK(check_work());
    const FeatureSequence& first = input_.analyses.front().features;
    outcome_.code_points = first.code_points;
    outcome_.sentences = first.sentences;
    outcome_.words = first.words;
    outcome_.alert_counts = alone.disguise.counts;
    outcome_.alerts = alone.disguise.alerts;
    outcome_.repeats_total = alone.repeats.size();
    outcome_.repeats.assign(
        alone.repeats.begin(),
        alone.repeats.begin() + static_cast<std::ptrdiff_t>(std::min(alone.repeats.size(), kMostNamedParts)));
    outcome_.file_alerts = input_.file_alerts;
    std::vector<TextRange> found = found_;
    const Letters outside = rest_.without(found_);
    for (std::size_t at = 0; at < compared_.size(); ++at) {
      const Analysis& analysis = input_.analyses[at];
      outcome_.features.push_back(
          {analysis.scheme->name(), analysis.features.hashes.size(), compared_[at].features.hashes.size(),
           count_found(compared_[at], rest_, outside, found), analysis.scheme->finds_passages()});
    }
    std::ranges::sort(found, {}, &TextRange::begin);
    join_ranges(whole_);
    outcome_.own.finish();
    outcome_.letters = {letters_.count(),
                        rest_.count(),
                        rest_.count_union(found),
                        letters_.count_union(input_.citations->quotations()),
                        rest_.count_union(outcome_.own.ranges),
                        rest_.count_union(whole_)};
    compare_sources(outcome_.sources, all_found_, rest_);
    note_citations(*input_.citations, outcome_.sources);
    outcome_.exclusions.finish();
    for (std::size_t number = 0; number < input_.collections.size(); ++number) {
      const SearchedCollection& collection = input_.collections[number];
      IndexState state = states_[number];
      state.collection = collection.name;
      state.scheme = collection.scheme;
      state.generation = collection.generation;
      state.styles = collection.styles;
      AKIN_TRY(state.stats, collection.snapshot->stats());
      outcome_.index.push_back(std::move(state));
    }
    return {};
  }

  const CheckInput& input_;
  const Policy& policy_;
  const Letters& letters_;
  Letters rest_;  ///< those that are not excluded
  TextReadings readings_;
  std::vector<Compared> compared_;                       ///< one for each analysis
  Searched searched_{policy_, compared_};                ///< in the collection at work
  std::vector<TextRange> found_;                         ///< aligned passages of all sources, without gaps
  std::vector<TextRange> all_found_, whole_;             ///< Source::found of all sources; the same with gaps
  std::vector<IndexState> states_;                       ///< by collection: what was left out, and aligned
  std::vector<std::set<std::string, std::less<>>> own_;  ///< the owner's documents, by collection
  SourcesOver over_;
  CitedParts cited_;
  bool finds_cited_;  ///< this run finds what is to be excluded by citations
  Outcome outcome_;
};

}  // namespace

Result<Outcome> check_text(const CheckInput& input, const Policy& policy) {
  Check check(input, policy);
  Result<void> prepared;
  const TextAlone alone =
      find_in_text_alone(input, policy.min_passage_words, [&] { prepared = check.prepare(); });
  AKIN_CHECK(prepared);
  AKIN_TRY(Outcome outcome, check.run(alone));
  // What is cited is known once it is found; what is left out is left out of sizes and searches alike.
  if (std::ranges::all_of(check.cited(), &std::vector<TextRange>::empty)) return outcome;
  Check without_cited(input, policy, std::move(check.cited()));
  AKIN_CHECK(without_cited.prepare());
  return without_cited.run(alone);
}

}  // namespace akin::check
