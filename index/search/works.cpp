#include "index/search/works.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/hash.h"
#include "base/radix_sort.h"
#include "base/waiting.h"
#include "index/search/word_cache.h"

namespace akin {

std::span<const std::uint32_t> Works::OfWord::known() const {
  return std::span(works).first(std::min<std::size_t>(count, kFewWorks));
}

Works::Works(const Snapshot& snapshot, const TextAligner& aligner, unsigned most)
    : snapshot_(snapshot), dictionary_(aligner.dictionary()), most_(most), of_(aligner.words()) {}

Result<Works::Grams> Works::grams_of(const StoredDocument& document) const {
  AKIN_TRY(const auto words, WordCache::of_process().words(snapshot_, document, dictionary_));
  const NumberedWords numbered = words->numbered();
  Grams grams{.hashes = {}, .are_sampled = numbered.size() > kLongWork};
  const std::uint64_t last = grams.are_sampled ? kLastSampled : ~std::uint64_t{0};
  std::uint64_t sum = 0;  // of hashes: the order of the words does not count
  for (std::size_t word = 0; word < numbered.size(); ++word) {
    sum += numbered[word];
    if (word + 1 < kGram) continue;
    if (const std::uint64_t hash = mix64(sum); hash <= last) grams.hashes.push_back(hash);
    sum -= numbered[word + 1 - kGram];
  }
  radix_sort(std::span(grams.hashes), [](std::uint64_t hash) { return hash; });
  grams.hashes.erase(std::unique(grams.hashes.begin(), grams.hashes.end()), grams.hashes.end());
  return grams;
}

bool Works::are_same(const Grams& one, const Grams& other) {
  const bool sampled = one.are_sampled || other.are_sampled;
  const auto end_of = [&](const Grams& grams) {
    return sampled ? std::ranges::upper_bound(grams.hashes, kLastSampled) : grams.hashes.end();
  };
  std::size_t shared = 0;
  auto a = one.hashes.begin(), b = other.hashes.begin();
  const auto a_end = end_of(one), b_end = end_of(other);
  const auto least = static_cast<double>(std::min(a_end - a, b_end - b));
  while (a != a_end && b != b_end) {
    if (*a == *b) ++shared;
    const bool moves_a = *a <= *b, moves_b = *b <= *a;
    if (moves_a) ++a;
    if (moves_b) ++b;
  }
  return shared > 0 && static_cast<double>(shared) >= kSameWork * least;
}

Result<std::uint32_t> Works::work_of(const StoredDocument& document, std::span<const WordRange> matched) {
  std::unordered_set<std::uint32_t> others;
  for (const WordRange& range : matched) {
    for (std::size_t word = range.begin; word < range.end; ++word) {
      if (are_few(word, most_)) {
        const std::span<const std::uint32_t> known = of_[word].known();
        others.insert(known.begin(), known.end());
      }
    }
  }
  AKIN_CHECK(check_work());
  AKIN_TRY(Grams grams, grams_of(document));
  for (const std::uint32_t other : others)
    if (are_same(firsts_[other], grams)) return other;
  firsts_.push_back(std::move(grams));
  return static_cast<std::uint32_t>(firsts_.size() - 1);
}

void Works::ask(std::span<const WordRange> words) {
  for (const WordRange& range : words) {
    for (std::size_t word = range.begin; word < range.end; ++word) of_[word].count = 0;
  }
}

Result<void> Works::add(const StoredDocument& document, std::span<const WordRange> matched) {
  const auto has_few = [this](const WordRange& range) {
    return std::any_of(of_.begin() + static_cast<std::ptrdiff_t>(range.begin),
                       of_.begin() + static_cast<std::ptrdiff_t>(range.end),
                       [this](const OfWord& one) { return one.count <= most_; });
  };
  if (!std::ranges::any_of(matched, has_few)) return {};
  AKIN_TRY(const std::uint32_t work, work_of(document, matched));
  for (const WordRange& range : matched) {
    for (std::size_t word = range.begin; word < range.end; ++word) {
      OfWord& one = of_[word];
      if (one.count > most_ || std::ranges::count(one.known(), work) > 0) continue;
      if (one.count < most_) one.works.at(one.count) = work;
      ++one.count;
    }
  }
  return {};
}

}  // namespace akin
