// The words of a text, packed for caches and stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "morph/align/word_sequence.h"
#include "morph/words/scanner.h"

namespace akin {

class GramPlaces;
class GramSample;

/// Words in 6 to 7 bytes each instead of 24: classes by number, places by the distance from the word before.
class PackedWords {
  class Packer;

 public:
  /// Packs the words of a text as they are read, in a pass that others share.
  class Reader final : public SentenceSink {
   public:
    /// `text_bytes`: of the text that has the words.
    explicit Reader(std::size_t text_bytes);
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() override;
    [[nodiscard]] SentenceDetail needs() const override { return SentenceDetail::classes; }
    void on_sentence(const Sentence& sentence) override;
    /// Nothing may be read afterwards.
    [[nodiscard]] PackedWords take();

   private:
    std::unique_ptr<Packer> packer_;
  };

  /// The words of a text, packed as they are read: a long text is read in parts, on all cores. Errors: as
  /// scan_text.
  [[nodiscard]] static Result<PackedWords> of(std::string_view utf8, const Dictionary& dictionary);

  explicit PackedWords(const WordSequence& words);

  /// As bytes, to be stored (docs/index-format.md); made on all cores. Error: as compress_bytes.
  [[nodiscard]] Result<std::string> encode() const;
  /// The words of such bytes, of a text of `text_bytes` bytes; nothing if they are not those of one.
  [[nodiscard]] static std::optional<PackedWords> decode(std::string_view bytes, std::uint64_t text_bytes);

  /// The words that were packed.
  [[nodiscard]] WordSequence unpacked() const;
  /// Those of a stretch. Time: linear in it. Their places are those of the text only if they were packed from
  /// it: decode checks that they can be read, not that they are true.
  [[nodiscard]] WordSequence unpacked(WordRange stretch) const;
  /// Their classes. Must not outlive this object.
  [[nodiscard]] NumberedWords numbered() const noexcept { return {classes_, words_}; }
  /// Where its grams of a shape are, made when they are asked for first and kept; null for a text of few
  /// words, and for another shape than the first one. Must not outlive this object. Thread-safe.
  [[nodiscard]] const GramPlaces* grams_of(std::uint64_t shape) const;
  /// Those that say whether another text is the same work; of a long text kept once they are made.
  /// Thread-safe.
  [[nodiscard]] std::shared_ptr<const GramSample> gram_sample() const;
  /// The memory that it takes, with its grams whether they are made or not.
  [[nodiscard]] std::size_t bytes() const noexcept;
  /// Whether both are the same words in the same places. Time: linear.
  [[nodiscard]] bool is_same(const PackedWords& other) const;

 private:
  /// Where a word begins in places_, and where the word before it ends; the first of a part counts from 0.
  struct Milestone {
    std::size_t at = 0;
    std::uint32_t word = 0;
    std::uint32_t range_end = 0, bytes_end = 0;
  };
  static constexpr std::uint32_t kMilestone = 1024;

  struct Grams;
  /// A text of fewer words is read as fast as what would be kept of its grams.
  [[nodiscard]] bool keeps_grams() const noexcept;

  PackedWords();
  /// Whether every stretch can be unpacked.
  [[nodiscard]] bool are_readable() const noexcept;
  /// Joins the words of a text's parts; frees each part once it is copied.
  [[nodiscard]] static PackedWords joined(std::vector<PackedWords> parts);

  std::vector<std::uint64_t> classes_;  ///< by number, as they first occur
  std::vector<std::uint32_t> words_;    ///< the numbers of their classes
  /// For each word: varint(distance from the end of the word before in code points, zigzag, doubled; +1 if
  /// that in bytes differs), if so varint(the difference, zigzag), then varint(length in code points times 4
  /// plus a LengthKind), and for LengthKind::other varint(bytes minus code points, zigzag).
  std::string places_;
  std::vector<Milestone> milestones_;  ///< of each word whose index in its part is a multiple of kMilestone
  std::shared_ptr<Grams> grams_;
};

}  // namespace akin
