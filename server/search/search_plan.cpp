#include "server/search/search_plan.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/held_memory.h"
#include "base/waiting.h"
#include "index/search/common_features.h"
#include "index/search/run_search.h"
#include "morph/align/word_sequence.h"
#include "morph/schemes/scheme.h"
#include "morph/schemes/tiers.h"
#include "server/json/quoted.h"

namespace akin::api {

namespace {

constexpr std::uint64_t kSearchBound = 3;

/// The tiers of a search for reuse by passages of so many words.
std::vector<TierQuery> tiers_for(const Scheme& scheme, bool keeps_texts, unsigned words,
                                 bool passages_alone) {
  std::vector<TierQuery> tiers = reuse_tiers(scheme, keeps_texts, words);
  if (!passages_alone) return tiers;
  std::erase_if(tiers, [](const TierQuery& tier) { return !tier.verified; });
  for (TierQuery& tier : tiers) tier.min_word_share = tier.min_bits = tier.min_rare_bits = 0;
  return tiers;
}

void set_sure_words(SearchPlan& plan, const Scheme& scheme) {
  plan.sure_words = 0;
  for (const TierQuery& tier : plan.tiers) {
    const unsigned run = tier.verified ? scheme.tiers()[tier.tier].scheme->least_run() : 0;
    if (run > 0 && (plan.sure_words == 0 || run < plan.sure_words)) plan.sure_words = run;
  }
}

/// Adapts a plan to a text of so many words.
void adapt(SearchPlan& plan, const Scheme& scheme, std::uint64_t words) {
  if (!plan.adapts || words >= plan.min_words) return;
  plan.min_words = kLeastPassageWords;
  if (plan.reuse) plan.tiers = tiers_for(scheme, true, plan.min_words, false);
  set_sure_words(plan, scheme);
}

/// Fills in what `read` returns for each tier, or for the collection's own features.
template <class Read>
Result<void> fill_in(SearchPlan& plan, const Read& read) {
  for (TierQuery& tier : plan.tiers) {
    AKIN_TRY(tier.query, read(tier.tier));
  }
  if (plan.tiers.empty()) {
    AKIN_TRY(plan.features, read(0));
  }
  return {};
}

/// A query without features in each chosen tier; its bound is the tier's own, or else the search's.
Result<std::vector<TierQuery>> tier_queries(const Scheme& scheme, bool keeps_texts, const Question& question,
                                            const SearchPlan& plan) {
  std::vector<TierQuery> queries;
  const auto add = [&](std::size_t tier, std::optional<std::uint64_t> bound) -> Result<void> {
    const Scheme& own = *scheme.tiers()[tier].scheme;
    AKIN_CHECK(check_containment(own, plan.min_containment));
    const bool verified = own.finds_passages() && keeps_texts;
    const std::uint64_t absent = verified ? question.bound.value_or(0) : plan.bound;
    queries.push_back({tier, {}, bound.value_or(absent), plan.min_containment, verified});
    return {};
  };
  const std::vector<TierChoice>& choices = question.tiers;
  const bool all = choices.size() == 1 && choices.front().name == kAllTiers;
  if (all && !scheme.tiers().empty()) {
    for (std::size_t tier = 0; tier < scheme.tiers().size(); ++tier)
      AKIN_CHECK(add(tier, choices.front().bound));
    return queries;
  }
  for (const TierChoice& choice : choices) {
    AKIN_TRY(const std::size_t tier, find_tier(scheme, choice.name));
    AKIN_CHECK(add(tier, choice.bound));
  }
  return queries;
}

/// Where seeds would miss passages of a short text, its runs are looked for.
void look_for_runs(SearchPlan& plan, const Scheme& scheme) {
  const std::size_t words = plan.aligner->words();
  if (plan.min_words >= plan.sure_words || words < plan.min_words || words > kMostRunWords) return;
  for (TierQuery& tier : plan.tiers) {
    if (tier.verified && scheme.tiers()[tier.tier].scheme->least_run() > plan.min_words)
      tier.run = plan.min_words;
  }
}

/// The aligner of the text of a plan whose features are filled in. If several tiers are verified, it knows
/// the seeds of none, as they differ.
Result<void> set_aligner(SearchPlan& plan, const Collection& collection, std::string_view text,
                         WordSequence words) {
  const auto verified = std::ranges::find(plan.tiers, true, &TierQuery::verified);
  TextSeeds seeds;
  if (std::ranges::count(plan.tiers, true, &TierQuery::verified) == 1)
    seeds = {verified->query.ranges, verified->query.hashes,
             collection.scheme().tiers()[verified->tier].scheme->seed_shape()};
  AKIN_TRY(plan.aligner, TextAligner::of(text, std::move(words), collection.shared_dictionary(),
                                         AlignOptions::for_words(plan.min_words), seeds));
  look_for_runs(plan, collection.scheme());
  return {};
}

Result<unsigned> passage_words(std::uint64_t words) {
  if (words >= kLeastPassageWords && words <= kMostPassageWords) return static_cast<unsigned>(words);
  return Error{Errc::invalid_argument, "the fewest words of a passage",
               std::to_string(words) + " is not from " + std::to_string(kLeastPassageWords) + " to " +
                   std::to_string(kMostPassageWords),
               "give a number in that range"};
}

Error nothing_aligned() {
  return {Errc::invalid_argument, "the fewest words of a passage", "this search aligns no texts",
          "search in a tier of seeds, without a bound, in a collection that keeps texts"};
}

}  // namespace

bool SearchPlan::needs_aligner() const { return aligns || std::ranges::any_of(tiers, &TierQuery::verified); }

std::uint64_t SearchPlan::all_left_out() const {
  return std::reduce(left_out.begin(), left_out.end(), std::uint64_t{0});
}

void SearchPlan::describe(SearchRequest& request) const {
  request.query = &reported();
  request.bound = bound;
  request.min_containment = min_containment;
}

Result<SearchPlan> plan_query(const Scheme& scheme, bool keeps_texts, const Question& question) {
  SearchPlan plan;
  const bool reuse =
      question.tiers.empty() && !question.bound && !question.min_containment && !question.best_only;
  plan.bound = question.bound.value_or(question.best_only ? 0 : kSearchBound);
  plan.min_containment = question.min_containment.value_or(0.0);
  plan.common_limit = question.common_limit;
  plan.filtered = static_cast<bool>(question.accept);
  plan.generates_candidates = scheme.generates_candidates();
  if (question.min_words) {
    AKIN_TRY(plan.min_words, passage_words(*question.min_words));
  }
  plan.reuse = reuse && finds_reuse(scheme);
  if (plan.reuse) {
    plan.tiers = tiers_for(scheme, keeps_texts, plan.min_words, question.min_words.has_value());
    if (keeps_texts && !question.common_limit) plan.common_above = kCommonDocuments;
  } else if (!question.tiers.empty()) {
    AKIN_TRY(plan.tiers, tier_queries(scheme, keeps_texts, question, plan));
  }
  const bool verified = std::ranges::any_of(plan.tiers, &TierQuery::verified);
  if (question.min_words && !verified) return nothing_aligned();
  plan.adapts = verified && !question.min_words;
  set_sure_words(plan, scheme);
  plan.aligns =
      question.evidence == Evidence::aligned || (question.evidence == Evidence::automatic && verified);
  if (plan.aligns && !keeps_texts) {
    return Error{Errc::unsupported, "passages", "the collection keeps no texts, which alignment reads",
                 "ask for include=features"};
  }
  return plan;
}

Result<void> analyze_query(SearchPlan& plan, const Collection& collection, std::string_view text) {
  WordReader words;
  SentenceSink* const also = plan.needs_aligner() ? &words : nullptr;
  FeatureSequence all;
  const bool whole = plan.tiers.size() > 1 || plan.adapts;
  if (whole) {
    AKIN_TRY(all, collection.analyze_tiers(text, also));
    adapt(plan, collection.scheme(), all.words);
  }
  AKIN_CHECK(fill_in(plan, [&](std::size_t tier) -> Result<FeatureSequence> {
    if (whole) return part_in_tier(all, all.tier_sizes, tier);
    return collection.analyze_in(text, tier, also);
  }));
  if (also == nullptr) return {};
  return set_aligner(plan, collection, text, words.take());
}

Result<void> read_query(SearchPlan& plan, const Collection& collection, const Snapshot& snapshot,
                        const StoredDocument& document) {
  const auto fill = [&] {
    return fill_in(plan, [&](std::size_t tier) { return snapshot.features_in(document, tier); });
  };
  if (!plan.needs_aligner()) return fill();
  AKIN_TRY(const std::string text, snapshot.text(document));
  AKIN_TRY(WordSequence words, read_words(text, collection.dictionary()));
  adapt(plan, collection.scheme(), words.classes.size());
  AKIN_CHECK(fill());
  return set_aligner(plan, collection, text, std::move(words));
}

Result<void> leave_common_out(SearchPlan& plan, const Snapshot& snapshot) {
  if (!plan.common_limit) return {};
  const CommonFeatures common(snapshot, *plan.common_limit);
  for (TierQuery& tier : plan.tiers) {
    AKIN_TRY(const std::uint64_t left_out, common.leave_out(tier.query));
    plan.left_out.push_back(left_out);
  }
  if (!plan.tiers.empty()) return {};
  AKIN_TRY(const std::uint64_t left_out, common.leave_out(plan.features));
  plan.left_out.push_back(left_out);
  return {};
}

Result<void> leave_common_out(std::span<Hit> hits, const SearchPlan& plan, const Snapshot& snapshot) {
  if (!plan.common_limit) return {};
  const CommonFeatures common(snapshot, *plan.common_limit);
  for (Hit& hit : hits) AKIN_CHECK(common.leave_out(hit, 0));
  return {};
}

void add_common(Json& object, const SearchPlan& plan, const Scheme& scheme) {
  if (!plan.common_limit) return;
  Json common;
  common["limit"] = *plan.common_limit;
  common["features"] = plan.all_left_out();
  for (std::size_t i = 0; i < plan.tiers.size(); ++i)
    common["tiers"][scheme.tiers()[plan.tiers[i].tier].name] = plan.left_out[i];
  object["common"] = std::move(common);
}

void add_hint(Json& object, const SearchPlan& plan, const SearchResult& result) {
  const std::string hint = not_found_hint(plan, result);
  if (!hint.empty()) object["hint"] = hint;
  if (plan.sure_words > 0) object["passage_words"] = plan.min_words;
}

void add_next(Json& object, const Question& question) {
  const std::uint64_t end = question.offset + object.at("results").size();
  const Json& total = object.at("total");
  const bool more = end > question.offset && total.is_number() && end < total.get<std::uint64_t>();
  object["next"] = more ? Json(cursor_after(std::to_string(end))) : Json(nullptr);
}

Result<SearchResult> find_similar(const Snapshot& snapshot, const Scheme& scheme, const SearchPlan& plan,
                                  SearchRequest page) {
  plan.describe(page);
  if (!plan.tiers.empty()) {
    return search_tiers(snapshot, scheme,
                        {.tiers = plan.tiers,
                         .page = std::move(page),
                         .aligner = plan.aligner.get(),
                         .aligns = plan.aligns,
                         .common_above = plan.common_above});
  }
  const bool aligns = page.evidence && plan.aligns;
  if (aligns) page.evidence = false;
  AKIN_TRY(SearchResult result, snapshot.search(page));
  if (aligns) {
    for (Hit& hit : result.hits) {
      AKIN_CHECK(check_work());
      AKIN_CHECK(align_hit(snapshot, *plan.aligner, hit));
    }
  }
  return result;
}

SearchRequest page_of(const Question& question) {
  SearchRequest page;
  page.limit = question.limit;
  page.offset = question.offset;
  page.evidence = question.evidence != Evidence::none;
  page.best_only = question.best_only;
  page.accept = question.accept;
  if (!question.text) page.exclude = {question.id};
  return page;
}

SearchRequest Found::described(const Question& question) const {
  SearchRequest request = page_of(question);
  plan.describe(request);
  return request;
}

Result<Found> search(const Collection& collection, const Question& question) {
  Found found;
  AKIN_TRY(const HeldMemory held, HeldMemory::take(kTextWork * question.text.value_or("").size()));
  AKIN_TRY(found.plan, plan_query(collection.scheme(), collection.keeps_texts(), question));
  if (question.text) AKIN_CHECK(analyze_query(found.plan, collection, *question.text));
  AKIN_TRY(found.snapshot, collection.snapshot());
  if (!question.text) {
    AKIN_TRY(const StoredDocument document, found.snapshot->document(question.id));
    AKIN_CHECK(read_query(found.plan, collection, *found.snapshot, document));
  }
  AKIN_CHECK(leave_common_out(found.plan, *found.snapshot));
  AKIN_TRY(found.result, find_similar(*found.snapshot, collection.scheme(), found.plan, page_of(question)));
  AKIN_CHECK(leave_common_out(found.result.hits, found.plan, *found.snapshot));
  return found;
}

}  // namespace akin::api
