#include "index/search/reuse_pairs.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "index/search/text_aligner.h"
#include "index/search/tier_search.h"
#include "index/search/word_cache.h"

namespace akin {
namespace {

/// PairsRequest::first and `reached` of pairs that only passages show: the number of the document, and this.
constexpr std::uint32_t kPairsOfPassages = std::uint32_t{1} << 31;
constexpr std::uint64_t kMostRemembered = std::uint64_t{512} << 20;

bool has_share(const PairCondition& condition) {
  return condition.min_containment > 0 || condition.min_resemblance > 0;
}

/// The condition by X: without one, that of a search for reuse.
PairCondition by_overlap(const PairCondition& condition, const Scheme& first) {
  if (has_share(condition)) return condition;
  return {.bound = 3, .min_containment = first.has_containment() ? kReuseContainment : 0.0};
}

/// Compares the documents of pairs; remembers what it read of them, as documents recur in later pairs.
class PairAligner {
 public:
  /// `memory`: bytes of what is remembered.
  PairAligner(const Snapshot& snapshot, std::shared_ptr<const Dictionary> dictionary, std::uint64_t memory)
      : snapshot_(snapshot), dictionary_(std::move(dictionary)), room_(memory / 2), words_(memory / 2) {}

  Result<MatchedWords> match(std::string_view a, std::string_view b) {
    AKIN_TRY(const Known* const known, read(a));
    AKIN_TRY(const StoredDocument document, snapshot_.document(b));
    AKIN_TRY(const auto words, words_.words(snapshot_, document, *dictionary_));
    return match_alone(*known->aligner, *words);
  }

  Result<Overlap> overlap_of(std::string_view a, std::string_view b) {
    AKIN_TRY(const Known* const known, read(a));
    AKIN_TRY(const StoredDocument document, snapshot_.document(b));
    return snapshot_.overlap_in(document, 0, known->features.hashes);
  }

 private:
  struct Known {
    FeatureSequence features;  ///< of the first tier
    std::shared_ptr<const TextAligner> aligner;
  };
  /// Memory of an aligner and the features for each byte of the text, at most.
  static constexpr std::uint64_t kBytesPerByte = 16;

  Result<const Known*> read(std::string_view a) {
    if (const auto known = known_.find(std::string(a)); known != known_.end()) return &known->second;
    AKIN_TRY(const StoredDocument document, snapshot_.document(a));
    AKIN_TRY(const std::string text, snapshot_.text(document));
    Known read;
    AKIN_TRY(read.features, snapshot_.features(document));
    AKIN_TRY(WordSequence words, read_words(text, *dictionary_));
    AKIN_TRY(read.aligner, TextAligner::of(text, std::move(words), dictionary_));
    held_ += kBytesPerByte * text.size();
    if (held_ > room_) {
      known_.clear();
      held_ = kBytesPerByte * text.size();
    }
    return &known_.insert_or_assign(std::string(a), std::move(read)).first->second;
  }

  const Snapshot& snapshot_;
  const std::shared_ptr<const Dictionary> dictionary_;
  const std::uint64_t room_;
  std::uint64_t held_ = 0;
  std::unordered_map<std::string, Known> known_;
  WordCache words_;
};

/// A request for pairs of one tier, which is half of the work.
PairsRequest half(const PairsRequest& request, std::size_t tier, double done) {
  PairsRequest one = request;
  one.reuse = false;
  one.tier = tier;
  one.progress = [&request, done](const PairsProgress& now) {
    if (request.progress) request.progress({done + now.share / 2, now.pairs});
  };
  return one;
}

/// Whether two documents whose words were matched are a pair: the larger share reaches the minimum
/// containment, and the matched words of all words of both the minimum resemblance. Without either, a search
/// for reuse must find one by the other.
bool is_pair(const MatchedWords& words, const PairCondition& condition) noexcept {
  if (words.a == 0) return false;
  if (!has_share(condition))
    return is_reuse(words, {.query = {}, .min_words = kReuseWords, .min_bits = kReuseBits});
  return words.larger_share() >= condition.min_containment &&
         words.resemblance() >= condition.min_resemblance;
}

}  // namespace

Result<PairsSummary> find_reuse_pairs(const Snapshot& snapshot, const Scheme& scheme,
                                      const std::shared_ptr<const Dictionary>& dictionary,
                                      const PairsRequest& request, const PairVisitor& visit) {
  AKIN_CHECK(request.condition.check());
  PairAligner aligner(snapshot, dictionary, std::min(request.memory / 4, kMostRemembered));
  const Scheme& first = *scheme.tiers().front().scheme;
  PairsRequest by_x = half(request, 0, 0.0);
  by_x.condition = by_overlap(request.condition, first);
  PairsSummary summary;
  if (request.first < kPairsOfPassages) {
    AKIN_TRY(summary, snapshot.pairs(by_x, [&](DocumentPair pair) -> Result<void> {
      AKIN_TRY(pair.words, aligner.match(pair.a, pair.b));
      return visit(pair);
    }));
    if (!summary.complete) return summary;
    if (request.reached) AKIN_CHECK(request.reached(kPairsOfPassages));
  }
  const auto passages =
      std::ranges::find_if(scheme.tiers(), [](const Tier& tier) { return tier.scheme->finds_passages(); });
  PairsRequest seeds = half(request, static_cast<std::size_t>(passages - scheme.tiers().begin()), 0.5);
  seeds.condition = {};
  seeds.common_limit = kCommonDocuments;
  seeds.first = request.first < kPairsOfPassages ? 0 : request.first - kPairsOfPassages;
  if (request.reached)
    seeds.reached = [&](std::uint32_t next) { return request.reached(kPairsOfPassages + next); };
  AKIN_TRY(const PairsSummary aligned, snapshot.pairs(seeds, [&](const DocumentPair& pair) -> Result<void> {
    AKIN_TRY(Overlap shared, aligner.overlap_of(pair.a, pair.b));
    if (by_x.condition.holds(shared)) return {};  // reported before
    AKIN_TRY(const MatchedWords words, aligner.match(pair.a, pair.b));
    if (!is_pair(words, request.condition)) return {};
    shared.has_containment = first.has_containment();
    ++summary.pairs;
    return visit({pair.a, pair.b, shared, words});
  }));
  summary.complete = aligned.complete;
  return summary;
}

}  // namespace akin
