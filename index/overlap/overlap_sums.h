// X of one query with many documents at once, feature by feature over posting lists.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "base/per_thread.h"
#include "index/codec/posting.h"

namespace akin {

/// A document and its X with the query.
struct Candidate {
  DocNumber document{};
  std::uint32_t x = 0;  ///< fits, as X <= |query| <= kMaxFeatures
  friend bool operator==(const Candidate&, const Candidate&) = default;
};

/// Sums over documents numbered below `documents`, of which at most `postings` ever become candidates and
/// none has a sum above `most`. Memory is 2 bytes for each document if sums fit into them and many documents
/// may become candidates, otherwise 8 bytes for each of the smaller of `documents` and about four times
/// `postings`; the thread keeps it for its next query, so only one object may live in a thread at a time.
class OverlapSums {
 public:
  OverlapSums(std::uint64_t documents, std::uint64_t postings, std::uint64_t most) : documents_(documents) {
    constexpr std::uint64_t kSparse = 16;
    dense_ = most <= 0xffffU && postings >= documents / kSparse;
    if (dense_) {
      // Whole words, for at_least.
      if (sums_.size() < documents + 4) sums_.resize(documents + 4);
      return;
    }
    const std::uint64_t wanted =
        std::bit_ceil(std::max<std::uint64_t>(2 * std::min(documents, postings), 16));
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(wanted));
    mask_ = wanted - 1;
    if (slots_.size() < wanted) slots_.resize(wanted, Candidate{kEnd, 0});
  }
  OverlapSums(const OverlapSums&) = delete;
  OverlapSums& operator=(const OverlapSums&) = delete;
  ~OverlapSums() {
    if (dense_) {
      std::fill_n(sums_.begin(), documents_, std::uint16_t{0});
    } else {
      for (std::size_t slot : touched_) slots_[slot] = {kEnd, 0};
    }
  }

  /// Adds to a document's sum; false if its number was never given out.
  [[nodiscard]] bool add(DocNumber document, std::uint32_t x) {
    const auto number = static_cast<std::uint32_t>(document);
    if (number >= documents_) return false;
    if (dense_) {
      sums_[number] = static_cast<std::uint16_t>(sums_[number] + x);
      return true;
    }
    const std::size_t slot = slot_of(document);
    if (slots_[slot].document == kEnd) {
      slots_[slot].document = document;
      touched_.push_back(slot);
    }
    slots_[slot].x += x;
    return true;
  }

  /// Adds to the sum of a document that already has one; otherwise does nothing.
  void add_if_candidate(DocNumber document, std::uint32_t x) {
    const auto number = static_cast<std::uint32_t>(document);
    if (number >= documents_) return;
    if (dense_) {
      // Without a branch: whether a document is a candidate cannot be predicted.
      const std::uint16_t sum = sums_[number];
      sums_[number] = static_cast<std::uint16_t>(sum + (sum != 0 ? x : 0));
      return;
    }
    Candidate& candidate = slots_[slot_of(document)];
    if (candidate.document != kEnd) candidate.x += x;
  }

  [[nodiscard]] std::uint32_t sum(DocNumber document) const {
    return dense_ ? sums_[static_cast<std::uint32_t>(document)] : slots_[slot_of(document)].x;
  }

  /// The documents that have a sum; 0 if there may be too many to know.
  [[nodiscard]] std::uint64_t seen() const noexcept { return touched_.size(); }

  /// The documents with x >= least, in no particular order. Requires least > 0.
  [[nodiscard]] std::vector<DocNumber> at_least(std::uint64_t least) const {
    std::vector<DocNumber> found;
    if (dense_) {
      // Four sums at a time: most are 0.
      constexpr std::uint32_t kTogether = 4;
      for (std::uint32_t number = 0; number < documents_; number += kTogether) {
        std::uint64_t together = 0;
        std::memcpy(&together, &sums_[number], sizeof together);
        if (together == 0) continue;
        for (std::uint32_t one = number; one < number + kTogether; ++one) {
          if (sums_[one] >= least) found.push_back(DocNumber{one});
        }
      }
      return found;
    }
    for (std::size_t slot : touched_) {
      if (slots_[slot].x >= least) found.push_back(slots_[slot].document);
    }
    return found;
  }

 private:
  static std::vector<Candidate>& kept_slots() { return PerThread<std::vector<Candidate>>::get(); }
  static std::vector<std::uint16_t>& kept_sums() {
    return PerThread<std::vector<std::uint16_t>, OverlapSums>::get();
  }

  [[nodiscard]] std::size_t slot_of(DocNumber document) const {
    const std::uint64_t number = static_cast<std::uint32_t>(document);
    auto slot = static_cast<std::size_t>(number * 0x9e3779b97f4a7c15U >> shift_);
    while (slots_[slot].document != document && slots_[slot].document != kEnd) slot = (slot + 1) & mask_;
    return slot;
  }

  std::uint64_t documents_;
  bool dense_ = false;
  std::vector<std::uint16_t>& sums_ = kept_sums();  ///< if dense: by document, all 0 between queries
  unsigned shift_ = 0;
  std::uint64_t mask_ = 0;
  std::vector<Candidate>& slots_ = kept_slots();  ///< otherwise: kEnd marks a free slot
  std::vector<std::size_t> touched_;
};

}  // namespace akin
