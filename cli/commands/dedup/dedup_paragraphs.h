// `akin dedup --by paragraph`: repeated parts of texts are left out.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "cli/commands/dedup/dedup_input.h"
#include "cli/dedup/line_text.h"
#include "dict/dictionary.h"

namespace akin::cli {

struct ParagraphTally {
  std::uint64_t read = 0, kept = 0, changed = 0;  ///< documents
  std::uint64_t pieces = 0, repeated = 0;
  std::uint64_t words_read = 0, words_kept = 0;  ///< dedup::count_words
  std::uint64_t refused = 0;                     ///< lines that are not documents
};

/// Leaves out each piece of a text that has the words of an earlier piece, in their order: forms of a word
/// are equal, and so are spellings that text rules fold. Two different pieces are taken for equal with a
/// probability of 2^-128. Memory: about 40 bytes for each different piece. One thread calls it; all cores
/// read words.
class ParagraphFilter {
 public:
  /// `least_words`: pieces of fewer words stay.
  ParagraphFilter(std::shared_ptr<const Dictionary> dictionary, dedup::Cut cut, std::uint64_t least_words)
      : dictionary_(std::move(dictionary)), cut_(cut), least_words_(least_words) {}

  /// Reads lines of JSON, and writes them to `out`: unchanged if nothing of them is left out, else with the
  /// rest of the text. A document whose words are all left out is dropped. Without `out`, the pieces are only
  /// remembered, and nothing is counted. Errors: those of reading and writing; unsupported (stopped).
  [[nodiscard]] Result<void> filter(const DedupSource& source, const std::filesystem::path* out);

  [[nodiscard]] const ParagraphTally& tally() const noexcept { return tally_; }
  /// The first Input::kMostTold lines that are not documents.
  [[nodiscard]] const std::vector<Error>& reported() const noexcept { return reported_; }

 private:
  using Digest = std::array<std::uint64_t, 2>;
  struct HashOfDigest {
    std::size_t operator()(const Digest& digest) const noexcept { return digest[0]; }
  };
  struct Piece {
    std::string_view text;
    std::optional<Digest> digest;  ///< nothing: too short
  };
  struct Line;

  [[nodiscard]] Result<void> read_pieces(std::vector<Line>& lines) const;
  /// The rest of a text, nothing if it is dropped.
  [[nodiscard]] std::optional<std::string> rest_of(const Line& line);

  const std::shared_ptr<const Dictionary> dictionary_;
  const dedup::Cut cut_;
  const std::uint64_t least_words_;
  std::unordered_set<Digest, HashOfDigest> seen_;
  ParagraphTally tally_;
  std::vector<Error> reported_;
};

}  // namespace akin::cli
