// Texts that have common text, such as a notice or the menu of a page: which of them may cover each other.
//
// Features that more than kCommonLimit texts have make no candidates, since n texts with one notice are
// n(n-1)/2 pairs. Instead each text is compared with the kept ones alone, by keys of its words
// (word_outline.h). It may lack so many of its words; of more than these, a covering text has the key of one.
// So kept texts are looked up by the keys of the rarest words, as by the prefixes of Bayardo, Ma, Srikant
// 2007, "Scaling up all pairs similarity search".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "cli/dedup/condition.h"
#include "cli/dedup/corpus.h"
#include "cli/dedup/key_lists.h"
#include "cli/dedup/word_outline.h"
#include "morph/schemes/tiers.h"

namespace akin::dedup {

/// Features that more texts have are common text.
inline constexpr std::uint64_t kCommonLimit = 100;

/// A text, and how many features it has in a tier, common or not.
struct TextSize {
  TextNumber number = 0;
  std::uint32_t features = 0;
};

/// One thread calls it.
class CommonTexts {
 public:
  /// Reads the outlines of texts, in their order.
  using ReadOutlines = std::function<Result<std::vector<WordOutline>>(std::span<const TextNumber>)>;

  /// `part`: a text may be covered if it has this part of its features in common with the covering one, all
  /// of them common text; of resemblance this holds for the smaller of both. `memory`: bytes for kept texts.
  CommonTexts(const Condition& condition, double part, ReadOutlines read, std::uint64_t memory);

  /// Adds a common feature of a tier, which these texts have. Features of a tier are added one after another.
  void add_feature(std::size_t tier, std::span<const TextSize> texts);
  [[nodiscard]] bool has(TextNumber text) const { return common_.contains(text); }

  /// Prepares texts that have common text, in the order of preference, for the members below. Errors: those
  /// of reading outlines.
  [[nodiscard]] Result<void> read(std::span<const TextNumber> texts);
  // These add all pairs of which the words allow that one text covers the other.
  /// Kept texts that may cover those read last.
  void find_kept(std::vector<Candidate>& found) const;
  /// Those read last that may cover later ones of them.
  void find_among_themselves(std::vector<Candidate>& found) const;
  /// Keeps some of the texts that were read last.
  void keep(const std::function<bool(TextNumber)>& is_kept);
  /// Whether the kept texts take all of the memory.
  [[nodiscard]] bool is_full() const noexcept {
    return bytes_ + by_key_.bytes() + by_rarest_.bytes() >= memory_;
  }
  /// Forgets the kept texts.
  void forget();

 private:
  /// What a text has in common with others.
  struct Common {
    std::array<std::uint32_t, kMaxTiers> features{};                 ///< all of the text
    std::array<std::vector<std::uint32_t>, kMaxTiers> of_tier = {};  ///< the common ones, by number
  };
  struct Text {
    TextNumber number = 0;
    WordOutline outline;
    const Common* common = nullptr;
  };
  struct Rarest;

  /// The words of a text whose keys the fewest texts of `lists` have: more than it may lack, and all others
  /// that at most `few` have.
  [[nodiscard]] Rarest rarest(const WordOutline& outline, const KeyLists& lists, std::size_t few) const;
  /// Numbers of kept texts.
  [[nodiscard]] std::vector<std::uint32_t> look_up(const Text& text) const;
  /// Calls find(at, offer) for each text read last, on all cores; offer(preferred) adds the pair if it may
  /// cover.
  template <class Find>
  void find_for_each(std::vector<Candidate>& found, const Find& find) const;
  [[nodiscard]] bool may_cover(const Text& preferred, const Text& other) const;

  const Condition condition_;
  const double part_;
  const ReadOutlines read_;
  const std::uint64_t memory_;
  std::unordered_map<TextNumber, Common> common_;
  std::array<std::uint32_t, kMaxTiers> added_{};  ///< common features
  std::vector<Text> texts_;                       ///< those read last
  std::vector<Text> kept_;
  KeyLists by_key_;          ///< kept texts
  KeyLists by_rarest_;       ///< of resemblance: those of which it is a key of the rarest words
  std::uint64_t bytes_ = 0;  ///< of the kept texts themselves
};

}  // namespace akin::dedup
