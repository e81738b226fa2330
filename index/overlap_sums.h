// X of one query with many documents at once, feature by feature over posting lists.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "index/posting.h"

namespace akin {

/// A document and its X with the query.
struct Candidate {
  DocNumber document{};
  std::uint32_t x = 0;  ///< fits, as X <= |query| <= kMaxFeatures
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Sums over documents numbered below `documents`, of which at most `postings` are ever nominated. Memory is
/// 8 bytes for each of the smaller of `documents` and about four times `postings`; the thread keeps it for
/// its next query, so only one object may live in a thread at a time.
class OverlapSums {
 public:
  OverlapSums(std::uint64_t documents, std::uint64_t postings) : documents_(documents) {
    const std::uint64_t wanted =
        std::bit_ceil(std::max<std::uint64_t>(2 * std::min(documents, postings), 16));
    direct_ = wanted >= documents;
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(wanted));
    mask_ = wanted - 1;
    if (slots().size() < wanted) slots().resize(wanted, Candidate{kEnd, 0});
  }
  OverlapSums(const OverlapSums&) = delete;
  OverlapSums& operator=(const OverlapSums&) = delete;
  ~OverlapSums() {
    for (std::size_t slot : touched_) slots_[slot] = {kEnd, 0};
  }

  /// Adds to a document's sum; false if its number was never given out.
  [[nodiscard]] bool add(DocNumber document, std::uint32_t x) {
    if (static_cast<std::uint32_t>(document) >= documents_) return false;
    const std::size_t slot = slot_of(document);
    if (slots_[slot].document == kEnd) {
      slots_[slot].document = document;
      touched_.push_back(slot);
    }
    slots_[slot].x += x;
    return true;
  }

  /// Adds to the sum of a document that has one already; else does nothing.
  void add_if_nominated(DocNumber document, std::uint32_t x) {
    if (static_cast<std::uint32_t>(document) >= documents_) return;
    Candidate& candidate = slots_[slot_of(document)];
    if (candidate.document != kEnd) candidate.x += x;
  }

  [[nodiscard]] std::uint32_t sum(DocNumber document) const { return slots_[slot_of(document)].x; }

  /// The documents with x >= least, in no particular order.
  [[nodiscard]] std::vector<DocNumber> at_least(std::uint64_t least) const {
    std::vector<DocNumber> found;
    for (std::size_t slot : touched_) {
      if (slots_[slot].x >= least) found.push_back(slots_[slot].document);
    }
    return found;
  }

 private:
  static std::vector<Candidate>& slots() {
    static thread_local std::vector<Candidate> kept;
    return kept;
  }

  [[nodiscard]] std::size_t slot_of(DocNumber document) const {
    const std::uint64_t number = static_cast<std::uint32_t>(document);
    if (direct_) return static_cast<std::size_t>(number);
    std::size_t slot = static_cast<std::size_t>(number * 0x9e3779b97f4a7c15U >> shift_);
    while (slots_[slot].document != document && slots_[slot].document != kEnd) slot = (slot + 1) & mask_;
    return slot;
  }

  std::uint64_t documents_;
  bool direct_ = false;  ///< the slot is the number
  unsigned shift_ = 0;
  std::uint64_t mask_ = 0;
  std::vector<Candidate>& slots_ = slots();  ///< kEnd where a slot is free
  std::vector<std::size_t> touched_;
};

}  // namespace akin
