#include "index/search/coded_runs.h"

#include <algorithm>

#include "index/codec/word_codes.h"

namespace akin {
namespace {

/// What many runs say of a text, a few say: a text of one word a thousand times has a thousand runs anywhere.
constexpr std::size_t kMostRuns = 64;

}  // namespace

CodedRuns::CodedRuns(std::span<const std::uint64_t> classes, unsigned run) : run_(run) {
  for (const std::uint64_t word_class : classes) codes_ += static_cast<char>(code_of(word_class));
  for (std::size_t word = 0; word + 1 < codes_.size(); ++word) {
    pairs_.set(pair_at(codes_, word));
    places_.emplace_back(pair_at(codes_, word), static_cast<std::uint32_t>(word));
  }
  std::ranges::sort(places_);
}

std::vector<WordRange> CodedRuns::find(std::string_view codes) const {
  std::vector<WordRange> runs;
  // Of the pairs in a run one is at a multiple of this.
  const std::size_t step = run_ - 1;
  for (std::size_t word = 0; word + 1 < codes.size(); word += step) {
    const Pair pair = pair_at(codes, word);
    if (!pairs_.test(pair)) continue;
    for (auto same = std::ranges::lower_bound(places_, std::pair(pair, std::uint32_t{0}));
         same != places_.end() && same->first == pair; ++same) {
      const std::size_t place = same->second;
      std::size_t before = 0, after = 2;
      while (before < std::min(place, word) && codes_[place - before - 1] == codes[word - before - 1])
        ++before;
      while (place + after < codes_.size() && word + after < codes.size() &&
             codes_[place + after] == codes[word + after])
        ++after;
      if (before + after < run_) continue;
      runs.push_back({static_cast<std::uint32_t>(place - before), static_cast<std::uint32_t>(place + after)});
    }
    if (runs.size() > kMostRuns) break;
  }
  join_ranges(runs);
  return runs;
}

}  // namespace akin
