// Alerts that only their number near one another makes signs of disguise.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "base/text_range.h"

namespace akin {

/// Passes on the ranges that lie within a stretch of text together with enough others, in any order of
/// arrival of the kinds but in the order of the text within one. A misprint, an emphasized word or a foreign
/// name occurs alone; what an author does to a passage, so that nobody finds it, is dense. Memory: the ranges
/// of one stretch.
class AlertCluster {
 public:
  /// What a range counts for. Misprints of one name, and names that look disguised, repeat.
  struct Weight {
    std::size_t first = 1;  ///< if no other of its word lies in the stretch
    std::size_t again = 1;
  };

  /// `enough`: what the ranges that begin within `stretch` code points must count for together.
  AlertCluster(std::uint32_t stretch, std::size_t enough) : stretch_(stretch), enough_(enough) {}

  /// Takes a range that begins after all before it, of a word with this key. Calls `add(TextRange)` for each
  /// range that it makes part of a cluster.
  template <class Add>
  void take(TextRange range, std::uint64_t word, Weight weights, Add add) {
    while (!recent_.empty() && recent_.front().range.begin + stretch_ <= range.begin) {
      weight_ -= recent_.front().weight;
      recent_.pop_front();
    }
    const bool repeats = std::ranges::find(recent_, word, &Candidate::word) != recent_.end();
    const std::size_t weight = repeats ? weights.again : weights.first;
    recent_.push_back({range, weight, word});
    weight_ += weight;
    if (weight_ < enough_) return;
    for (Candidate& one : recent_) {
      if (!one.passed) add(one.range);
      one.passed = true;
    }
  }

 private:
  struct Candidate {
    TextRange range;
    std::size_t weight = 0;
    std::uint64_t word = 0;
    bool passed = false;
  };

  std::uint32_t stretch_;
  std::size_t enough_;
  std::deque<Candidate> recent_;  ///< of the last stretch
  std::size_t weight_ = 0;        ///< theirs
};

}  // namespace akin
