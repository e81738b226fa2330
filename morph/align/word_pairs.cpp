#include "morph/align/word_pairs.h"

#include <algorithm>
#include <array>
#include <boost/unordered/unordered_flat_map.hpp>
#include <map>
#include <tuple>

namespace akin {
namespace {

/// The heaviest sequence of fragments of which each begins after the one before, in A and in B.
std::vector<Fragment> backbone_of(std::vector<Fragment> fragments) {
  std::ranges::sort(fragments, {}, [](const Fragment& one) { return std::tuple(one.a, ~one.b); });
  struct Best {
    std::uint64_t weight;
    std::size_t last;
  };
  // By the place in B of a sequence's last fragment; a later place has a larger weight.
  std::map<std::uint32_t, Best> best;
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> before(fragments.size(), kNone);
  for (std::size_t at = 0; at < fragments.size(); ++at) {
    const Fragment& one = fragments[at];
    auto next = best.lower_bound(one.b);
    std::uint64_t weight = one.length;
    if (next != best.begin()) {
      const Best& previous = std::prev(next)->second;
      weight += previous.weight;
      before[at] = previous.last;
    }
    if (next != best.end() && next->first == one.b && next->second.weight >= weight) continue;
    while (next != best.end() && next->second.weight <= weight) next = best.erase(next);
    best[one.b] = {weight, at};
  }
  std::vector<Fragment> backbone;
  for (std::size_t at = best.empty() ? kNone : best.rbegin()->second.last; at != kNone; at = before[at]) {
    backbone.push_back(fragments[at]);
  }
  std::ranges::reverse(backbone);
  return backbone;
}

/// Places count from the passage's first words.
class WordPairing {
 public:
  WordPairing(const AlignedPassage& passage, std::span<const std::uint64_t> a,
              std::span<const std::uint64_t> b)
      : passage_(passage),
        a_(a.subspan(passage.a_words.begin, passage.a_words.size())),
        b_(b.subspan(passage.b_words.begin, passage.b_words.size())),
        partner_(a_.size(), kNone),
        moved_(a_.size(), false),
        taken_(b_.size(), false) {}

  std::vector<WordPair> pair() {
    pair_backbone();
    fill_gaps();
    pair_moved_fragments();
    pair_moved_words();
    std::vector<WordPair> pairs;
    for (std::uint32_t i = 0; i < a_.size(); ++i) {
      if (partner_[i] == kNone) continue;
      pairs.push_back({passage_.a_words.begin + i, passage_.b_words.begin + partner_[i], moved_[i]});
    }
    return pairs;
  }

 private:
  static constexpr std::uint32_t kNone = 0xffffffffU;

  void take(std::size_t i, std::size_t j, bool moved) {
    partner_[i] = static_cast<std::uint32_t>(j);
    moved_[i] = moved;
    taken_[j] = true;
  }

  /// Calls visit(i, j) for the equal words of a fragment.
  template <class Visit>
  void for_equal_words(const Fragment& fragment, Visit&& visit) const {
    const std::size_t i = fragment.a - passage_.a_words.begin, j = fragment.b - passage_.b_words.begin;
    for (std::size_t at = 0; at < fragment.length; ++at) {
      if (a_[i + at] == b_[j + at]) visit(i + at, j + at);
    }
  }

  void pair_backbone() {
    std::size_t i_least = 0, j_least = 0;
    for (const Fragment& fragment : backbone_of(passage_.fragments)) {
      for_equal_words(fragment, [&](std::size_t i, std::size_t j) {
        if (i < i_least || j < j_least) return;
        take(i, j, false);
        i_least = i + 1;
        j_least = j + 1;
      });
    }
  }

  void fill_gaps() {
    std::size_t i_begin = 0, j_begin = 0;
    for (std::size_t i = 0; i <= a_.size(); ++i) {
      if (i < a_.size() && partner_[i] == kNone) continue;
      const std::size_t j = i < a_.size() ? partner_[i] : b_.size();
      fill_gap(i_begin, i, j_begin, j);
      i_begin = i + 1;
      j_begin = j + 1;
    }
  }

  void fill_gap(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
    while (i < i_end && j < j_end && a_[i] == b_[j]) take(i++, j++, false);
    while (i < i_end && j < j_end && a_[i_end - 1] == b_[j_end - 1]) take(--i_end, --j_end, false);
    if (i == i_end || j == j_end || (i_end - i + 1) * (j_end - j + 1) > kMaxGapCells) return;
    pair_common_subsequence(i, i_end, j, j_end);
  }

  void pair_common_subsequence(std::size_t i, std::size_t i_end, std::size_t j, std::size_t j_end) {
    const std::size_t width = j_end - j + 1;
    // longest[p * width + q]: of the words from i + p and from j + q on.
    std::array<std::uint16_t, kMaxGapCells> longest;
    const auto cell = [&](std::size_t p, std::size_t q) -> std::uint16_t& {
      return longest[(p - i) * width + (q - j)];
    };
    for (std::size_t p = i_end + 1; p-- > i;) {
      for (std::size_t q = j_end + 1; q-- > j;) {
        if (p == i_end || q == j_end) {
          cell(p, q) = 0;
        } else if (a_[p] == b_[q]) {
          cell(p, q) = static_cast<std::uint16_t>(cell(p + 1, q + 1) + 1);
        } else {
          cell(p, q) = std::max(cell(p + 1, q), cell(p, q + 1));
        }
      }
    }
    while (i < i_end && j < j_end) {
      if (a_[i] == b_[j]) {
        take(i++, j++, false);
      } else if (cell(i + 1, j) >= cell(i, j + 1)) {
        ++i;
      } else {
        ++j;
      }
    }
  }

  void pair_moved_fragments() {
    for (const Fragment& fragment : passage_.fragments) {
      for_equal_words(fragment, [&](std::size_t i, std::size_t j) {
        if (partner_[i] == kNone && !taken_[j]) take(i, j, true);
      });
    }
  }

  void pair_moved_words() {
    struct Places {
      std::vector<std::uint32_t> at;  ///< ascending
      std::size_t first = 0;          ///< those before it are taken or too far back
    };
    boost::unordered_flat_map<std::uint64_t, Places> free;
    for (std::uint32_t j = 0; j < b_.size(); ++j) {
      if (!taken_[j]) free[b_[j]].at.push_back(j);
    }
    std::uint32_t expected = 0;
    for (std::size_t i = 0; i < a_.size(); ++i) {
      if (partner_[i] != kNone) {
        if (!moved_[i]) expected = partner_[i] + 1;
        continue;
      }
      const auto found = free.find(a_[i]);
      if (found == free.end()) continue;
      Places& places = found->second;
      while (places.first < places.at.size() && places.at[places.first] + kMaxMove < expected) ++places.first;
      if (places.first == places.at.size() || places.at[places.first] > expected + kMaxMove) continue;
      take(i, places.at[places.first++], true);
    }
  }

  const AlignedPassage& passage_;
  const std::span<const std::uint64_t> a_, b_;
  std::vector<std::uint32_t> partner_;  ///< by word of A: its word of B
  std::vector<bool> moved_;             ///< by word of A
  std::vector<bool> taken_;             ///< by word of B
};

}  // namespace

std::vector<WordPair> pair_words(const AlignedPassage& passage, std::span<const std::uint64_t> a,
                                 std::span<const std::uint64_t> b) {
  return WordPairing(passage, a, b).pair();
}

}  // namespace akin
