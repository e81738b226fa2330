#include "index/search/coded_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

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

std::uint32_t number_of(char code) { return kNumbers[static_cast<unsigned char>(code)]; }

/// Calls take(first word, sum) for each gram of words in a row within [range.begin, range.end), until it
/// returns false.
template <class Take>
void for_each_sum(std::string_view codes, WordRange range, unsigned gram, const Take& take) {
  std::uint32_t sum = 0;
  for (std::uint32_t word = range.begin; word < range.end; ++word) {
    sum += number_of(codes[word]);
    const std::uint32_t taken = word + 1 - range.begin;
    if (taken < gram) continue;
    if (!take(word + 1 - gram, sum)) return;
    sum -= number_of(codes[word + 1 - gram]);
  }
}

/// Some sums, and of others one in 500 if there are as many as grams around a seed.
class SumSet {
 public:
  void add(std::uint32_t sum) noexcept { bits_[sum >> kShift] |= std::uint64_t{1} << (sum & 63U); }
  [[nodiscard]] bool may_have(std::uint32_t sum) const noexcept {
    return (bits_[sum >> kShift] >> (sum & 63U) & 1U) != 0;
  }

 private:
  static constexpr unsigned kShift = 22;
  std::array<std::uint64_t, std::size_t{1} << (32U - kShift)> bits_{};
};

/// Calls take(word) for each place of `codes` where those at the offsets have this sum, as codes of eight
/// bits, until it returns true; whether it did.
template <class Take>
bool find_sum(std::string_view codes, std::span<const std::size_t> offsets, std::uint8_t sum,
              const Take& take) {
  constexpr std::size_t kAtOnce = 16, kMostOffset = 63;
  using Bytes = std::uint8_t __attribute__((vector_size(kAtOnce)));
  using Halves = std::uint64_t __attribute__((vector_size(kAtOnce)));
  const std::size_t length = offsets.back() + 1;
  for (std::size_t first = 0; first + length <= codes.size(); first += kAtOnce) {
    std::array<char, kAtOnce + kMostOffset> last;  // NOLINT: set where it is used
    const char* own = codes.data() + first;
    if (const std::size_t left = codes.size() - first; left < last.size()) {
      last.fill(0);
      std::memcpy(last.data(), own, left);
      own = last.data();
    }
    Bytes sums{};
    for (const std::size_t offset : offsets) {
      Bytes more;
      std::memcpy(&more, own + offset, sizeof more);
      sums += more;
    }
    const auto equal = reinterpret_cast<Halves>(sums == sum);
    if ((equal[0] | equal[1]) == 0) continue;  // most have none
    const std::size_t places = std::min(kAtOnce, codes.size() + 1 - length - first);
    for (std::size_t at = 0; at < places; ++at)
      if (sums[at] == sum && take(first + at)) return true;
  }
  return false;
}

}  // namespace

CodedText::CodedText(std::span<const std::uint64_t> classes, const Seeds& seeds, const AlignOptions& options)
    : gram_(options.seed),
      run_(options.run),
      length_(static_cast<unsigned>(std::bit_width(seeds.shape()))),
      offsets_(offsets_of(seeds.shape(), length_)),
      seed_filter_(seeds.places().size()) {
  codes_.reserve(classes.size());
  for (const std::uint64_t word_class : classes) codes_ += static_cast<char>(code_of(word_class));
  seeds_.reserve(seeds.places().size());
  for (const auto& [hash, place] : seeds.places()) {
    const std::uint32_t sum = seed_sum(codes_, place);
    seed_filter_.add(sum);
    seeds_.push_back(std::uint64_t{sum} << 32U | place);
  }
  radix_sort(std::span(seeds_), [](std::uint64_t placed) { return placed; });
}

std::uint32_t CodedText::seed_sum(std::string_view codes, std::size_t word) const {
  std::uint32_t sum = 0;
  for (const std::size_t offset : offsets_) sum += number_of(codes[word + offset]);
  return sum;
}

bool CodedText::may_share(std::string_view codes, std::span<const std::uint32_t> seeds) const {
  std::size_t looks = 0;
  return std::ranges::any_of(seeds, [&](std::uint32_t seed) {
    std::uint8_t short_sum = 0;
    for (const std::size_t offset : offsets_)
      short_sum = static_cast<std::uint8_t>(short_sum + static_cast<std::uint8_t>(codes_[seed + offset]));
    return find_sum(codes, offsets_, short_sum, [&, sum = seed_sum(codes_, seed)](std::size_t word) {
      if (seed_sum(codes, word) != sum) return false;
      return ++looks > Seeds::kMostLooks || is_near(seed, static_cast<std::uint32_t>(word), codes);
    });
  });
}

bool CodedText::is_near(std::uint32_t in_a, std::uint32_t in_b, std::string_view b) const {
  const WordRange a_words = around_seed(in_a, length_, codes_.size());
  const WordRange b_words = around_seed(in_b, length_, b.size());
  SumSet of_a;
  for_each_sum(codes_, a_words, gram_, [&](std::uint32_t, std::uint32_t sum) {
    of_a.add(sum);
    return true;
  });
  std::uint32_t matched = 0, end = b_words.begin;
  for_each_sum(b, b_words, gram_, [&](std::uint32_t word, std::uint32_t sum) {
    if (!of_a.may_have(sum)) return true;
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
  for (std::size_t word = 0; word < codes.size(); ++word) numbers[word] = number_of(codes[word]);
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
        if (is_near(static_cast<std::uint32_t>(*same), static_cast<std::uint32_t>(first + at), codes))
          return true;
      }
    }
  }
  return false;
}

}  // namespace akin
