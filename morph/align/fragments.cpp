#include "morph/align/fragments.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <utility>

#include "morph/schemes/rolling_hash.h"

namespace akin {
namespace {

constexpr std::uint32_t kNoGram = GramTable::kNone;

class FragmentFinder {
 public:
  FragmentFinder(const IndexedWords& a, std::span<const std::uint64_t> b, const AlignOptions& options)
      : a_(a), b_(b), options_(options) {}

  std::vector<Fragment> find() {
    look_up_grams();
    match_grams();
    match_common_runs();
    extend();
    std::ranges::sort(found_, {}, [](const Fragment& one) { return std::pair(one.a, one.b); });
    return std::move(found_);
  }

 private:
  /// The grams of B, by their numbers in A.
  void look_up_grams() {
    grams_b_.reserve(b_.size());
    count_.resize(a_.grams.size());
    for_each_gram(b_, options_.seed, RollingHash(options_.seed, options_.ordered),
                  [&](std::uint32_t, std::uint64_t hash) {
                    const std::uint32_t gram = a_.grams.find(hash);
                    grams_b_.push_back(gram);
                    if (gram != kNoGram) ++count_[gram];
                  });
  }

  [[nodiscard]] bool is_common(std::uint32_t gram) const noexcept {
    return gram != kNoGram && count_[gram] > options_.places;
  }

  /// Equal grams, joined where they follow one another on a diagonal.
  void match_grams() {
    // By the word of A at which a fragment continues, if the next gram of B occurs there.
    std::vector<std::pair<std::uint32_t, std::size_t>> open, next;
    for (std::uint32_t j = 0; j < grams_b_.size(); ++j) {
      next.clear();
      if (grams_b_[j] != kNoGram && !is_common(grams_b_[j])) {
        auto going_on = open.begin();
        for (const std::uint32_t i : a_.grams.places(grams_b_[j])) {
          while (going_on != open.end() && going_on->first < i) ++going_on;
          std::size_t at = found_.size();
          if (going_on != open.end() && going_on->first == i) {
            at = going_on->second;
            ++found_[at].length;
          } else {
            found_.push_back({i, j, options_.seed});
          }
          next.emplace_back(i + 1, at);
        }
      }
      open.swap(next);
    }
  }

  /// Calls take(at, hash) for the runs of `words`, given by the grams that begin at each, that consist of
  /// common grams.
  template <class Take>
  void for_each_common_run(std::span<const std::uint64_t> words, std::span<const std::uint32_t> grams,
                           Take&& take) const {
    const std::size_t run_grams = options_.run - options_.seed + 1;
    for (std::size_t i = 0; i < grams.size();) {
      const std::size_t begin = i;
      while (i < grams.size() && is_common(grams[i])) ++i;
      if (i - begin >= run_grams) {
        for_each_gram(words.subspan(begin, i - begin + options_.seed - 1), options_.run,
                      RollingHash(options_.run, true), [&](std::uint32_t at, std::uint64_t hash) {
                        take(static_cast<std::uint32_t>(begin + at), hash);
                      });
      }
      if (i == begin) ++i;
    }
  }

  void match_common_runs() {
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> first_place;
    for_each_common_run(a_.words, a_.grams.grams(),
                        [&](std::uint32_t, std::uint64_t hash) { first_place.emplace(hash, kNoGram); });
    if (first_place.empty()) return;
    for_each_common_run(b_, grams_b_, [&](std::uint32_t j, std::uint64_t hash) {
      const auto run = first_place.find(hash);
      if (run != first_place.end() && run->second == kNoGram) run->second = j;
    });
    std::uint32_t end = 0;  // of the fragment found last, in A
    for_each_common_run(a_.words, a_.grams.grams(), [&](std::uint32_t i, std::uint64_t hash) {
      const std::uint32_t j = first_place.find(hash)->second;
      if (j == kNoGram || i + options_.run <= end) return;
      end = i + equal_words(i, j);
      found_.push_back({i, j, end - i});
    });
  }

  [[nodiscard]] std::uint32_t equal_words(std::uint32_t i, std::uint32_t j) const noexcept {
    std::uint32_t length = 0;
    while (i + length < a_.words.size() && j + length < b_.size() && a_.words[i + length] == b_[j + length]) {
      ++length;
    }
    return length;
  }

  /// Extends each fragment over equal words and joins those of one diagonal that meet.
  void extend() {
    const auto diagonal = [](const Fragment& one) { return std::int64_t{one.a} - std::int64_t{one.b}; };
    std::ranges::sort(found_, {}, [&](const Fragment& one) { return std::pair(diagonal(one), one.a); });
    std::size_t kept = 0;
    for (const Fragment one : found_) {
      Fragment* last = kept > 0 && diagonal(found_[kept - 1]) == diagonal(one) ? &found_[kept - 1] : nullptr;
      if (last != nullptr && one.a_end() <= last->a_end()) continue;
      Fragment fragment = one;
      const std::uint32_t least = last != nullptr ? last->a_end() : 0;
      while (fragment.a > least && fragment.b > 0 && a_.words[fragment.a - 1] == b_[fragment.b - 1]) {
        --fragment.a;
        --fragment.b;
        ++fragment.length;
      }
      fragment.length += equal_words(fragment.a_end(), fragment.b_end());
      if (last != nullptr && fragment.a <= last->a_end()) {
        last->length = fragment.a_end() - last->a;
      } else {
        found_[kept++] = fragment;
      }
    }
    found_.resize(kept);
  }

  const IndexedWords& a_;
  const std::span<const std::uint64_t> b_;
  const AlignOptions& options_;
  std::vector<std::uint32_t> grams_b_;  ///< the number in A of the gram that begins at each word of B
  std::vector<std::uint32_t> count_;    ///< how often each gram of A occurs in B
  std::vector<Fragment> found_;
};

}  // namespace

std::vector<Fragment> find_fragments(const IndexedWords& a, std::span<const std::uint64_t> b,
                                     const AlignOptions& options) {
  return FragmentFinder(a, b, options).find();
}

}  // namespace akin
