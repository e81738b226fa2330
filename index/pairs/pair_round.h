// One round of all pairs: keeps the lists with a document of a range in memory, and finds in them the
// partners of each document of the range.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index/pairs/pair_survey.h"

namespace akin {

/// Document numbers are below this: one bit of a word is reserved for marks.
inline constexpr std::uint64_t kMaxPairsDocuments = std::uint64_t{1} << 31;

/// A wanted pair; a < b.
struct WantedPair {
  std::uint32_t a = 0, b = 0, x = 0;
};

/// Counters of one thread, one for each document; all zero between uses.
struct PairCounters {
  explicit PairCounters(std::size_t documents) : counts(documents), touched(documents) {}
  std::vector<std::uint32_t> counts;   ///< of features shared with the document at work
  std::vector<std::uint32_t> touched;  ///< the documents whose count is not zero, in front
  std::vector<std::uint32_t> candidates;
  static constexpr std::uint64_t kBytesPerDocument = 3 * sizeof(std::uint32_t);
};

/// Finds the partners b > a of each document a of a range [first, last). Begin, add every set of at least two
/// documents (level_lists.h), seal, then request partners, from any number of threads.
///
/// Each list is split into the documents that have it in their prefix and the others. A document gets the
/// places after itself in the parts that generate candidates (its sums) and in those that do not (its rests).
/// Partners: count through all sums; drop the documents that could not satisfy the condition even if they
/// shared all that was not counted; finish the others by walking through the rests, or by looking the
/// candidates up in them, whichever is shorter.
class PairRound {
 public:
  /// All that a round keeps lies in `arena`. Arena, survey and condition must outlive the round.
  PairRound(const PairSurvey& survey, const PairCondition& condition, std::span<std::uint32_t> arena)
      : survey_(survey), condition_(condition), arena_(arena.first(std::min(arena.size(), kMaxWords))) {}

  /// Begins a round. Requires first < last.
  void begin(std::uint32_t first, std::uint32_t last);

  /// Adds a set. When the arena is full, the range is shortened and the data that it no longer needs is
  /// dropped; false if it would become shorter than `shortest` documents (at least 1): the round is then
  /// lost.
  [[nodiscard]] bool add(std::uint32_t weight, std::span<const DocNumber> documents, std::uint32_t shortest);

  /// Call it when all sets of the store have been added.
  void seal();

  [[nodiscard]] std::uint32_t first() const noexcept { return first_; }
  [[nodiscard]] std::uint32_t last() const noexcept { return last_; }
  /// Words of the arena that the round needs so far.
  [[nodiscard]] std::size_t words() const noexcept;

  /// Appends the wanted pairs {a, b}, b > a, b ascending. Requires a sealed round and a document of its
  /// range.
  void partners(std::uint32_t a, PairCounters& counters, std::vector<WantedPair>& found) const;

 private:
  // Lists, one after another from the arena's start:
  //   plain:  weight                       documents, the last one marked
  //   split:  weight | kSplit, n, m        n documents with it in their prefix, m others, each part's last
  //   one
  //                                        marked
  // After them, once sealed: for each document of the range the start of its sums and of its rests; the sums
  // (place, weight); the rests (place, end, weight). Places are indices into the arena.
  static constexpr std::uint32_t kSplit = 0x80000000U;
  static constexpr std::uint32_t kLast = 0x80000000U;  ///< marks a part's last document
  static constexpr std::size_t kMaxWords = 0xffffffffU;
  static constexpr std::uint32_t kSumWords = 2, kRestWords = 3;

  struct List {
    std::uint32_t weight = 0;
    std::uint32_t prefix = 0, prefix_end = 0;  ///< part of the documents with it in their prefix
    std::uint32_t others = 0, others_end = 0;
  };

  [[nodiscard]] std::uint32_t document(std::size_t at) const noexcept { return arena_[at] & ~kLast; }
  /// Reads the list at `at` and moves past it.
  [[nodiscard]] List read_list(std::size_t& at) const noexcept;
  /// Appends a list.
  void write_plain(std::uint32_t weight, std::span<const DocNumber> documents);
  void write_split(std::uint32_t weight, std::span<const DocNumber> documents, unsigned band);
  /// Calls sum(document, place) and rest(document, place, end) for the documents of the range, as their
  /// tables will hold them.
  template <class Sum, class Rest>
  void for_each_place(const List& list, Sum&& sum, Rest&& rest) const;
  void count_places(const List& list);
  void shorten(std::uint32_t last);

  void finish(std::uint32_t a, PairCounters& counters) const;

  const PairSurvey& survey_;
  const PairCondition& condition_;
  std::span<std::uint32_t> arena_;
  std::uint32_t first_ = 0, last_ = 0;
  std::size_t end_ = 0;  ///< of the lists
  std::size_t sums_ = 0, rests_ = 0;
  std::size_t sum_begins_ = 0, rest_begins_ = 0;  ///< positions of the tables of starts, once sealed
};

}  // namespace akin
