// Posting lists with counts as plain sets of documents.
//
// Numbering a feature's occurrences inside each document, (v,1), (v,2) …, turns the multiset overlap X into a
// plain one: X(A,B) is the number of (v,k) that both have. The list of (v,k) holds the documents whose count
// of v is at least k; equal lists of neighbouring k are passed once, with their number as a weight.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "index/codec/posting.h"

namespace akin {

/// Turns one list after another into sets; keeps its buffers between them. One thread.
class LevelLists {
 public:
  /// Calls visit(weight, documents) for every set with at least two documents; documents ascend, and their
  /// view dies when the visit returns. Requires spans of one length.
  template <class Visit>
  void for_each(std::span<const DocNumber> documents, std::span<const std::uint32_t> counts, Visit&& visit) {
    if (documents.size() < 2) return;
    if (std::ranges::all_of(counts, [](std::uint32_t count) { return count == 1; })) {
      visit(std::uint32_t{1}, documents);
      return;
    }
    documents_.assign(documents.begin(), documents.end());
    counts_.assign(counts.begin(), counts.end());
    for (std::uint32_t level = 0; documents_.size() >= 2;) {
      const std::uint32_t least = *std::ranges::min_element(counts_);
      visit(least - level, std::span<const DocNumber>(documents_));
      level = least;
      keep_above(level);
    }
  }

 private:
  void keep_above(std::uint32_t level) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
      if (counts_[i] <= level) continue;
      documents_[kept] = documents_[i];
      counts_[kept++] = counts_[i];
    }
    documents_.resize(kept);
    counts_.resize(kept);
  }

  std::vector<DocNumber> documents_;
  std::vector<std::uint32_t> counts_;
};

}  // namespace akin
