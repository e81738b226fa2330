// Alignment of one text with stored ones: the passages that both share, word by word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/codec/packed_words.h"
#include "index/codec/stored_text.h"
#include "index/overlap/passages.h"
#include "index/search/coded_text.h"
#include "morph/align/align.h"

namespace akin {

/// One change within a passage, in code points of the original texts; see WordChange.
struct TextChange {
  ChangeKind kind = ChangeKind::inserted;
  TextRange a, b;
};

struct AlignedText {
  /// By a.begin, then b.begin; their `words` are set, their `changes` if they are counted, and not their
  /// `features`.
  std::vector<Passage> passages;
  MatchedWords words;
  std::vector<std::vector<TextChange>> changes;  ///< those of each passage, if they are listed
  std::vector<TextRange> b_bytes;  ///< where each passage is in the bytes of B, if that is a stored text
};

/// What two texts share, without what is shown of it.
struct TextMatch {
  MatchedWords words;
  Alignment alignment;

  /// The matched words of A in each passage, ascending, without overlaps.
  [[nodiscard]] std::vector<std::vector<WordRange>> passages() const;
};

/// How much is said of the changes within passages. Listed changes are also counted.
enum class ChangeDetail : std::uint8_t { none, counted, listed };

/// What B shares with A. Errors: as scan_text.
[[nodiscard]] Result<AlignedText> align_texts(std::string_view a, std::string_view b,
                                              std::shared_ptr<const Dictionary> dictionary,
                                              ChangeDetail detail = ChangeDetail::counted);

/// The seeds that one scheme makes of a text (Scheme::finds_passages).
struct TextSeeds {
  std::span<const TextRange> ranges;
  std::span<const Feature> features;  ///< of the ranges
  std::uint64_t shape = 0;            ///< Scheme::seed_shape
};

/// Const members may be called from any number of threads at once.
class TextAligner {
 public:
  /// `words`: those of the text that are to be aligned. `seeds`: those by which `match` leaves texts out; of
  /// none it leaves none out. Error: as AlignOptions::check.
  [[nodiscard]] static Result<std::shared_ptr<const TextAligner>> of(
      std::string_view text, WordSequence words, std::shared_ptr<const Dictionary> dictionary,
      const AlignOptions& options = {}, TextSeeds seeds = {});

  TextAligner(std::string_view text, WordSequence words, std::shared_ptr<const Dictionary> dictionary,
              const AlignOptions& options, TextSeeds seeds)
      : text_(text),
        a_(std::move(words)),
        dictionary_(std::move(dictionary)),
        aligner_(a_, options, WordWeights(text_, a_)),
        seeds_(seeds_of(seeds, places_)) {}
  TextAligner(const TextAligner&) = delete;
  TextAligner& operator=(const TextAligner&) = delete;

  [[nodiscard]] const Dictionary& dictionary() const noexcept { return *dictionary_; }
  /// Whether it was given seeds that have their places in the text.
  [[nodiscard]] bool has_seeds() const noexcept { return seeds_.has_value(); }
  /// Words of the text.
  [[nodiscard]] std::size_t words() const noexcept { return a_.classes.size(); }

  /// Their classes.
  [[nodiscard]] std::span<const std::uint64_t> classes() const noexcept { return a_.classes; }
  /// Their weights.
  [[nodiscard]] const WordWeights& weights() const noexcept { return aligner_.weights(); }
  /// Words of the text that lie in at least one of the ranges.
  [[nodiscard]] std::uint64_t words_in(std::vector<TextRange> ranges) const;

  /// The features of this text whose words weigh one word or less (WordWeights), such as pairs of numbers:
  /// ascending, each once. None if all of its features are such: then they are what the text says.
  [[nodiscard]] std::vector<Feature> slight_features(const FeatureSequence& features) const;

  /// What this text and one with the words `b` share. Nothing, if `near_seeds` and no passage lies near a
  /// seed of this text (Seeds::near_passage). Time: linear in `b`.
  [[nodiscard]] TextMatch match(const PackedWords& b, bool near_seeds = true) const;
  /// Whether a passage may lie near a seed of this text; true if it has no seeds.
  [[nodiscard]] bool may_share(const PackedWords& b) const;
  /// The same by the codes of the other text's words (CodedText::may_share). `shared`: the seeds that it
  /// shares with this text; of none it is asked whether it does.
  [[nodiscard]] bool may_share_by_codes(std::string_view b, std::span<const Feature> shared = {}) const;

  /// Aligns the text with another one. Time: linear in `b`. Errors: as scan_text.
  [[nodiscard]] Result<AlignedText> align(std::string_view b,
                                          ChangeDetail detail = ChangeDetail::counted) const;
  /// The same for a text whose words were read already: only the parts of `b` that lie in passages are read.
  /// Errors: as StoredText::read.
  [[nodiscard]] Result<AlignedText> align(StoredText& b, const PackedWords& words,
                                          ChangeDetail detail = ChangeDetail::counted) const;
  /// The passages of an alignment as A has them: without their place in B and their changes.
  [[nodiscard]] std::vector<Passage> outline(const Alignment& found) const;
  /// Aligns as the others do after `match`, which found this in `words`.
  [[nodiscard]] Result<AlignedText> describe(Alignment found, StoredText& b, const PackedWords& words,
                                             ChangeDetail detail = ChangeDetail::counted) const;

 private:
  /// The first word of each seed, by its feature.
  using SeedPlaces = std::vector<std::pair<Feature, std::uint32_t>>;
  /// Nothing if there are none, or if one of them is not of as many words as the shape. Sets `by_feature`.
  [[nodiscard]] std::optional<Seeds> seeds_of(const TextSeeds& seeds, SeedPlaces& by_feature) const;
  /// The words of the text that lie in a range.
  [[nodiscard]] WordRange words_of(TextRange range) const;
  /// The passage as A has it.
  [[nodiscard]] Passage outline(const AlignedPassage& one) const;
  /// Adds a passage with its changes; `b`: the text, and its words as the passage counts them.
  void add_passage(const AlignedPassage& one, const WrittenWords& b, ChangeDetail detail,
                   AlignedText& aligned) const;

  const std::string text_;
  const WordSequence a_;
  const std::shared_ptr<const Dictionary> dictionary_;
  const Aligner aligner_;
  SeedPlaces places_;  ///< ascending
  const std::optional<Seeds> seeds_;
  mutable std::once_flag is_coded_;
  mutable std::optional<CodedText> coded_;  ///< once it is asked for
};

}  // namespace akin
