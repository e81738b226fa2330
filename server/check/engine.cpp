#include "server/check/engine.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <tuple>

#include "server/check/verdict.h"
#include "server/filter/filter.h"
#include "server/json/strict_json.h"

namespace akin::check {

namespace {

constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

double ratio(std::uint64_t part, std::uint64_t whole) noexcept {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}

bool belongs_to(const DocumentRecord& document, std::string_view owner) {
  if (document.metadata.find("\"owner\"") == std::string::npos) return false;
  const auto metadata = json::parse_json(document.metadata);
  if (metadata.has_error() || !metadata->is_object()) return false;
  const auto found = metadata->find("owner");
  return found != metadata->end() && found->is_string() && found->get_ref<const std::string&>() == owner;
}

bool better(const Source& left, const Source& right) {
  const auto key = [](const Source& source) {
    return std::tuple(~source.letters, ~source.overlap.x, source.overlap.b_features,
                      std::string_view(source.collection), std::string_view(source.document.id));
  };
  return key(left) < key(right);
}

/// The features of one scheme during a check.
struct Compared {
  FeatureSequence features;
  std::vector<bool> found;  ///< for each feature, whether a source has it
};

class Check {
 public:
  Check(const CheckInput& input, const Policy& policy)
      : input_(input), policy_(policy), letters_(input.text), rest_(letters_) {}

  Result<Outcome> run() {
    exclude_by_form(input_.text, letters_, policy_.exclude, outcome_.exclusions);
    exclude_templates();
    AKIN_CHECK(exclude_own_earlier());
    compare();
    for (std::size_t number = 0; number < input_.collections.size(); ++number) {
      AKIN_CHECK(find_sources(number));
      keep_best();
    }
    AKIN_CHECK(sum_up());
    decide_verdict(outcome_, policy_, over_);
    return std::move(outcome_);
  }

 private:
  void exclude_templates() {
    for (const AnalyzedTemplate& entry : input_.templates) {
      const Exclusion made_by{ExclusionKind::template_text, {}, entry.collection, entry.id};
      for (std::size_t at = 0; at < input_.analyses.size(); ++at) {
        exclude_shared(input_.analyses[at].features, entry.features[at], made_by, outcome_.exclusions);
      }
    }
  }

  Result<void> exclude_own_earlier() {
    own_.resize(input_.collections.size());
    if (input_.owner.empty() || !policy_.exclude.own_earlier) return {};
    for (std::size_t number = 0; number < input_.collections.size(); ++number) {
      const SearchedCollection& collection = input_.collections[number];
      const FeatureSequence& features = input_.analyses[collection.analysis].features;
      SearchRequest request = search_request(collection, features);
      request.bound = 0;
      request.accept = [this](const DocumentRecord& document) -> Result<bool> {
        return belongs_to(document, input_.owner);
      };
      AKIN_TRY(const SearchResult result, collection.snapshot->search(request));
      for (const Hit& hit : result.hits) {
        const std::string& id = hit.document.id;
        own_[number].insert(id);
        AKIN_TRY(const FeatureSequence stored, collection.snapshot->features(id));
        exclude_shared(features, stored, {ExclusionKind::own_earlier, {}, collection.name, id},
                       outcome_.exclusions);
      }
    }
    return {};
  }

  void compare() {
    std::vector<TextRange> ranges;
    for (const Exclusion& exclusion : outcome_.exclusions.excluded) ranges.push_back(exclusion.range);
    rest_ = letters_.without(ranges);
    for (const Analysis& analysis : input_.analyses) {
      FeatureSequence features = compared_features(analysis.features, letters_, rest_);
      const std::size_t count = features.hashes.size();
      compared_.push_back({std::move(features), std::vector<bool>(count)});
    }
  }

  /// Finds every document that shares a feature, without a bound.
  [[nodiscard]] SearchRequest search_request(const SearchedCollection& collection,
                                             const FeatureSequence& features) const {
    SearchRequest request;
    request.query = &features;
    request.limit = kAll;
    if (collection.name == input_.collection) request.exclude.emplace_back(input_.id);
    return request;
  }

  Result<void> find_sources(std::size_t number) {
    const SearchedCollection& collection = input_.collections[number];
    Compared& compared = compared_[collection.analysis];
    SearchRequest request = search_request(collection, compared.features);
    request.bound = policy_.bound;
    request.min_containment = policy_.min_containment;
    request.evidence = true;
    const auto& own = own_[number];
    std::optional<filter::Filter> wanted;
    if (!policy_.filter.empty()) {
      AKIN_TRY(wanted, filter::Filter::parse(policy_.filter));
    }
    if (!own.empty() || wanted) {
      request.accept = [&](const DocumentRecord& document) -> Result<bool> {
        return !own.contains(document.id) && (!wanted || wanted->accepts(document));
      };
    }
    AKIN_TRY(SearchResult result, collection.snapshot->search(request));
    for (Hit& hit : result.hits) {
      add_source({collection.name, std::move(hit.document), hit.overlap, std::move(hit.passages), 0},
                 compared);
    }
    return {};
  }

  void add_source(Source source, Compared& compared) {
    std::erase_if(source.passages,
                  [&](const Passage& passage) { return passage.features < policy_.min_passage_features; });
    const FeatureSequence& features = compared.features;
    std::vector<TextRange> ranges;
    std::vector<std::size_t> positions;
    for (const Passage& passage : source.passages) {
      // No two features have the same start, so the start of a passage identifies its first feature.
      const auto first = std::ranges::lower_bound(features.ranges, passage.a.begin, {}, &TextRange::begin);
      for (auto at = first; at != first + static_cast<std::ptrdiff_t>(passage.features); ++at) {
        ranges.push_back(*at);
        positions.push_back(static_cast<std::size_t>(at - features.ranges.begin()));
      }
    }
    source.letters = rest_.count_union(ranges);
    const double share = ratio(source.letters, rest_.count());
    if (share < policy_.min_source_share) return;
    for (const std::size_t position : positions) compared.found[position] = true;
    ++outcome_.sources_total;
    if (reaches(share, policy_.review_source_share)) ++over_.review;
    if (reaches(share, policy_.refuse_source_share)) ++over_.refuse;
    outcome_.sources.push_back(std::move(source));
  }

  void keep_best() {
    std::ranges::sort(outcome_.sources, better);
    if (outcome_.sources.size() > policy_.max_sources) outcome_.sources.resize(policy_.max_sources);
  }

  Result<void> sum_up() {
    const FeatureSequence& first = input_.analyses.front().features;
    outcome_.code_points = first.code_points;
    outcome_.sentences = first.sentences;
    outcome_.alert_count = first.alert_count;
    outcome_.alerts = first.alerts;
    std::vector<TextRange> found;
    for (std::size_t at = 0; at < compared_.size(); ++at) {
      const Compared& compared = compared_[at];
      FeatureCounts counts{input_.analyses[at].scheme->name(), input_.analyses[at].features.hashes.size(),
                           compared.features.hashes.size(), 0};
      for (std::size_t position = 0; position < compared.found.size(); ++position) {
        if (!compared.found[position]) continue;
        ++counts.found;
        found.push_back(compared.features.ranges[position]);
      }
      outcome_.features.push_back(std::move(counts));
    }
    std::ranges::sort(found, {}, &TextRange::begin);
    outcome_.letters = {letters_.count(), rest_.count(), rest_.count_union(found)};
    const auto in_order = [](const auto& left, const auto& right) {
      return std::pair(left.range.begin, left.range.end) < std::pair(right.range.begin, right.range.end);
    };
    std::ranges::stable_sort(outcome_.exclusions.excluded, in_order);
    std::ranges::stable_sort(outcome_.exclusions.not_excluded, in_order);
    for (const SearchedCollection& collection : input_.collections) {
      AKIN_TRY(const StoreStats stats, collection.snapshot->stats());
      outcome_.index.push_back(
          {collection.name, outcome_.features[collection.analysis].scheme, collection.generation, stats});
    }
    return {};
  }

  const CheckInput& input_;
  const Policy& policy_;
  Letters letters_;
  Letters rest_;                                         ///< those that are not excluded
  std::vector<Compared> compared_;                       ///< one for each analysis
  std::vector<std::set<std::string, std::less<>>> own_;  ///< the owner's documents, by collection
  SourcesOver over_;
  Outcome outcome_;
};

}  // namespace

double Outcome::share() const noexcept { return ratio(letters.found, letters.compared); }

double Outcome::share(const Source& source) const noexcept { return ratio(source.letters, letters.compared); }

Result<Outcome> check_text(const CheckInput& input, const Policy& policy) {
  return Check(input, policy).run();
}

}  // namespace akin::check
