#include "index/search/works.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/waiting.h"
#include "index/search/word_cache.h"

namespace akin {

std::span<const std::uint32_t> Works::OfWord::known() const {
  return std::span(works).first(std::min<std::size_t>(count, kFewWorks));
}

Works::Works(const Snapshot& snapshot, const TextAligner& aligner, unsigned most)
    : snapshot_(snapshot), dictionary_(aligner.dictionary()), most_(most), of_(aligner.words()) {}

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
  AKIN_TRY(const auto words, WordCache::of_process().words(snapshot_, document, dictionary_));
  auto grams = words->gram_sample();
  for (const std::uint32_t other : others)
    if (grams->shares(kSameWork, *firsts_[other])) return other;
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
