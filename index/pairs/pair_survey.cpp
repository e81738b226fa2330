#include "index/pairs/pair_survey.h"

#include <algorithm>
#include <bit>

#include "index/pairs/level_lists.h"

namespace akin {

namespace {

/// Sets shorter than this are cheaper to walk through than to leave out and look up later.
constexpr std::size_t kShortestCut = 64;
constexpr unsigned kMaxBands = 64;

/// The smallest x from 1 to `features` that a wanted partner must share with a document of that many
/// features; features + 1 if no x suffices. `either`: only partners that are not smaller count.
std::uint64_t least_shared(const PairCondition& condition, std::uint64_t features,
                           CandidateRule candidate_rule) {
  const auto enough = [&](std::uint64_t x) {
    // Of all partners allowed, the smallest is the easiest to satisfy: one of x features, or one as large.
    const std::uint64_t partner = candidate_rule == CandidateRule::either ? features : x;
    return condition.holds(Overlap{x, features, partner});
  };
  std::uint64_t low = 1;
  std::uint64_t high = features + 1;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (enough(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

/// Verifies those guarantees of ListStream about the current list that the code below relies on.
Result<void> check_list(const ListStream& list, std::uint64_t limit) {
  const auto documents = list.documents();
  const auto counts = list.counts();
  if (documents.empty() || documents.size() != counts.size()) {
    return corrupt(name_of(list.feature()), "its list is empty or lacks counts");
  }
  if (static_cast<std::uint32_t>(documents.back()) >= limit) {
    return corrupt(name_of(list.feature()), "a posting names a document number that was never given out");
  }
  bool sound = counts[0] != 0;
  for (std::size_t i = 1; i < documents.size(); ++i) {
    if (documents[i - 1] >= documents[i] || counts[i] == 0) sound = false;
  }
  if (!sound) return corrupt(name_of(list.feature()), "its documents do not ascend, or a count is 0");
  return {};
}

}  // namespace

unsigned PairSurvey::band(std::size_t length) const noexcept {
  if (length < kShortestCut) return 0;
  // Two bands an octave.
  const auto octave = static_cast<unsigned>(std::bit_width(length / kShortestCut)) - 1;
  const auto half = static_cast<unsigned>(length >> (octave + std::bit_width(kShortestCut) - 2) & 1U);
  return std::min(1 + 2 * octave + half, bands_);
}

std::uint32_t PairSurvey::ignored_features(std::uint32_t a, std::uint32_t b) const noexcept {
  const DocumentSurvey& one = documents_[a];
  const DocumentSurvey& other = documents_[b];
  const bool of_one = (one.cut <= other.cut) == (candidate_rule_ == CandidateRule::both);
  return of_one ? one.beyond : other.beyond;
}

Result<PairSurvey> PairSurvey::make(const ListSource& source, const PairsRequest& request,
                                    std::uint64_t memory) {
  PairSurvey survey;
  const std::uint64_t limit = source.document_limit();
  survey.documents_.resize(limit);
  const PairCondition& condition = request.condition;
  // A small document may be contained in a large one, whose prefix then says nothing.
  survey.candidate_rule_ = condition.min_containment > 0.0 ? CandidateRule::either : CandidateRule::both;
  survey.bands_ = kMaxBands;
  survey.bands_ = survey.band(limit);
  const std::uint64_t room = memory - std::min(memory, limit * kBytesPerDocument);
  survey.bands_ = static_cast<unsigned>(std::min<std::uint64_t>(
      survey.bands_, room / (sizeof(std::uint32_t) * std::max<std::uint64_t>(limit, 1))));
  const std::size_t bands = survey.bands_;
  std::vector<std::uint32_t> weights(limit * bands);

  AKIN_TRY(const auto lists, source.lists());
  LevelLists levels;
  for (std::uint64_t number = 0;; ++number) {
    if (number % 4096 == 0 && request.stop.stop_requested()) return PairSurvey();
    AKIN_TRY(const bool there, lists->next());
    if (!there) break;
    AKIN_CHECK(check_list(*lists, limit));
    const auto documents = lists->documents();
    const auto counts = lists->counts();
    for (std::size_t i = 0; i < documents.size(); ++i) {
      survey.documents_[static_cast<std::uint32_t>(documents[i])].features += counts[i];
    }
    levels.for_each(documents, counts, [&](std::uint32_t weight, std::span<const DocNumber> members) {
      for (const DocNumber member : members) ++survey.documents_[static_cast<std::uint32_t>(member)].lists;
      const unsigned band = survey.band(members.size());
      if (band == 0) return;
      for (const DocNumber member : members) {
        weights[static_cast<std::uint32_t>(member) * bands + band - 1] += weight;
      }
    });
  }
  survey.cut_prefixes(condition, weights);
  return survey;
}

void PairSurvey::cut_prefixes(const PairCondition& condition, const std::vector<std::uint32_t>& weights) {
  for (std::size_t number = 0; number < documents_.size(); ++number) {
    DocumentSurvey& document = documents_[number];
    const std::uint64_t spare = least_shared(condition, document.features, candidate_rule_) - 1;
    std::uint64_t beyond = 0;
    unsigned cut = bands_ + 1;
    while (cut > 1) {
      const std::uint64_t more = weights[number * bands_ + cut - 2];
      if (beyond + more > spare) break;
      beyond += more;
      --cut;
    }
    document.beyond = static_cast<std::uint32_t>(beyond);
    document.cut = static_cast<std::uint8_t>(cut);
  }
}

}  // namespace akin
