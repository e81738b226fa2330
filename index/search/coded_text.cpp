#include "index/search/coded_text.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/hash.h"
#include "base/radix_sort.h"
#include "index/codec/word_codes.h"

namespace akin {
namespace {

constexpr auto kNumbers = [] {
  std::array<std::uint32_t, 256> numbers{};
  for (std::size_t code = 0; code < numbers.size(); ++code)
    numbers[code] = static_cast<std::uint32_t>(mix64(code + 1));
  return numbers;
}();

std::vector<std::size_t> offsets_of(std::uint64_t shape, unsigned length) {
  std::vector<std::size_t> offsets;
  for (unsigned back = length; back-- > 0;)
    if ((shape >> back & 1U) != 0) offsets.push_back(length - 1 - back);
  return offsets;
}

/// Calls take(first word, sum) for each gram of words in a row within [range.begin, range.end), until it
/// returns false.
template <class Take>
void for_each_sum(std::span<const std::uint32_t> numbers, WordRange range, unsigned gram, const Take& take) {
  std::uint32_t sum = 0;
  for (std::uint32_t word = range.begin; word < range.end; ++word) {
    sum += numbers[word];
    const std::uint32_t taken = word + 1 - range.begin;
    if (taken < gram) continue;
    if (!take(word + 1 - gram, sum)) return;
    sum -= numbers[word + 1 - gram];
  }
}

void sort(std::vector<std::uint64_t>& sums) {
  radix_sort(std::span(sums), [](std::uint64_t placed) { return placed; });
}

}  // namespace

CodedText::CodedText(std::span<const std::uint64_t> classes, const Seeds& seeds, const AlignOptions& options)
    : words_(classes.size()),
      gram_(options.seed),
      run_(options.run),
      length_(static_cast<unsigned>(std::bit_width(seeds.shape()))),
      offsets_(offsets_of(seeds.shape(), length_)),
      seed_filter_(seeds.places().size()),
      gram_filter_(classes.size()) {
  std::vector<std::uint32_t> numbers;
  numbers.reserve(classes.size());
  for (const std::uint64_t word_class : classes) numbers.push_back(kNumbers[code_of(word_class)]);
  seeds_.reserve(seeds.places().size());
  for (const auto& [hash, place] : seeds.places()) {
    std::uint32_t sum = 0;
    for (const std::size_t offset : offsets_) sum += numbers[place + offset];
    seed_filter_.add(sum);
    seeds_.push_back(std::uint64_t{sum} << 32U | place);
  }
  sort(seeds_);
  grams_.reserve(classes.size());
  const WordRange all{0, static_cast<std::uint32_t>(numbers.size())};
  for_each_sum(numbers, all, gram_, [&](std::uint32_t word, std::uint32_t sum) {
    gram_filter_.add(sum);
    grams_.push_back(std::uint64_t{sum} << 32U | word);
    return true;
  });
  sort(grams_);
}

bool CodedText::is_near(std::uint32_t in_a, std::uint32_t in_b, Numbers b) const {
  const WordRange a_words = around_seed(in_a, length_, words_);
  const WordRange b_words = around_seed(in_b, length_, b.size());
  std::uint32_t matched = 0, end = b_words.begin;
  for_each_sum(b, b_words, gram_, [&](std::uint32_t word, std::uint32_t sum) {
    if (!gram_filter_.may_have(sum)) return true;
    const auto found = std::ranges::lower_bound(grams_, std::uint64_t{sum} << 32U | a_words.begin);
    if (found == grams_.end() || *found >> 32U != sum) return true;
    if (static_cast<std::uint32_t>(*found) + gram_ > a_words.end) return true;
    matched += word + gram_ - std::max(word, end);
    end = word + gram_;
    return matched < run_;
  });
  return matched >= run_;
}

bool CodedText::may_share(std::string_view codes) const {
  constexpr std::size_t kAtOnce = 64;
  std::vector<std::uint32_t> numbers(codes.size() + length_ +
                                     kAtOnce);  // seeds that end beyond it are not looked at
  for (std::size_t word = 0; word < codes.size(); ++word)
    numbers[word] = kNumbers[static_cast<unsigned char>(codes[word])];
  const Numbers b = Numbers(numbers).first(codes.size());
  const std::size_t seeds = codes.size() + 1 < length_ ? 0 : codes.size() + 1 - length_;
  std::size_t looks = 0;
  for (std::size_t first = 0; first < seeds; first += kAtOnce) {
    std::array<std::uint32_t, kAtOnce> sums{};
    for (const std::size_t offset : offsets_)
      for (std::size_t at = 0; at < kAtOnce; ++at) sums[at] += numbers[first + offset + at];
    // Without a branch: few are among the seeds, and which cannot be predicted.
    std::array<std::uint32_t, kAtOnce> found;  // NOLINT: as many as are used are set
    std::size_t count = 0;
    for (std::size_t at = 0; at < kAtOnce; ++at) {
      found[count] = static_cast<std::uint32_t>(at);
      count += seed_filter_.may_have(sums[at]) ? 1 : 0;
    }
    for (const std::uint32_t at : std::span(found).first(count)) {
      if (first + at >= seeds) break;
      const std::uint64_t sum = std::uint64_t{sums[at]} << 32U;
      for (auto same = std::ranges::lower_bound(seeds_, sum);
           same != seeds_.end() && *same >> 32U == sums[at]; ++same) {
        if (++looks > Seeds::kMostLooks) return true;
        if (is_near(static_cast<std::uint32_t>(*same), static_cast<std::uint32_t>(first + at), b))
          return true;
      }
    }
  }
  return false;
}

}  // namespace akin
