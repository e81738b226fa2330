// X of one query with many documents at once, feature by feature over posting lists.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "index/feature_counts.h"
#include "index/posting_cursor.h"

namespace akin {

/// A document and its X with the query.
struct Candidate {
  DocNumber document{};
  std::uint32_t x = 0;  ///< fits, as X <= |query| <= kMaxFeatures
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Sums over documents numbered below `documents`; memory is proportional to that number.
class OverlapSums {
 public:
  explicit OverlapSums(std::size_t documents) : sums_(documents, 0) {}

  /// Adds min(count in the query, count in the document) for each posting of one feature's list. False if the
  /// list names a document number that was never given out; what was added then stays.
  template <PostingCursor Cursor>
  [[nodiscard]] bool add(std::uint32_t query_count, Cursor& list) {
    for (; list.doc() != kEnd; list.next()) {
      const auto number = static_cast<std::uint32_t>(list.doc());
      if (number >= sums_.size()) return false;
      if (sums_[number] == 0) touched_.push_back(list.doc());
      sums_[number] += std::min(query_count, list.count());
    }
    return true;
  }

  /// The documents with x >= least, except one; in no particular order.
  [[nodiscard]] std::vector<Candidate> at_least(std::uint64_t least, DocNumber except) const {
    std::vector<Candidate> found;
    for (DocNumber document : touched_) {
      const std::uint32_t x = sums_[static_cast<std::uint32_t>(document)];
      if (x >= least && document != except) found.push_back({document, x});
    }
    return found;
  }

 private:
  std::vector<std::uint32_t> sums_;
  std::vector<DocNumber> touched_;
};

}  // namespace akin
