#include <array>
#include <cstring>
#include <optional>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "cli/dedup/text_cutter.h"
#include "morph/align/word_sequence.h"

namespace akin::dedup {

namespace {

using Digest = std::array<std::uint64_t, 2>;

struct HashOfDigest {
  std::size_t operator()(const Digest& digest) const noexcept { return digest[0]; }
};

struct Piece {
  std::string_view text;
  std::optional<Digest> digest;  ///< nothing: too short
};

Digest digest_of(const std::vector<std::uint64_t>& classes) {
  const Sha256 whole =
      sha256({reinterpret_cast<const char*>(classes.data()), classes.size() * sizeof(std::uint64_t)});
  Digest digest;
  std::memcpy(digest.data(), whole.data(), sizeof digest);
  return digest;
}

class PieceCutter final : public TextCutter {
 public:
  PieceCutter(std::shared_ptr<const Dictionary> dictionary, Cut cut, std::size_t least_words)
      : dictionary_(std::move(dictionary)), cut_(cut), least_words_(least_words) {}

  Result<std::function<TextRest()>> read(std::string_view text) override {
    std::vector<Piece> pieces;
    for (const std::string_view piece : cut_text(text, cut_)) {
      AKIN_TRY(const WordSequence words, read_words(piece, *dictionary_));
      const bool is_short = words.classes.size() < least_words_;
      pieces.push_back({piece, is_short ? std::nullopt : std::optional(digest_of(words.classes))});
    }
    return std::function<TextRest()>([this, pieces = std::move(pieces)] { return rest_of(pieces); });
  }

 private:
  TextRest rest_of(const std::vector<Piece>& pieces) {
    TextRest rest{{}, pieces.size(), 0};
    for (const Piece& piece : pieces) {
      if (piece.digest && !seen_.insert(*piece.digest).second) {
        ++rest.repeated;
      } else {
        rest.text += piece.text;
      }
    }
    return rest;
  }

  const std::shared_ptr<const Dictionary> dictionary_;
  const Cut cut_;
  const std::size_t least_words_;
  std::unordered_set<Digest, HashOfDigest> seen_;
};

}  // namespace

std::unique_ptr<TextCutter> cutter_of_pieces(std::shared_ptr<const Dictionary> dictionary, Cut cut,
                                             std::size_t least_words) {
  return std::make_unique<PieceCutter>(std::move(dictionary), cut, least_words);
}

}  // namespace akin::dedup
