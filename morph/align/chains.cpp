#include "morph/align/chains.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>

#include "base/disjoint_sets.h"
#include "morph/align/dense_segments.h"
#include "morph/align/taken_words.h"

namespace akin {
namespace {

enum class Side : std::uint8_t { a, b };

WordRange range_on(Side side, const Fragment& one) noexcept {
  return side == Side::a ? WordRange{one.a, one.a_end()} : WordRange{one.b, one.b_end()};
}

/// Words between two ranges; 0 if they overlap or touch.
std::uint32_t distance(WordRange one, WordRange other) noexcept {
  if (one.end < other.begin) return other.begin - one.end;
  if (other.end < one.begin) return one.begin - other.end;
  return 0;
}

void sort_on(Side side, std::span<Fragment> fragments) {
  std::ranges::sort(fragments, {}, [side](const Fragment& one) {
    return side == Side::a ? std::tuple(one.a, one.b) : std::tuple(one.b, one.a);
  });
}

/// The words of fragments on one side, which they ascend on, without overlaps and touches.
std::vector<WordRange> joined_ranges(Side side, std::span<const Fragment> fragments) {
  std::vector<WordRange> ranges;
  for (const Fragment& one : fragments) {
    const WordRange range = range_on(side, one);
    if (ranges.empty() || range.begin > ranges.back().end) {
      ranges.push_back(range);
    } else {
      ranges.back().end = std::max(ranges.back().end, range.end);
    }
  }
  return ranges;
}

class ChainFinder {
 public:
  ChainFinder(const std::vector<Fragment>& fragments, const AlignOptions& options)
      : fragments_(fragments),
        options_(options),
        a_(end_on(Side::a, fragments)),
        b_(end_on(Side::b, fragments)) {}

  std::vector<Chain> find() {
    for (std::vector<Fragment>& group : connected_groups()) {
      leave_out_repeats(group);
      cut(std::move(group));
    }
    std::ranges::sort(chains_, {}, [](const Chain& one) {
      return std::tuple(one.a.begin, one.b.begin, one.a.end, one.b.end);
    });
    return std::move(chains_);
  }

 private:
  /// The groups whose fragments have as many words as a chain needs.
  [[nodiscard]] std::vector<std::vector<Fragment>> connected_groups() const {
    DisjointSets sets(fragments_.size());
    std::vector<std::uint32_t> near;  // those before that can still have neighbours
    for (std::uint32_t i = 0; i < fragments_.size(); ++i) {
      const Fragment& one = fragments_[i];
      if (i > 0 && fragments_[i - 1].a != one.a) {
        std::erase_if(near, [&](std::uint32_t at) { return fragments_[at].a_end() + options_.gap < one.a; });
      }
      for (const std::uint32_t at : near) {
        if (distance(range_on(Side::b, fragments_[at]), range_on(Side::b, one)) <= options_.gap) {
          sets.join(at, i);
        }
      }
      near.push_back(i);
    }
    std::vector<std::uint64_t> words(fragments_.size());  // of each group's fragments, by its name
    for (std::uint32_t i = 0; i < fragments_.size(); ++i) words[sets.root(i)] += fragments_[i].length;
    std::vector<std::vector<Fragment>> groups;
    std::vector<std::size_t> group_of(fragments_.size());
    for (std::uint32_t i = 0; i < fragments_.size(); ++i) {
      const std::uint32_t name = sets.root(i);
      if (words[name] < options_.run) continue;
      if (name == i) {
        group_of[i] = groups.size();
        groups.emplace_back();
      }
      groups[group_of[name]].push_back(fragments_[i]);
    }
    return groups;
  }

  static std::uint32_t end_on(Side side, const std::vector<Fragment>& fragments) {
    std::uint32_t end = 0;
    for (const Fragment& one : fragments) end = std::max(end, range_on(side, one).end);
    return end;
  }

  /// Leaves out what longer fragments of the group have already, of A or of B.
  void leave_out_repeats(std::vector<Fragment>& group) {
    std::ranges::stable_sort(group, std::ranges::greater(), &Fragment::length);
    std::erase_if(group, [&](const Fragment& one) {
      const WordRange a = range_on(Side::a, one), b = range_on(Side::b, one);
      const std::uint32_t a_free = a_.free(a);
      const bool is_new = 2 * std::min(a_free, b_.free(b)) > one.length;
      const bool is_promised = a_free > 0 && one.length >= options_.run;
      if (!is_new && !is_promised) return true;
      a_.take(a);
      b_.take(b);
      return false;
    });
    for (const Fragment& one : group) {
      a_.give_back(range_on(Side::a, one));
      b_.give_back(range_on(Side::b, one));
    }
  }

  void cut(std::vector<Fragment> whole) {
    std::vector<Part> parts;
    parts.push_back({std::move(whole)});
    while (!parts.empty()) {
      Part part = std::move(parts.back());
      parts.pop_back();
      const Side side = part.cuts % 2 == 0 ? Side::a : Side::b;
      sort_on(side, part.fragments);
      const auto segments = dense_segments(joined_ranges(side, part.fragments), options_.density);
      if (segments.size() > 1 || !part.stable) {
        cut_into(segments, side, std::move(part), parts);
      } else {
        add(std::move(part.fragments));
      }
    }
  }

  /// What is being cut.
  struct Part {
    std::vector<Fragment> fragments;
    unsigned cuts = 0;    ///< turns that have been taken
    bool stable = false;  ///< the turn before, on the other side, cut nothing
  };

  void cut_into(const std::vector<WordRange>& segments, Side side, Part part, std::vector<Part>& parts) {
    if (part.cuts >= kMaxCuts) {
      for (const Fragment& one : part.fragments) add({one});
      return;
    }
    auto begin = part.fragments.begin();
    for (const WordRange& segment : segments) {
      const auto end = std::find_if(begin, part.fragments.end(), [&](const Fragment& one) {
        return range_on(side, one).begin >= segment.end;
      });
      parts.push_back({{begin, end}, part.cuts + 1, segments.size() == 1});
      begin = end;
    }
  }

  void add(std::vector<Fragment> fragments) {
    Chain chain;
    std::tie(chain.b, chain.b_matched) = measured(Side::b, fragments);
    std::tie(chain.a, chain.a_matched) = measured(Side::a, fragments);
    if (chain.a_matched < options_.run || chain.b_matched < options_.run) return;
    chain.fragments = std::move(fragments);
    chains_.push_back(std::move(chain));
  }

  /// Sorts the fragments on that side. Their range and its matched words.
  static std::pair<WordRange, std::uint32_t> measured(Side side, std::vector<Fragment>& fragments) {
    sort_on(side, fragments);
    const auto ranges = joined_ranges(side, fragments);
    std::uint32_t matched = 0;
    for (const WordRange& range : ranges) matched += range.size();
    return {{ranges.front().begin, ranges.back().end}, matched};
  }

  const std::vector<Fragment>& fragments_;
  const AlignOptions& options_;
  TakenWords a_, b_;  ///< by the current group
  std::vector<Chain> chains_;
};

}  // namespace

std::vector<Chain> find_chains(const std::vector<Fragment>& fragments, const AlignOptions& options) {
  return ChainFinder(fragments, options).find();
}

}  // namespace akin
