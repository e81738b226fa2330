#include "cli/dedup/common_texts.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/parallel.h"

namespace akin::dedup {

namespace {

/// Words that fewer than one in so many kept texts may have are looked up beyond those that must be: that
/// rules out more than it costs.
constexpr std::size_t kFewTexts = 64;
/// Texts looked up by one thread before it takes others.
constexpr std::size_t kTextsAtOnce = 16;

/// The smallest part of the words of one of the texts, at least, that the other has if it covers it.
double least_part(const Condition& condition) {
  if (condition.measure == Measure::containment) return condition.least;
  return 2 * condition.least / (1 + condition.least);  // MatchedWords::resemblance
}

std::size_t count_shared(std::span<const std::uint32_t> one, std::span<const std::uint32_t> other) {
  std::size_t shared = 0;
  for (std::size_t i = 0, k = 0; i < one.size() && k < other.size();) {
    shared += one[i] == other[k] ? 1 : 0;
    const bool advances_one = one[i] <= other[k];
    k += other[k] <= one[i] ? 1 : 0;
    i += advances_one ? 1 : 0;
  }
  return shared;
}

/// Each value and all before it.
std::vector<std::size_t> summed(std::vector<std::size_t> values) {
  std::partial_sum(values.begin(), values.end(), values.begin());
  return values;
}

}  // namespace

/// Keys, and of how many of the rarest words each is.
struct CommonTexts::Rarest {
  std::vector<std::pair<std::size_t, std::uint32_t>> lists;
  std::uint32_t least = 1;  ///< so many of these words, a covering text may have
};

CommonTexts::CommonTexts(const Condition& condition, double part, ReadOutlines read, std::uint64_t memory)
    : condition_(condition), part_(part), read_(std::move(read)), memory_(memory) {}

void CommonTexts::add_feature(std::size_t tier, std::span<const TextSize> texts) {
  for (const TextSize& text : texts) {
    Common& common = common_[text.number];
    common.features[tier] = text.features;
    common.of_tier[tier].push_back(added_[tier]);
  }
  ++added_[tier];
}

Result<void> CommonTexts::read(std::span<const TextNumber> texts) {
  AKIN_TRY(std::vector<WordOutline> outlines, read_(texts));
  texts_.clear();
  for (std::size_t i = 0; i < texts.size(); ++i)
    texts_.push_back({texts[i], std::move(outlines[i]), &common_.at(texts[i])});
  return {};
}

CommonTexts::Rarest CommonTexts::rarest(const WordOutline& outline, const KeyLists& lists,
                                        std::size_t few) const {
  std::vector<std::size_t> steps(outline.size() + 1);
  const auto keys = outline.keys();
  const auto having = outline.words();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t size = lists.size(KeyLists::list_of(keys[i]));
    steps[having[i].begin] += size;
    steps[having[i].end] -= size;
  }
  const std::vector<std::size_t> texts = summed(std::move(steps));  // that may have the word
  std::vector<std::uint32_t> words(outline.size());
  std::iota(words.begin(), words.end(), 0U);
  std::ranges::stable_sort(words, {}, [&](std::uint32_t word) { return texts[word]; });
  const auto needed = static_cast<std::size_t>(least_part(condition_) * static_cast<double>(words.size()));
  const std::size_t spare = words.size() - needed;
  std::vector<std::size_t> is_rare(words.size() + 1);
  std::size_t taken = 0;
  for (; taken < words.size() && (taken <= spare || texts[words[taken]] <= few); ++taken)
    is_rare[words[taken] + 1] = 1;
  const std::vector<std::size_t> rare_before = summed(std::move(is_rare));
  Rarest rarest;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::size_t rare = rare_before[having[i].end] - rare_before[having[i].begin];
    if (rare > 0) rarest.lists.emplace_back(KeyLists::list_of(keys[i]), static_cast<std::uint32_t>(rare));
  }
  rarest.least = static_cast<std::uint32_t>(taken > spare ? taken - spare : 1);
  return rarest;
}

std::vector<std::uint32_t> CommonTexts::look_up(const Text& text) const {
  if (kept_.empty()) return {};
  std::vector<std::uint32_t> counts(kept_.size()), found;
  const Rarest needed = rarest(text.outline, by_key_, kept_.size() / kFewTexts);
  for (const auto& needed_list : needed.lists) {
    by_key_.for_each(needed_list.first, [&, words = needed_list.second](std::uint32_t kept) {
      if (counts[kept] < needed.least && counts[kept] + words >= needed.least) found.push_back(kept);
      counts[kept] += words;
    });
  }
  if (condition_.measure == Measure::containment) return found;
  for (const std::uint32_t key : text.outline.keys())
    by_rarest_.for_each(KeyLists::list_of(key), [&](std::uint32_t kept) { found.push_back(kept); });
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool CommonTexts::may_cover(const Text& preferred, const Text& other) const {
  bool has_enough = false;
  for (std::size_t tier = 0; tier < kMaxTiers && !has_enough; ++tier) {
    std::uint32_t features = other.common->features[tier];
    if (condition_.measure == Measure::resemblance)
      features = std::min(features, preferred.common->features[tier]);
    const std::size_t shared = count_shared(preferred.common->of_tier[tier], other.common->of_tier[tier]);
    has_enough = shared > 0 && static_cast<double>(shared) >= part_ * features;
  }
  if (!has_enough) return false;
  MatchedWords most;
  most.a_words = most.a = preferred.outline.size();
  most.b_words = other.outline.size();
  most.b = other.outline.at_most_in(preferred.outline);
  if (condition_.measure == Measure::resemblance && condition_.share_of(most) >= condition_.least)
    most.a = preferred.outline.at_most_in(other.outline);
  return condition_.share_of(most) >= condition_.least;
}

template <class Find>
void CommonTexts::find_for_each(std::vector<Candidate>& found, const Find& find) const {
  std::vector<std::vector<Candidate>> pieces((texts_.size() + kTextsAtOnce - 1) / kTextsAtOnce);
  for_each_index(pieces.size(), [&](std::size_t piece) {
    for (std::size_t at = piece * kTextsAtOnce; at < std::min(texts_.size(), (piece + 1) * kTextsAtOnce);
         ++at) {
      find(at, [&](const Text& preferred) {
        if (may_cover(preferred, texts_[at]))
          pieces[piece].push_back({preferred.number, texts_[at].number, 0.0});
      });
    }
  });
  for (const auto& piece : pieces) found.insert(found.end(), piece.begin(), piece.end());
}

void CommonTexts::find_kept(std::vector<Candidate>& found) const {
  find_for_each(found, [&](std::size_t at, const auto& offer) {
    for (const std::uint32_t kept : look_up(texts_[at])) offer(kept_[kept]);
  });
}

void CommonTexts::find_among_themselves(std::vector<Candidate>& found) const {
  find_for_each(found, [&](std::size_t at, const auto& offer) {
    for (std::size_t before = 0; before < at; ++before) offer(texts_[before]);
  });
}

void CommonTexts::keep(const std::function<bool(TextNumber)>& is_kept) {
  for (Text& text : texts_) {
    if (!is_kept(text.number)) continue;
    const auto number = static_cast<std::uint32_t>(kept_.size());
    for (const std::uint32_t key : text.outline.keys()) by_key_.add(KeyLists::list_of(key), number);
    if (condition_.measure == Measure::resemblance) {
      for (const auto& [list, words] : rarest(text.outline, by_rarest_, 0).lists)
        by_rarest_.add(list, number);
    } else {
      text.outline.forget_words();  // a kept text covers others; none looks its words up
    }
    bytes_ += sizeof text + text.outline.bytes();
    kept_.push_back(std::move(text));
  }
  texts_.clear();
}

void CommonTexts::forget() {
  kept_.clear();
  by_key_.clear();
  by_rarest_.clear();
  bytes_ = 0;
}

}  // namespace akin::dedup
