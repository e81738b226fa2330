#include "index/search/reuse_pairs.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "index/pairs/groups.h"
#include "index/search/text_aligner.h"
#include "index/search/tier_search.h"
#include "index/search/word_cache.h"
#include "index/search/works.h"

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

/// Reads the documents of pairs; remembers what it read of them, as documents recur in later pairs.
class PairReader {
 public:
  /// `memory`: bytes of what is remembered.
  PairReader(const Snapshot& snapshot, std::shared_ptr<const Dictionary> dictionary, std::uint64_t memory)
      : snapshot_(snapshot), dictionary_(std::move(dictionary)), room_(memory / 2), words_(memory / 2) {}

  Result<std::shared_ptr<const TextAligner>> aligner(std::string_view a) {
    AKIN_TRY(const Known* const known, read(a));
    return known->aligner;
  }

  Result<StoredDocument> document(std::string_view b) { return snapshot_.document(b); }

  Result<std::shared_ptr<const PackedWords>> words(const StoredDocument& b) {
    return words_.words(snapshot_, b, *dictionary_);
  }

  Result<Overlap> overlap_of(std::string_view a, const StoredDocument& b) {
    AKIN_TRY(const Known* const known, read(a));
    return snapshot_.overlap_in(b, 0, known->features.hashes);
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

/// Knows which documents a search for reuse by another one finds. Pairs of one document come in a row, or
/// nearly so.
class Searches {
 public:
  Searches(const Snapshot& snapshot, const Scheme& scheme, PairReader& reader)
      : snapshot_(snapshot), scheme_(scheme), reader_(reader) {}

  /// Whether a search by `a` finds `b` by passages.
  Result<bool> finds(std::string_view a, std::string_view b) {
    auto known = known_.find(std::string(a));
    if (known == known_.end()) {
      AKIN_TRY(std::vector<std::uint64_t> found, search(a));
      held_ += found.size() + 1;
      if (held_ > kMostHeld) {
        known_.clear();
        held_ = found.size() + 1;
      }
      known = known_.emplace(a, std::move(found)).first;
    }
    AKIN_TRY(const StoredDocument document, snapshot_.document(b));
    return std::ranges::binary_search(known->second, document.number);
  }

 private:
  static constexpr std::size_t kMostHeld = std::size_t{1} << 20U;

  /// The numbers of the documents, ascending.
  Result<std::vector<std::uint64_t>> search(std::string_view a) {
    AKIN_TRY(const StoredDocument document, snapshot_.document(a));
    AKIN_TRY(const auto aligner, reader_.aligner(a));
    TieredRequest request{.tiers = reuse_tiers(scheme_, true),
                          .page = {},
                          .aligner = aligner.get(),
                          .common_above = kCommonDocuments};
    std::erase_if(request.tiers, [](const TierQuery& tier) { return !tier.verified; });
    for (TierQuery& tier : request.tiers) {
      AKIN_TRY(tier.query, snapshot_.features_in(document, tier.tier));
    }
    request.page.limit = std::numeric_limits<std::uint64_t>::max();
    request.page.exclude = {document.id};
    AKIN_TRY(const SearchResult result, search_tiers(snapshot_, scheme_, request));
    std::vector<std::uint64_t> numbers;
    numbers.reserve(result.hits.size());
    for (const Hit& hit : result.hits) numbers.push_back(hit.document.number);
    std::ranges::sort(numbers);
    return numbers;
  }

  const Snapshot& snapshot_;
  const Scheme& scheme_;
  PairReader& reader_;
  std::unordered_map<std::string, std::vector<std::uint64_t>> known_;
  std::size_t held_ = 0;
};

/// Matches the words of pairs on several threads, some hundreds of pairs at a time.
class PairMatcher {
 public:
  /// Called for each pair with its `words`, in the order in which they were added.
  using Take = std::function<Result<void>(const DocumentPair&)>;

  PairMatcher(PairReader& reader, unsigned threads, Take take)
      : reader_(reader), threads_(threads), take_(std::move(take)) {}

  /// `b`: the pair's.
  Result<void> add(const DocumentPair& pair, const StoredDocument& b) {
    Waiting one{std::string(pair.a), std::string(pair.b), pair.overlap, {}, {}, {}};
    AKIN_TRY(one.aligner, reader_.aligner(pair.a));
    AKIN_TRY(one.words, reader_.words(b));
    waiting_words_ += one.aligner->words() + one.words->numbered().size();
    waiting_.push_back(std::move(one));
    if (waiting_.size() < kMostPairs && waiting_words_ < kMostWords) return {};
    return flush();
  }

  /// Takes all that were added.
  Result<void> flush() {
    const auto match = [this](std::size_t i) {
      waiting_[i].matched = match_alone(*waiting_[i].aligner, *waiting_[i].words);
    };
    for_each_index(waiting_.size(), match, threads_);
    for (const Waiting& one : waiting_) AKIN_CHECK(take_({one.a, one.b, one.overlap, one.matched}));
    waiting_.clear();
    waiting_words_ = 0;
    return {};
  }

 private:
  struct Waiting {
    std::string a, b;
    Overlap overlap;
    std::shared_ptr<const TextAligner> aligner;
    std::shared_ptr<const PackedWords> words;
    MatchedWords matched;
  };
  static constexpr std::size_t kMostPairs = 512;
  static constexpr std::uint64_t kMostWords = std::uint64_t{1} << 21;  ///< about 130 MiB with their aligners

  PairReader& reader_;
  const unsigned threads_;
  const Take take_;
  std::vector<Waiting> waiting_;
  std::uint64_t waiting_words_ = 0;
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

/// A request for the pairs that alignment has to verify.
PairsRequest by_seeds(const PairsRequest& request, const Scheme& scheme) {
  const auto passages =
      std::ranges::find_if(scheme.tiers(), [](const Tier& tier) { return tier.scheme->finds_passages(); });
  PairsRequest seeds = half(request, static_cast<std::size_t>(passages - scheme.tiers().begin()), 0.5);
  seeds.condition = {};
  seeds.common_limit = request.common_limit.value_or(kCommonDocuments);
  return seeds;
}

/// Whether two documents whose words were matched are a pair: the larger share reaches the minimum
/// containment, and the matched words of all words of both the minimum resemblance. Without either, a search
/// for reuse by `a` must find `b`, unless a limit says instead what is common text.
Result<bool> is_pair(const DocumentPair& pair, const PairsRequest& request, Searches& searches) {
  const MatchedWords& words = *pair.words;
  if (words.a == 0) return false;
  if (has_share(request.condition))
    return words.larger_share() >= request.condition.min_containment &&
           words.resemblance() >= request.condition.min_resemblance;
  if (!is_reuse(words, {.query = {}, .min_word_share = kReuseWords, .min_bits = kReuseBits})) return false;
  if (words.larger_share() >= Works::kSameWork || request.common_limit) return true;
  return searches.finds(pair.a, pair.b);
}

}  // namespace

Result<PairsSummary> find_reuse_pairs(const Snapshot& snapshot, const Scheme& scheme,
                                      const std::shared_ptr<const Dictionary>& dictionary,
                                      const PairsRequest& request, const PairVisitor& visit) {
  AKIN_CHECK(request.condition.check());
  PairReader reader(snapshot, dictionary, std::min(request.memory / 4, kMostRemembered));
  const Scheme& first = *scheme.tiers().front().scheme;
  PairsRequest by_x = half(request, 0, 0.0);
  by_x.condition = by_overlap(request.condition, first);
  PairsSummary summary;
  if (request.first < kPairsOfPassages) {
    PairMatcher matcher(reader, request.threads, visit);
    if (request.reached) {
      by_x.reached = [&](std::uint32_t next) -> Result<void> {
        AKIN_CHECK(matcher.flush());
        return request.reached(next);
      };
    }
    AKIN_TRY(summary, snapshot.pairs(by_x, [&](const DocumentPair& pair) -> Result<void> {
      AKIN_TRY(const StoredDocument b, reader.document(pair.b));
      return matcher.add(pair, b);
    }));
    AKIN_CHECK(matcher.flush());
    if (!summary.complete) return summary;
    if (request.reached) AKIN_CHECK(request.reached(kPairsOfPassages));
  }
  PairsRequest seeds = by_seeds(request, scheme);
  seeds.first = request.first < kPairsOfPassages ? 0 : request.first - kPairsOfPassages;
  Searches searches(snapshot, scheme, reader);
  PairMatcher matcher(reader, request.threads, [&](const DocumentPair& pair) -> Result<void> {
    AKIN_TRY(const bool found, is_pair(pair, request, searches));
    if (!found) return {};
    ++summary.pairs;
    return visit(pair);
  });
  if (request.reached) {
    seeds.reached = [&](std::uint32_t next) -> Result<void> {
      AKIN_CHECK(matcher.flush());
      return request.reached(kPairsOfPassages + next);
    };
  }
  AKIN_TRY(const PairsSummary aligned, snapshot.pairs(seeds, [&](const DocumentPair& pair) -> Result<void> {
    AKIN_TRY(const StoredDocument b, reader.document(pair.b));
    AKIN_TRY(Overlap shared, reader.overlap_of(pair.a, b));
    if (by_x.condition.holds(shared)) return {};  // reported before
    shared.has_containment = first.has_containment();
    return matcher.add({pair.a, pair.b, shared}, b);
  }));
  AKIN_CHECK(matcher.flush());
  summary.complete = aligned.complete;
  return summary;
}

Result<GroupsSummary> find_reuse_groups(const Snapshot& snapshot, const Scheme& scheme,
                                        const std::shared_ptr<const Dictionary>& dictionary,
                                        const PairsRequest& request, const GroupVisitor& visit) {
  AKIN_CHECK(request.condition.check());
  NamedGroups groups;
  PairsRequest by_x = half(request, 0, 0.0);
  by_x.condition = by_overlap(request.condition, *scheme.tiers().front().scheme);
  AKIN_TRY(const GroupsSummary found,
           snapshot.groups(by_x, [&](const std::vector<std::string>& ids) -> Result<void> {
             for (const std::string& id : ids) groups.join(ids.front(), id);
             return {};
           }));
  if (!found.complete) return GroupsSummary{.complete = false};
  PairReader reader(snapshot, dictionary, std::min(request.memory / 4, kMostRemembered));
  Searches searches(snapshot, scheme, reader);
  PairMatcher matcher(reader, request.threads, [&](const DocumentPair& pair) -> Result<void> {
    if (groups.are_joined(pair.a, pair.b)) return {};
    AKIN_TRY(const bool joins, is_pair(pair, request, searches));
    if (joins) groups.join(pair.a, pair.b);
    return {};
  });
  const auto match = [&](const DocumentPair& pair) -> Result<void> {
    if (groups.are_joined(pair.a, pair.b)) return {};
    AKIN_TRY(const StoredDocument b, reader.document(pair.b));
    return matcher.add(pair, b);
  };
  AKIN_TRY(const PairsSummary aligned, snapshot.pairs(by_seeds(request, scheme), match));
  AKIN_CHECK(matcher.flush());
  if (!aligned.complete) return GroupsSummary{.complete = false};
  return groups.visit(visit);
}

}  // namespace akin
