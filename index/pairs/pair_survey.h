// The first pass of all pairs: how large each document is, and which of its features can be skipped when its
// partners are searched for.
//
// Prefixes (Bayardo, Ma, Srikant 2007, "Scaling up all pairs similarity search"; Xiao et al. 2008): let
// features be ordered from rare to frequent, the same order for all documents. Two documents that share at
// least T features share one that is, in both, followed by T-1 shared ones at most; so it is in the rest of
// each document when its last features are cut off, as long as fewer than T are cut. Here the order is by
// bands of list length, and only whole bands are cut.
#pragma once

#include <cstdint>
#include <vector>

#include "index/pairs/list_stream.h"
#include "index/store/pair_request.h"

namespace akin {

struct DocumentSurvey {
  std::uint32_t features = 0;  ///< |A|
  std::uint32_t lists = 0;     ///< sets (level_lists.h) of at least two documents that hold it
  std::uint32_t beyond = 0;    ///< shared features after the prefix, with their weights
  std::uint8_t cut = 0xff;     ///< the prefix consists of the bands below this
};

/// Which shared features make a pair a candidate.
enum class CandidateRule : std::uint8_t {
  both,   ///< those in both prefixes: every wanted partner needs as many features as the prefix is cut for
  either  ///< those in at least one: only partners that are not smaller do
};

class PairSurvey {
 public:
  /// One pass over all lists. `memory` bounds the bytes used meanwhile; the survey itself takes
  /// kBytesPerDocument per document. Errors: corrupt; an empty survey if a stop was requested.
  [[nodiscard]] static Result<PairSurvey> make(const ListSource& source, const PairsRequest& request,
                                               std::uint64_t memory);

  static constexpr std::uint64_t kBytesPerDocument = sizeof(DocumentSurvey);

  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(documents_.size()); }
  [[nodiscard]] const DocumentSurvey& operator[](std::uint32_t document) const noexcept {
    return documents_[document];
  }
  [[nodiscard]] CandidateRule candidate_rule() const noexcept { return candidate_rule_; }

  /// The band of sets of this length. Band 0 is never cut off.
  [[nodiscard]] unsigned band(std::size_t length) const noexcept;
  [[nodiscard]] bool in_prefix(std::uint32_t document, unsigned band) const noexcept {
    return band < documents_[document].cut;
  }

  /// An upper bound on the shared features of a and b that candidate generation ignores.
  [[nodiscard]] std::uint32_t ignored_features(std::uint32_t a, std::uint32_t b) const noexcept;

 private:
  void cut_prefixes(const PairCondition& condition, const std::vector<std::uint32_t>& weights);

  std::vector<DocumentSurvey> documents_;
  unsigned bands_ = 0;  ///< in addition to band 0
  CandidateRule candidate_rule_ = CandidateRule::both;
};

}  // namespace akin
