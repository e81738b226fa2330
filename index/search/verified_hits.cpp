#include "index/search/verified_hits.h"

#include <algorithm>
#include <utility>

#include "base/waiting.h"
#include "index/search/run_bits.h"
#include "index/search/sort_large.h"
#include "index/search/works.h"

namespace akin {
namespace {

/// A hit of a verified tier, with what its text shares with the query.
struct Matched {
  Hit hit;
  std::shared_ptr<const PassageBits::Passages> passages;  ///< of copies: the same
  std::pair<double, double> rank = {};
  bool is_copy = false;  ///< of the one before
  bool common = false;   ///< it shares nothing but common text
};

/// How many matched words of a document `counts` holds for.
template <class Counts>
std::size_t count_words(const Matched& one, const Counts& counts) {
  std::size_t counted = 0;
  for (const WordRange& range : PassageBits::joined(*one.passages)) {
    for (std::size_t word = range.begin; word < range.end; ++word) counted += counts(word) ? 1 : 0;
  }
  return counted;
}

/// Sets the rare bits of those that nothing else verifies; says which of the others share only common text,
/// if that is set aside.
Result<void> judge_by_works(const Snapshot& snapshot, const TieredRequest& request, const TierQuery& tier,
                            const PassageBits& bits, std::vector<Matched>& matched) {
  std::vector<Matched*> open, shared;
  const bool any_common = request.common_above && matched.size() > kFewWorks;
  for (Matched& one : matched) {
    const auto any = [](std::size_t) { return true; };
    const MatchedWords& own = *one.hit.words;
    if (!is_verified(one.hit, tier)) {
      if (bits.most_of(*one.passages, any) >= tier.min_rare_bits) open.push_back(&one);
    } else if (any_common && own.larger_share() < Works::kSameWork && own.bits < kCommonBits) {
      shared.push_back(&one);
    }
  }
  if (open.empty() && shared.empty()) return {};
  Works works(snapshot, *request.aligner, shared.empty() ? kRareWorks : kFewWorks);
  for (const auto* some : {&open, &shared}) {
    for (const Matched* one : *some) works.ask(PassageBits::joined(*one->passages));
  }
  for (const Matched& one : matched) {
    if (!one.is_copy) AKIN_CHECK(works.add(one.hit.document, PassageBits::joined(*one.passages)));
  }
  for (Matched* one : open) {
    one->hit.words->rare_bits =
        bits.most_of(*one->passages, [&](std::size_t word) { return works.are_few(word, kRareWorks); });
  }
  for (Matched* one : shared) {
    const auto few = [&](std::size_t word) { return works.are_few(word, kFewWorks); };
    one->common = count_words(*one, few) < kPassageWords;
  }
  return {};
}

/// Adds what documents share that are not `known` and share nothing else.
void add_common(const std::vector<Matched>& matched, const std::unordered_set<std::uint64_t>& known,
                std::size_t words, std::optional<CommonText>& common) {
  std::vector<bool> shared(words);
  std::uint64_t documents = 0;
  for (const Matched& one : matched) {
    if (!one.common || known.contains(one.hit.document.number)) continue;
    ++documents;
    count_words(one, [&](std::size_t word) { return shared[word] = true; });
  }
  if (documents == 0) return;
  if (!common) common = CommonText{kFewWorks};
  common->words = std::min<std::uint64_t>(
      common->words + static_cast<std::uint64_t>(std::ranges::count(shared, true)), words);
  common->documents += documents;
}

}  // namespace

Result<void> keep_verified(const Snapshot& snapshot, const TieredRequest& request, const TierQuery& tier,
                           const std::unordered_set<std::uint64_t>& known, std::vector<Hit>& hits,
                           KeptMatches& matches, std::optional<CommonText>& common) {
  std::optional<PassageBits> bits;  // of no use if nothing is matched
  std::vector<Matched> matched;
  StoredMatcher matcher(snapshot, *request.aligner, tier.run == 0);
  std::shared_ptr<const TextMatch> last;
  AKIN_CHECK(matcher.match_each(hits, [&](Hit& hit, std::shared_ptr<const TextMatch> match) -> Result<void> {
    if (match->alignment.passages.empty()) return {};
    const bool is_copy = match == last;
    auto passages =
        is_copy ? matched.back().passages : std::make_shared<const PassageBits::Passages>(match->passages());
    if (!bits) bits.emplace(request.aligner->classes(), request.aligner->weights());
    bits->add(*passages);
    matched.push_back({.hit = std::move(hit), .passages = std::move(passages), .is_copy = is_copy});
    if (shows_alignment(request)) matches.keep(matched.back().hit.document.number, match);
    last = std::move(match);
    return {};
  }));
  hits.clear();
  if (!bits) return {};
  double most = 0, rare_words = 0;
  for (Matched& one : matched) {
    if (!one.is_copy) {
      most = bits->most(*one.passages);
      rare_words = bits->rare_words(*one.passages);
    }
    one.hit.words->bits = most;
    one.rank = {rare_words, 0};
  }
  if (request.aligner->words() < kPassageWords) {
    RunBits runs(request.aligner->words());
    for (const Matched& one : matched) runs.add(PassageBits::joined(*one.passages));
    AKIN_TRY(const StoreStats stats, snapshot.stats());
    for (Matched& one : matched) {
      const std::vector<WordRange> own = PassageBits::joined(*one.passages);
      one.rank = {runs.most(own, stats.documents), std::ranges::max(own, {}, &WordRange::size).size()};
    }
  }
  if (tier.min_rare_bits > 0) {
    AKIN_CHECK(judge_by_works(snapshot, request, tier, *bits, matched));
    add_common(matched, known, request.aligner->words(), common);
  }
  std::erase_if(matched, [&](const Matched& one) { return one.common || !is_verified(one.hit, tier); });
  stable_sort_large(matched,
                    [](const Matched& left, const Matched& right) { return left.rank > right.rank; });
  for (Matched& one : matched) hits.push_back(std::move(one.hit));
  return {};
}

}  // namespace akin
