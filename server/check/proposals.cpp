#include "server/check/proposals.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/sliced_text.h"
#include "base/waiting.h"
#include "index/search/tier_search.h"
#include "morph/align/word_sequence.h"

namespace akin::check {

namespace {

class Proposer {
 public:
  Proposer(const Collection& collection, const Snapshot& snapshot, const ProposalRequest& request)
      : collection_(collection), snapshot_(snapshot), request_(request) {
    const Scheme& scheme = collection.scheme();
    if (scheme.tiers().empty()) return;
    tier_ = finds_reuse(scheme) ? seed_tier(scheme, static_cast<unsigned>(request.least_words)) : 0;
  }

  Result<std::vector<ProposedTemplate>> run() {
    AKIN_TRY(const std::vector<CommonFeature> found, snapshot_.most_common(kProposedFeatures, tier_));
    std::map<std::string, std::size_t> examples;
    for (const CommonFeature& one : found) {
      if (one.documents <= request_.more_than) break;
      open_.emplace(one.feature, one.documents);
      ++examples[one.example];
    }
    for (const std::string& text : request_.accepted) {
      AKIN_TRY(const FeatureSequence features, collection_.analyze_in(text, tier_.value_or(0)));
      for (const Feature feature : features.hashes) open_.erase(feature);
    }
    std::vector<std::pair<std::size_t, std::string>> order;
    order.reserve(examples.size());
    for (auto& [id, features] : examples) order.emplace_back(features, id);
    std::ranges::stable_sort(order, std::ranges::greater(), [](const auto& one) { return one.first; });
    for (const auto& [features, id] : order) AKIN_CHECK(look_into(id));
    std::ranges::sort(proposals_, [](const ProposedTemplate& one, const ProposedTemplate& other) {
      return std::tuple(other.documents, other.words, std::string_view(one.id), one.range.begin) <
             std::tuple(one.documents, one.words, std::string_view(other.id), other.range.begin);
    });
    proposals_.resize(std::min(proposals_.size(), request_.limit));
    return std::move(proposals_);
  }

 private:
  Result<void> look_into(const std::string& id) {
    AKIN_CHECK(check_work());
    AKIN_TRY(const StoredDocument document, snapshot_.document(id));
    if (request_.may_show) {
      AKIN_TRY(const bool is_shown, request_.may_show(document));
      if (!is_shown) return {};
    }
    AKIN_TRY(const FeatureSequence features, snapshot_.features_in(document, tier_.value_or(0)));
    AKIN_TRY(const std::string text, snapshot_.text(document));
    const SlicedText slices(text);
    const auto is_open = [&](std::size_t at) { return open_.contains(features.hashes[at]); };
    for (std::size_t begin = 0; begin < features.hashes.size();) {
      std::size_t end = begin;
      while (end < features.hashes.size() && is_open(end)) ++end;
      if (begin == end) ++begin;
      while (begin < end) {
        AKIN_TRY(begin, propose({id, features, slices}, begin, end));
      }
    }
    return {};
  }

  struct Example {
    const std::string& id;
    const FeatureSequence& features;
    const SlicedText& text;
  };

  /// Proposes the longest run of features that begins here, ends here at the latest, and that enough
  /// documents have; returns its end.
  Result<std::size_t> propose(const Example& in, std::size_t begin, std::size_t end) {
    std::size_t longest = begin + 1, too_long = end + 1;
    const auto first = open_.find(in.features.hashes[begin]);
    if (first == open_.end()) return longest;  // the passage before has it too
    std::uint64_t documents = first->second;
    for (std::size_t tried = end; longest + 1 < too_long && longest < end;
         tried = longest + (too_long - longest) / 2) {
      AKIN_TRY(const std::uint64_t having, documents_with(in.features, begin, tried));
      if (having > request_.more_than) {
        longest = tried;
        documents = having;
      } else {
        too_long = tried;
      }
    }
    TextRange range = in.features.ranges[begin];
    for (std::size_t at = begin; at < longest; ++at) {
      range.begin = std::min(range.begin, in.features.ranges[at].begin);
      range.end = std::max(range.end, in.features.ranges[at].end);
    }
    std::string text(in.text.slice(range));
    AKIN_TRY(const WordSequence words, read_words(text, collection_.dictionary()));
    if (words.classes.size() < request_.least_words) return longest;
    for (std::size_t at = begin; at < longest; ++at) open_.erase(in.features.hashes[at]);
    proposals_.push_back({documents, words.classes.size(), in.id, range, std::move(text)});
    return longest;
  }

  /// Documents with all features of a passage but those that overlap with its first or last, if there are
  /// others: which features a sample has at an end depends on the text beside it (winnow).
  Result<std::uint64_t> documents_with(const FeatureSequence& features, std::size_t begin,
                                       std::size_t end) const {
    AKIN_CHECK(check_work());
    const TextRange first = features.ranges[begin], last = features.ranges[end - 1];
    FeatureSequence query;
    for (const bool inner : {true, false}) {
      for (std::size_t at = begin; at < end; ++at) {
        const TextRange range = features.ranges[at];
        if (inner && (range.begin < first.end || range.end > last.begin)) continue;
        query.hashes.push_back(features.hashes[at]);
        query.ranges.push_back(range);
      }
      if (!query.hashes.empty()) break;
    }
    SearchRequest search;
    search.query = &query;
    search.tier = tier_.value_or(0);
    search.bound = query.hashes.size() - 1;
    search.limit = 1;
    AKIN_TRY(const SearchResult result, snapshot_.search(search));
    return result.total;
  }

  const Collection& collection_;
  const Snapshot& snapshot_;
  const ProposalRequest& request_;
  std::optional<std::size_t> tier_;                  ///< none if the scheme has no tiers
  std::unordered_map<Feature, std::uint64_t> open_;  ///< documents of the features that nothing has proposed
  std::vector<ProposedTemplate> proposals_;
};

}  // namespace

Result<std::vector<ProposedTemplate>> propose_templates(const Collection& collection,
                                                        const ProposalRequest& request) {
  AKIN_TRY(const auto snapshot, collection.snapshot());
  return Proposer(collection, *snapshot, request).run();
}

Result<std::vector<std::string>> template_texts(Catalog& catalog, const Policy& policy) {
  std::vector<std::string> texts;
  for (const TemplateText& entry : policy.exclude.templates) {
    texts.push_back(entry.text);
    if (entry.collection.empty()) continue;
    AKIN_TRY(const auto collection, catalog.get(entry.collection));
    AKIN_TRY(const auto snapshot, collection->snapshot());
    AKIN_TRY(texts.back(), snapshot->text(entry.id));
  }
  return texts;
}

Result<Policy> with_template(const Policy& policy, std::string text) {
  Policy changed = policy;
  changed.exclude.templates.push_back({{}, {}, std::move(text)});
  return parse_policy(policy_object(changed));
}

}  // namespace akin::check
