#include "morph/align/align.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "morph/align/fragments.h"
#include "morph/align/taken_words.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {
namespace {

/// Which chains become passages: those with most words first, and of the others those that A needs.
class PassageChoice {
 public:
  PassageChoice(const AlignOptions& options, std::size_t a_words, std::size_t b_words)
      : options_(options), a_(a_words), b_(b_words) {}

  Alignment choose(std::vector<Chain> chains) {
    std::vector<std::size_t> order(chains.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t at) {
      return std::min(chains[at].a_matched, chains[at].b_matched);
    });
    for (const std::size_t at : order) {
      if (is_needed(chains[at])) take(std::move(chains[at]));
    }
    alignment_.a_matched = a_.count();
    alignment_.b_matched = b_.count();
    std::ranges::sort(alignment_.passages, {}, [](const AlignedPassage& one) {
      return std::tuple(one.a_words.begin, one.b_words.begin, one.a_words.end, one.b_words.end);
    });
    return std::move(alignment_);
  }

 private:
  [[nodiscard]] bool is_needed(const Chain& chain) const {
    std::uint32_t free = 0, end = 0;
    for (const Fragment& one : chain.fragments) {
      if (one.length >= options_.run && a_.free({one.a, one.a_end()}) > 0) return true;
      const WordRange behind{std::max(one.a, end), std::max(one.a_end(), end)};
      free += a_.free(behind);
      end = behind.end;
    }
    return 2 * free >= chain.a_matched;
  }

  void take(Chain chain) {
    for (const Fragment& one : chain.fragments) {
      a_.take({one.a, one.a_end()});
      b_.take({one.b, one.b_end()});
    }
    alignment_.passages.push_back(
        {chain.a, chain.b, {}, {}, chain.a_matched, chain.b_matched, std::move(chain.fragments)});
  }

  const AlignOptions& options_;
  TakenWords a_, b_;
  Alignment alignment_;
};

/// Exact runs consist of grams in order: others could take the words of a run, and have none themselves.
AlignOptions effective(AlignOptions options) {
  options.ordered = options.ordered || options.scattered > 0;
  return options;
}

Result<void> check_between(std::string_view name, unsigned value, unsigned least, unsigned most) {
  if (value >= least && value <= most) return {};
  return Error{
      Errc::invalid_argument, std::string(name),
      std::to_string(value) + " is not from " + std::to_string(least) + " to " + std::to_string(most),
      "give a number in that range"};
}

}  // namespace

Result<void> AlignOptions::check() const {
  AKIN_CHECK(check_between("seed", seed, 1, kMaxWindowUnits));
  AKIN_CHECK(check_between("run", run, seed, kMaxWindowUnits));
  AKIN_CHECK(check_between("places", places, 1, kMaxPlaces));
  AKIN_CHECK(check_between("gap", gap, 0, kMaxGap));
  AKIN_CHECK(check_between("scattered", scattered, 0, kMostPassageWords));
  AKIN_CHECK(check_between("words", words, 0, kMostPassageWords));
  return check_between("density", density, 0, 99);
}

Aligner::Aligner(const WordSequence& a, const AlignOptions& options, WordWeights weights)
    : a_(a),
      options_(effective(options)),
      weights_(std::move(weights)),
      grams_(a.classes, options_.seed, options_.ordered),
      classes_(a.classes) {
  assert(options.check().has_value());
}

bool Aligner::weighs_enough(const Chain& chain) const {
  std::vector<WordRange> ranges;
  ranges.reserve(chain.fragments.size());
  for (const Fragment& one : chain.fragments) ranges.push_back({one.a, one.a_end()});
  return weights_.reach(AlignOptions::least_weight(chain.a_matched), ranges, a_.classes);
}

template <class Words>
bool Aligner::is_long_enough(const Chain& chain, const Words& b) const {
  const std::uint32_t matched = std::min(chain.a_matched, chain.b_matched);
  if (matched < options_.words) return false;
  if (matched >= options_.scattered) return true;
  for (const Fragment& one : chain.fragments) {
    unsigned equal = 0;
    for (std::uint32_t at = 0; at < one.length; ++at) {
      equal = a_.classes[one.a + at] == b[one.b + at] ? equal + 1 : 0;
      if (equal >= options_.run) return true;
    }
  }
  return false;
}

template <class Words>
Alignment Aligner::choose(const std::vector<Fragment>& fragments, const Words& b) const {
  std::vector<Chain> chains = find_chains(fragments, options_);
  std::erase_if(chains,
                [&](const Chain& chain) { return !is_long_enough(chain, b) || !weighs_enough(chain); });
  if (chains.empty()) return {};
  Alignment alignment = PassageChoice(options_, a_.classes.size(), b.size()).choose(std::move(chains));
  for (AlignedPassage& passage : alignment.passages)
    passage.a = {a_.ranges[passage.a_words.begin].begin, a_.ranges[passage.a_words.end - 1].end};
  return alignment;
}

Alignment Aligner::align(const WordSequence& b) const {
  Alignment alignment = choose(find_fragments({a_.classes, grams_}, b.classes, options_), b.classes);
  for (AlignedPassage& passage : alignment.passages)
    passage.b = {b.ranges[passage.b_words.begin].begin, b.ranges[passage.b_words.end - 1].end};
  return alignment;
}

Alignment Aligner::align(const NumberedWords& b) const {
  return choose(find_fragments({a_.classes, grams_}, classes_, b, options_), b);
}

}  // namespace akin
