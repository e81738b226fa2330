// All pairs of a collection over a bound, exactly: a merge over sorted posting lists, pruned by prefixes, in
// a stated memory, on all cores. Never N×N unless N×N pairs share features that cannot be pruned.
#pragma once

#include <functional>

#include "index/pairs/list_stream.h"
#include "index/pairs/pair_round.h"
#include "index/store/pair_request.h"

namespace akin {

/// A pair of documents; its overlap counts `a` first.
[[nodiscard]] inline DocumentPair in_order_of_ids(std::string_view a, std::string_view b,
                                                  const Overlap& overlap) {
  if (a < b) return {a, b, overlap};
  return {b, a, Overlap{overlap.x, overlap.b_features, overlap.a_features}};
}

/// `overlap.a_features` belongs to `a`.
using NumberedPairVisitor = std::function<Result<void>(DocNumber a, DocNumber b, const Overlap& overlap)>;

/// What the caller of find_pairs knows beside the request.
struct PairsWork {
  std::uint64_t set_aside = 0;  ///< bytes of the request's memory that are left to the caller
  /// The first round compares so many documents at most, each later one eight times as many as the one before
  /// it. A small number helps a source that gives fewer lists to later rounds, for what the visitor saw.
  std::uint32_t first_round = kMaxPairsDocuments;
};

/// Reports every unordered pair {a,b}, a < b, that satisfies the condition, once: a ascending, then b
/// ascending, whatever the memory and the number of threads; of these, those with a >= request.first. |A| is
/// the sum of the counts of A's postings.
///
/// How: one pass over the lists surveys the documents (pair_survey.h). Then, in rounds over ranges of
/// documents, a pass keeps the lists that hold a document of the range (pair_round.h), and all threads
/// process the documents of the range. If not even a few documents' lists fit into the memory, a round counts
/// a few documents against all others in one pass over the lists (pair_matrix.h).
///
/// Lists over request.common_limit are left out: |A| is then the sum over the others.
///
/// Errors: invalid_argument (a share outside [0,1]; memory too small for the number of documents, the remedy
/// says how much is enough), corrupt (lists that break ListStream's guarantees; pairs may have been reported
/// before), those of `visit` and `reached`. Throws std::bad_alloc.
[[nodiscard]] Result<PairsSummary> find_pairs(const ListSource& source, const PairsRequest& request,
                                              const NumberedPairVisitor& visit, const PairsWork& work = {});

/// Bytes of memory, in addition to what is set aside, without which find_pairs refuses a collection whose
/// document numbers are below `documents`.
[[nodiscard]] std::uint64_t least_pairs_memory(std::uint64_t documents) noexcept;

}  // namespace akin
