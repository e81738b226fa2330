#include "cli/dedup/share_meter.h"

#include <algorithm>
#include <charconv>
#include <memory>
#include <optional>
#include <utility>

#include "base/key_set.h"
#include "base/parallel.h"
#include "cli/dedup/shared_sentences.h"
#include "index/codec/packed_words.h"
#include "index/search/text_aligner.h"

namespace akin::dedup {

namespace {

/// Consecutive candidates often have the same preferred text, whose aligner is made once for a piece.
constexpr std::size_t kPiece = 64;

/// No alignment matches more words than these: all of A, and those of B that are in A.
MatchedWords at_most(std::size_t a_words, const KeySet& in_a, const NumberedWords& b) {
  MatchedWords most;
  most.a = most.a_words = a_words;
  most.b_words = b.size();
  for (std::size_t word = 0; word < b.size(); ++word) most.b += in_a.has(b[word]) ? 1 : 0;
  return most;
}

/// Calls work(begin, end) for pieces of [0, count), on all cores; the first error in their order.
template <class Work>
Result<void> for_each_piece(std::size_t count, const Work& work) {
  std::vector<std::optional<Error>> failures((count + kPiece - 1) / kPiece);
  for_each_index(failures.size(), [&](std::size_t piece) {
    const auto done = work(piece * kPiece, std::min(count, (piece + 1) * kPiece));
    if (done.has_error()) failures[piece] = done.error();
  });
  for (const auto& failure : failures)
    if (failure) return *failure;
  return {};
}

}  // namespace

std::string index_id(TextNumber text) {
  constexpr std::size_t kDigits = 10;
  const std::string digits = std::to_string(text);
  return std::string(kDigits - digits.size(), '0') + digits;
}

TextNumber text_of_id(std::string_view id) {
  TextNumber text = 0;
  std::from_chars(id.data(), id.data() + id.size(), text);
  return text;
}

Result<std::vector<double>> ShareMeter::measure(std::span<const Candidate> candidates) {
  std::vector<double> shares(candidates.size());
  AKIN_CHECK(for_each_piece(candidates.size(), [&](std::size_t begin, std::size_t end) {
    return measure_some(candidates.subspan(begin, end - begin),
                        std::span(shares).subspan(begin, end - begin));
  }));
  return shares;
}

Result<std::vector<WordOutline>> ShareMeter::outlines(std::span<const TextNumber> texts) {
  std::vector<std::optional<WordOutline>> made(texts.size());
  AKIN_CHECK(for_each_piece(texts.size(), [&](std::size_t begin, std::size_t end) -> Result<void> {
    AKIN_TRY(const auto snapshot, collection_.snapshot());
    for (std::size_t i = begin; i < end; ++i) {
      AKIN_TRY(const std::string text, snapshot->text(index_id(texts[i])));
      AKIN_TRY(const SentencedWords words, read_sentences(text, collection_.dictionary()));
      made[i].emplace(words);
    }
    return {};
  }));
  std::vector<WordOutline> outlines;
  outlines.reserve(made.size());
  for (auto& outline : made) outlines.push_back(*std::move(outline));
  return outlines;
}

Result<void> ShareMeter::measure_some(std::span<const Candidate> candidates, std::span<double> shares) {
  AKIN_TRY(const auto snapshot, collection_.snapshot());
  const Dictionary& dictionary = collection_.dictionary();
  std::optional<TextNumber> preferred;
  std::shared_ptr<const PackedWords> of_preferred;
  KeySet classes;
  std::shared_ptr<const TextAligner> aligner;  // of `preferred`; null until a pair may share enough
  std::vector<SentencePlace> sentences;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& candidate = candidates[i];
    if (preferred != candidate.preferred) {
      AKIN_TRY(const StoredDocument document, snapshot->document(index_id(candidate.preferred)));
      AKIN_TRY(of_preferred, words_.words(*snapshot, document, dictionary));
      preferred = candidate.preferred;
      classes = KeySet(of_preferred->numbered().classes());
      aligner = nullptr;
    }
    AKIN_TRY(const StoredDocument other, snapshot->document(index_id(candidate.other)));
    AKIN_TRY(const auto words, words_.words(*snapshot, other, dictionary));
    if (condition_.share_of(at_most(of_preferred->numbered().size(), classes, words->numbered())) <
        condition_.least)
      continue;
    if (!aligner) {
      AKIN_TRY(const std::string text, snapshot->text(index_id(candidate.preferred)));
      AKIN_TRY(SentencedWords read, read_sentences(text, dictionary));
      sentences = std::move(read.sentences);
      AKIN_TRY(aligner, TextAligner::of(text, std::move(read.words), collection_.shared_dictionary()));
    }
    const TextMatch match = aligner->match(*words);
    shares[i] = condition_.share_of(match.words);
    if (shares[i] >= condition_.least) continue;
    AKIN_TRY(const std::string text, snapshot->text(other));
    AKIN_TRY(const SentencedWords read, read_sentences(text, dictionary));
    shares[i] = condition_.share_of(
        with_sentences(match.words, match.alignment, equal_sentences(sentences, read.sentences)));
  }
  return {};
}

}  // namespace akin::dedup
