#include "cli/dedup/common_texts.h"

#include <algorithm>
#include <iterator>
#include <ranges>
#include <utility>

#include "base/parallel.h"

namespace akin::dedup {

namespace {

/// Values of the bits that WordOutline keeps of a word.
constexpr std::size_t kLists = std::size_t{1} << 16U;
/// Lists that are shorter than one in so many kept texts are walked through beyond those that must be: that
/// costs less than to count the words of the texts that it rules out.
constexpr std::size_t kShortList = 64;
/// Texts looked up by one thread before it takes others.
constexpr std::size_t kTextsAtOnce = 16;
/// Of a sample of so many words, clearly enough of which are shared, the rest is not counted.
constexpr std::size_t kSample = 32;

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

/// Whether as many words of each may be in the other as it takes to cover.
bool may_reach(const Condition& condition, const WordOutline& preferred, const WordOutline& other) {
  if (condition.measure == Measure::containment) {
    const std::size_t step = other.size() / kSample + 1;
    const std::size_t sampled = (other.size() + step - 1) / step;
    const auto found = static_cast<double>(other.at_most_in(preferred, step));
    if (found >= (1.0 + condition.least) / 2 * static_cast<double>(sampled)) return true;
  }
  MatchedWords most;
  most.a_words = most.a = preferred.size();
  most.b_words = other.size();
  most.b = other.at_most_in(preferred);
  if (condition.measure == Measure::resemblance && condition.share_of(most) >= condition.least)
    most.a = preferred.at_most_in(other);
  return condition.share_of(most) >= condition.least;
}

}  // namespace

struct CommonTexts::Rarest {
  std::vector<std::pair<std::uint16_t, std::uint32_t>> words;  ///< and how often the text has each
  std::uint32_t least = 1;                                     ///< so many of these, a covering text has
};

CommonTexts::CommonTexts(const Condition& condition, double part, ReadOutlines read, std::uint64_t memory)
    : condition_(condition), part_(part), read_(std::move(read)), memory_(memory), by_word_(kLists) {
  if (condition.measure == Measure::resemblance) by_rarest_.resize(kLists);
}

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

CommonTexts::Rarest CommonTexts::rarest(const WordOutline& outline, const Lists& lists,
                                        std::size_t few) const {
  std::vector<std::uint16_t> sorted(outline.words().begin(), outline.words().end());
  std::ranges::sort(sorted);
  Rarest rarest;
  for (const std::uint16_t word : sorted) {
    if (rarest.words.empty() || rarest.words.back().first != word) rarest.words.emplace_back(word, 0);
    ++rarest.words.back().second;
  }
  std::ranges::stable_sort(rarest.words, {}, [&](const auto& one) { return lists[one.first].size(); });
  const auto needed = static_cast<std::size_t>(least_part(condition_) * static_cast<double>(outline.size()));
  const std::size_t spare = outline.size() - needed;
  std::size_t words = 0, taken = 0;
  while (taken < rarest.words.size() && (words <= spare || lists[rarest.words[taken].first].size() <= few))
    words += rarest.words[taken++].second;
  rarest.words.resize(taken);
  rarest.least = static_cast<std::uint32_t>(words > spare ? words - spare : 1);
  return rarest;
}

std::vector<std::uint32_t> CommonTexts::look_up(const Text& text) const {
  std::vector<std::uint32_t> counts(kept_.size()), found;
  const Rarest needed = rarest(text.outline, by_word_, kept_.size() / kShortList);
  for (const auto& [word, times] : needed.words) {
    for (const std::uint32_t kept : by_word_[word]) {
      if (counts[kept] < needed.least && counts[kept] + times >= needed.least) found.push_back(kept);
      counts[kept] += times;
    }
  }
  if (by_rarest_.empty()) return found;
  for (const std::uint16_t word : text.outline.words())
    std::ranges::copy(by_rarest_[word], std::back_inserter(found));
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool CommonTexts::may_cover(const Text& preferred, const Text& other) const {
  const auto has_enough = [&](std::size_t tier) {
    std::uint32_t features = other.common->features[tier];
    if (condition_.measure == Measure::resemblance)
      features = std::min(features, preferred.common->features[tier]);
    const std::size_t shared = count_shared(preferred.common->of_tier[tier], other.common->of_tier[tier]);
    return shared > 0 && static_cast<double>(shared) >= part_ * features;
  };
  return may_reach(condition_, preferred.outline, other.outline) &&
         std::ranges::any_of(std::views::iota(std::size_t{0}, kMaxTiers), has_enough);
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
    const auto add = [&](Lists& lists, std::uint16_t word) {
      if (!lists[word].empty() && lists[word].back() == number) return;
      lists[word].push_back(number);
      bytes_ += sizeof number;
    };
    for (const std::uint16_t word : text.outline.words()) add(by_word_, word);
    if (!by_rarest_.empty())
      for (const auto& [word, times] : rarest(text.outline, by_rarest_, 0).words) add(by_rarest_, word);
    bytes_ += sizeof text + text.outline.bytes();
    kept_.push_back(std::move(text));
  }
  texts_.clear();
}

void CommonTexts::forget() {
  kept_.clear();
  for (Lists* const lists : {&by_word_, &by_rarest_})
    for (auto& list : *lists) list = {};
  bytes_ = 0;
}

}  // namespace akin::dedup
