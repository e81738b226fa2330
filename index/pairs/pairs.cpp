#include "index/pairs/pairs.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "base/ordered_work.h"
#include "base/parallel.h"
#include "index/pairs/filtered_lists.h"
#include "index/pairs/level_lists.h"
#include "index/pairs/pair_matrix.h"
#include "index/pairs/pair_round.h"
#include "index/pairs/pair_survey.h"

namespace akin {

namespace {

/// Shares of the memory for results that wait to be reported, and for those that threads are finding.
constexpr std::uint64_t kWaitingPart = 16, kFindingPart = 16;
/// Share of the whole work that progress attributes to the survey.
constexpr double kSurveyShare = 0.1;

/// How the memory is used.
struct Budget {
  unsigned threads = 1;
  std::uint64_t survey_bytes = 0;
  std::size_t arena_words = 0;
  std::size_t waiting_pairs = 0;
  std::size_t piece_documents = 1;  ///< processed before results are handed over
};

std::uint64_t fixed_bytes(std::uint64_t documents, unsigned threads) {
  return documents * (PairSurvey::kBytesPerDocument + threads * PairCounters::kBytesPerDocument);
}

Result<Budget> plan_memory(const PairsRequest& request, std::uint64_t documents, std::uint64_t set_aside) {
  if (documents > kMaxPairsDocuments) {
    return Error{Errc::too_large, "collection", "has had more than 2147483648 documents", "rebuild it"};
  }
  const std::uint64_t least = least_pairs_memory(documents) + set_aside;
  if (request.memory < least) {
    return Error{Errc::invalid_argument, "memory of " + std::to_string(request.memory) + " bytes",
                 "too little for document numbers up to " + std::to_string(documents),
                 "give at least " + std::to_string(least) + " bytes"};
  }
  const std::uint64_t memory = request.memory - set_aside;
  Budget budget;
  budget.threads = thread_count(request.threads);
  while (budget.threads > 1 && fixed_bytes(documents, budget.threads) > memory / 2) --budget.threads;
  const std::uint64_t rest = memory - fixed_bytes(documents, budget.threads);
  const std::uint64_t finding = rest / kFindingPart / budget.threads / sizeof(WantedPair);
  budget.survey_bytes = memory / 2;
  budget.waiting_pairs = rest / kWaitingPart / sizeof(WantedPair);
  budget.piece_documents = std::clamp<std::uint64_t>(finding / std::max<std::uint64_t>(documents, 1), 1, 64);
  budget.arena_words = (rest - rest / kWaitingPart - rest / kFindingPart) / sizeof(std::uint32_t);
  return budget;
}

class PairFinder {
 public:
  PairFinder(const ListSource& source, const PairsRequest& request, const NumberedPairVisitor& visit,
             const PairSurvey& survey, const Budget& budget, std::uint32_t first_round)
      : source_(source),
        request_(request),
        visit_(visit),
        survey_(survey),
        budget_(budget),
        arena_(std::make_unique_for_overwrite<std::uint32_t[]>(budget.arena_words)),
        counters_(budget.threads, PairCounters(survey.size())),
        round_(survey, request.condition, {arena_.get(), budget.arena_words}),
        matrix_(survey, request.condition, {arena_.get(), budget.arena_words}, budget.threads),
        most_documents_(first_round) {
    for (std::uint32_t document = request.first; document < survey.size(); ++document)
      lists_total_ += survey[document].lists;
  }

  Result<PairsSummary> run() {
    std::uint32_t first = request_.first;
    while (first < survey_.size() && !request_.stop.stop_requested()) {
      const std::uint32_t shortest = matrix_.capacity(first);
      round_.begin(first, likely_last(first));
      constexpr std::uint64_t kGrowth = 8;
      most_documents_ *= most_documents_ < kMaxPairsDocuments ? kGrowth : 1;
      AKIN_TRY(const bool fits, for_each_set([&](std::uint32_t weight, std::span<const DocNumber> documents) {
                 return round_.add(weight, documents, shortest);
               }));
      if (fits) {
        AKIN_TRY(first, find_in_round());
      } else {
        AKIN_TRY(first, find_in_matrix(first, shortest));
      }
    }
    summary_.complete = !request_.stop.stop_requested();
    return summary_;
  }

 private:
  /// The likely end of a round that begins at `first`, extrapolated from the last one.
  [[nodiscard]] std::uint32_t likely_last(std::uint32_t first) const {
    double words = 0;
    std::uint32_t last = first;
    while (last < survey_.size() && last - first < most_documents_ &&
           words <= static_cast<double>(budget_.arena_words)) {
      words += 2 + words_per_list_ * survey_[last].lists;
      ++last;
    }
    return last;
  }

  /// Calls take(weight, documents) for every set of the store; false if `take` ended it.
  template <class Take>
  Result<bool> for_each_set(Take&& take) {
    AKIN_TRY(const auto lists, source_.lists());
    bool goes_on = true;
    for (std::uint64_t number = 0; goes_on; ++number) {
      if (number % 4096 == 0) {
        if (request_.stop.stop_requested()) break;
        report();
      }
      AKIN_TRY(const bool there, lists->next());
      if (!there) break;
      levels_.for_each(lists->documents(), lists->counts(),
                       [&](std::uint32_t weight, std::span<const DocNumber> documents) {
                         goes_on = goes_on && take(weight, documents);
                       });
    }
    return goes_on;
  }

  /// Returns where the next round begins.
  Result<std::uint32_t> find_in_round() {
    round_.seal();
    AKIN_CHECK(find(round_.first(), round_.last(),
                    [this](unsigned thread, std::uint32_t a, std::vector<WantedPair>& found) {
                      round_.partners(a, counters_[thread], found);
                    }));
    std::uint64_t lists = 0;
    for (std::uint32_t a = round_.first(); a < round_.last(); ++a) lists += survey_[a].lists;
    constexpr double kMargin = 1.1;
    if (lists > 0) {
      words_per_list_ = kMargin * static_cast<double>(round_.words()) / static_cast<double>(lists);
    }
    return round_.last();
  }

  Result<std::uint32_t> find_in_matrix(std::uint32_t first, std::uint32_t documents) {
    matrix_.begin(first, first + documents);
    AKIN_CHECK(for_each_set([this](std::uint32_t weight, std::span<const DocNumber> members) {
      matrix_.add(weight, members);
      return true;
    }));
    matrix_.seal();
    AKIN_CHECK(find(
        matrix_.first(), matrix_.last(),
        [this](unsigned, std::uint32_t a, std::vector<WantedPair>& found) { matrix_.partners(a, found); }));
    return matrix_.last();
  }

  /// Reports the pairs that partners(thread, a, found) finds for the documents [first, last).
  template <class Partners>
  Result<void> find(std::uint32_t first, std::uint32_t last, const Partners& partners) {
    const std::size_t step = budget_.piece_documents;
    using FoundPairs = std::vector<WantedPair>;
    const std::size_t pieces = (last - first + step - 1) / step;
    std::size_t next = 0;
    const auto read = [&]() -> Result<std::optional<std::size_t>> {
      return next < pieces ? std::optional(next++) : std::nullopt;
    };
    const auto work = [&](unsigned thread, std::size_t piece) {
      FoundPairs found;
      const auto begin = static_cast<std::uint32_t>(first + piece * step);
      const auto end = static_cast<std::uint32_t>(std::min<std::size_t>(begin + step, last));
      for (std::uint32_t a = begin; a < end && !request_.stop.stop_requested(); ++a)
        partners(thread, a, found);
      return found;
    };
    std::uint32_t taken = first;
    const auto take = [&](const FoundPairs& found, bool) -> Result<bool> {
      // Visiting may take long: a piece has up to 64 documents' pairs. What is stopped has not reached its
      // end.
      for (const WantedPair& pair : found) {
        if (request_.stop.stop_requested()) return false;
        AKIN_CHECK(visit_(DocNumber{pair.a}, DocNumber{pair.b},
                          Overlap{pair.x, survey_[pair.a].features, survey_[pair.b].features}));
        ++summary_.pairs;
      }
      if (request_.stop.stop_requested()) return false;
      for (std::size_t i = 0; i < step && taken < last; ++i) lists_done_ += survey_[taken++].lists;
      if (request_.reached) AKIN_CHECK(request_.reached(taken));
      report();
      return true;
    };
    const auto weight = [](const FoundPairs& found) { return found.size(); };
    return OrderedWork<std::size_t, FoundPairs>(budget_.threads, budget_.waiting_pairs, weight)
        .run(read, work, take);
  }

  void report() const {
    if (!request_.progress) return;
    const double found =
        lists_total_ == 0 ? 1.0 : static_cast<double>(lists_done_) / static_cast<double>(lists_total_);
    request_.progress({kSurveyShare + (1.0 - kSurveyShare) * found, summary_.pairs});
  }

  const ListSource& source_;
  const PairsRequest& request_;
  const NumberedPairVisitor& visit_;
  const PairSurvey& survey_;
  const Budget budget_;
  std::unique_ptr<std::uint32_t[]> arena_;
  std::vector<PairCounters> counters_;  ///< one per thread
  PairRound round_;
  PairMatrix matrix_;
  LevelLists levels_;
  double words_per_list_ = 4.0;
  std::uint64_t most_documents_;  ///< of the next round
  std::uint64_t lists_total_ = 0, lists_done_ = 0;
  PairsSummary summary_;
};

}  // namespace

std::uint64_t least_pairs_memory(std::uint64_t documents) noexcept {
  // In addition to the fixed part: a row of counters, a list of the same length, and one document's pairs.
  return fixed_bytes(documents, 1) + 24 * documents + 4096;
}

Result<PairsSummary> find_pairs(const ListSource& source, const PairsRequest& request,
                                const NumberedPairVisitor& visit, const PairsWork& work) {
  if (request.common_limit || request.only != nullptr) {
    return find_in_some(source, request, [&](const ListSource& some, const PairsRequest& rest) {
      return find_pairs(some, rest, visit, work);
    });
  }
  AKIN_CHECK(request.condition.check());
  AKIN_TRY(const Budget budget, plan_memory(request, source.document_limit(), work.set_aside));
  AKIN_TRY(const PairSurvey survey, PairSurvey::make(source, request, budget.survey_bytes));
  if (request.stop.stop_requested()) return PairsSummary{.pairs = 0, .complete = false};
  return PairFinder(source, request, visit, survey, budget, work.first_round).run();
}

}  // namespace akin
