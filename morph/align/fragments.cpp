#include "morph/align/fragments.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstddef>
#include <utility>

#include "base/per_thread.h"
#include "base/radix_sort.h"
#include "morph/schemes/rolling_hash.h"

namespace akin {
namespace {

constexpr std::uint32_t kNoGram = GramTable::kNone;
/// Numbers of working memory that a thread keeps.
constexpr std::size_t kKept = std::size_t{1} << 19U;

/// A gram of A, by its number there, that begins at a word of a text.
struct GramPlace {
  std::uint32_t word = 0, gram = kNoGram;
};

/// The grams that begin at each word of A.
struct EachPlace {
  std::span<const std::uint32_t> grams;
  [[nodiscard]] std::size_t size() const noexcept { return grams.size(); }
  GramPlace operator[](std::size_t word) const noexcept {
    return {static_cast<std::uint32_t>(word), grams[word]};
  }
};

/// The grams of B that A has, in order.
std::vector<GramPlace> shared_grams(const GramTable& a, std::span<const std::uint64_t> b,
                                    const AlignOptions& options) {
  std::vector<GramPlace> shared;
  for_each_gram(b, options.seed, RollingHash(options.seed, options.ordered),
                [&](std::uint32_t word, std::uint64_t hash) {
                  const std::uint32_t gram = a.find(hash);
                  if (gram != kNoGram) shared.push_back({word, gram});
                });
  return shared;
}

/// The same grams; only stretches of words whose classes A may have are hashed.
std::vector<GramPlace> shared_grams(const GramTable& a, const ClassFilter& a_classes, const NumberedWords& b,
                                    const AlignOptions& options) {
  std::vector<std::pair<std::uint32_t, std::uint64_t>> hashed;
  a_classes.for_each_gram(b, shape_in_a_row(options.seed), options.ordered, a.filter(),
                          [&](std::uint32_t word, std::uint64_t hash) {
                            hashed.emplace_back(word, hash);
                            return true;
                          });
  // A table of a long text is not in the processor's cache.
  constexpr std::size_t kAhead = 8;
  std::vector<GramPlace> shared;
  for (std::size_t at = 0; at < hashed.size(); ++at) {
    if (at + kAhead < hashed.size()) a.expect(hashed[at + kAhead].second);
    const std::uint32_t gram = a.find(hashed[at].second);
    if (gram != kNoGram) shared.push_back({hashed[at].first, gram});
  }
  return shared;
}

template <class Words>
class FragmentFinder {
 public:
  FragmentFinder(const IndexedWords& a, const Words& b, std::vector<GramPlace> shared,
                 const AlignOptions& options)
      : a_(a), b_(b), options_(options), grams_b_(std::move(shared)) {
    if (count_.size() < a_.grams.size()) count_.resize(a_.grams.size());
  }
  FragmentFinder(const FragmentFinder&) = delete;
  FragmentFinder& operator=(const FragmentFinder&) = delete;
  ~FragmentFinder() {
    for (const GramPlace& one : grams_b_) count_[one.gram] = 0;
    if (count_.size() > kKept) std::vector<std::uint32_t>().swap(count_);
  }

  std::vector<Fragment> find() {
    bool any_common = false;
    for (const GramPlace& one : grams_b_) any_common = ++count_[one.gram] > options_.places || any_common;
    match_grams();
    if (any_common) match_common_runs();
    extend();
    radix_sort(std::span(found_), [](const Fragment& one) { return std::uint64_t{one.a} << 32U | one.b; });
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool is_common(std::uint32_t gram) const noexcept { return count_[gram] > options_.places; }

  /// Equal grams, joined where they follow one another on a diagonal.
  void match_grams() {
    // By the word of A at which a fragment continues, if the next gram of B occurs there.
    std::vector<std::pair<std::uint32_t, std::size_t>> open, next;
    std::uint32_t following = 0;
    for (const auto& [j, gram] : grams_b_) {
      if (j != following) open.clear();
      following = j + 1;
      next.clear();
      if (!is_common(gram)) {
        auto going_on = open.begin();
        for (const std::uint32_t i : a_.grams.places(gram)) {
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

  /// Calls take(at, hash) for the runs of `words` that consist of common grams; `grams`: GramPlaces in order.
  template <class AnyWords, class Grams, class Take>
  void for_each_common_run(const AnyWords& words, const Grams& grams, Take&& take) const {
    const std::size_t run_grams = options_.run - options_.seed + 1;
    for (std::size_t i = 0; i < grams.size();) {
      const std::size_t begin = i;
      const std::size_t word = grams[begin].word;
      const auto goes_on = [&](const GramPlace& next) {
        return next.word == word + (i - begin) && is_common(next.gram);
      };
      while (i < grams.size() && goes_on(grams[i])) ++i;
      if (i - begin >= run_grams) {
        RollingHash hash(options_.run, true);
        for (std::size_t at = 0; at < i - begin + options_.seed - 1; ++at) {
          hash.push(words[word + at]);
          if (at + 1 >= options_.run)
            take(static_cast<std::uint32_t>(word + at + 1 - options_.run), hash.value());
        }
      }
      if (i == begin) ++i;
    }
  }

  void match_common_runs() {
    boost::unordered_flat_map<std::uint64_t, std::uint32_t> first_place;
    const EachPlace grams_a{a_.grams.grams()};
    for_each_common_run(a_.words, grams_a,
                        [&](std::uint32_t, std::uint64_t hash) { first_place.emplace(hash, kNoGram); });
    if (first_place.empty()) return;
    for_each_common_run(b_, grams_b_, [&](std::uint32_t j, std::uint64_t hash) {
      const auto run = first_place.find(hash);
      if (run != first_place.end() && run->second == kNoGram) run->second = j;
    });
    std::uint32_t end = 0;  // of the fragment found last, in A
    for_each_common_run(a_.words, grams_a, [&](std::uint32_t i, std::uint64_t hash) {
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
    // Counted from the diagonal of the last word of B. The sort is stable, so each has its fragments by a.
    const auto diagonal = [&](const Fragment& one) { return std::uint64_t{one.a} + b_.size() - one.b; };
    radix_sort(std::span(found_), [](const Fragment& one) { return std::uint64_t{one.b}; });
    radix_sort(std::span(found_), diagonal);
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
  const Words& b_;
  const AlignOptions& options_;
  const std::vector<GramPlace> grams_b_;
  /// How often each gram of A occurs in B. Kept per thread, all 0: of a novel as A it would take as long to
  /// make as a page as B to align.
  std::vector<std::uint32_t>& count_ = PerThread<std::vector<std::uint32_t>, FragmentFinder>::get();
  std::vector<Fragment> found_;
};

}  // namespace

std::vector<Fragment> find_fragments(const IndexedWords& a, std::span<const std::uint64_t> b,
                                     const AlignOptions& options) {
  return FragmentFinder(a, b, shared_grams(a.grams, b, options), options).find();
}

std::vector<Fragment> find_fragments(const IndexedWords& a, const ClassFilter& a_classes,
                                     const NumberedWords& b, const AlignOptions& options) {
  return FragmentFinder(a, b, shared_grams(a.grams, a_classes, b, options), options).find();
}

}  // namespace akin
