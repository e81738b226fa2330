#include "cli/dedup/share_meter.h"

#include <algorithm>
#include <charconv>
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

/// The most words of a sample of a text: if clearly enough of them are shared, the rest is not counted.
constexpr std::size_t kSample = 32;

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

Result<void> ShareMeter::outline_texts(std::span<const Candidate> candidates) {
  if (outlined_ > most_outlined_) return {};
  std::vector<TextNumber> texts;
  for (const Candidate& one : candidates) {
    for (const TextNumber text : {one.preferred, one.other})
      if (!outlines_[text]) texts.push_back(text);
  }
  std::ranges::sort(texts);
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  return for_each_piece(texts.size(), [&](std::size_t begin, std::size_t end) -> Result<void> {
    AKIN_TRY(const auto snapshot, collection_.snapshot());
    for (std::size_t i = begin; i < end && outlined_ <= most_outlined_; ++i) {
      AKIN_TRY(const StoredDocument document, snapshot->document(index_id(texts[i])));
      AKIN_TRY(const auto words, words_.words(*snapshot, document, collection_.dictionary()));
      auto outline = std::make_unique<const WordOutline>(words->numbered());
      if ((outlined_ += outline->bytes()) <= most_outlined_) outlines_[texts[i]] = std::move(outline);
    }
    return {};
  });
}

bool ShareMeter::may_reach_least(const Candidate& candidate) const {
  const auto& preferred = outlines_[candidate.preferred];
  const auto& other = outlines_[candidate.other];
  if (!preferred || !other) return true;
  if (measure_ == Measure::containment) {
    const std::size_t step = other->words() / kSample + 1;
    const std::size_t sampled = (other->words() + step - 1) / step;
    const std::size_t found = other->at_most_in(*preferred, step);
    if (static_cast<double>(found) >= (1.0 + least_) / 2 * static_cast<double>(sampled)) return true;
  }
  MatchedWords most;
  most.a_words = most.a = preferred->words();
  most.b_words = other->words();
  most.b = other->at_most_in(*preferred);
  if (measure_ == Measure::resemblance && share_of(most) >= least_) most.a = preferred->at_most_in(*other);
  return share_of(most) >= least_;
}

Result<void> ShareMeter::drop_impossible(std::vector<Candidate>& candidates) {
  AKIN_CHECK(outline_texts(candidates));
  std::vector<std::uint8_t> may(candidates.size());
  AKIN_CHECK(for_each_piece(candidates.size(), [&](std::size_t begin, std::size_t end) -> Result<void> {
    for (std::size_t i = begin; i < end; ++i) may[i] = may_reach_least(candidates[i]) ? 1 : 0;
    return {};
  }));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < may.size(); ++i)
    if (may[i] != 0) candidates[kept++] = candidates[i];
  candidates.resize(kept);
  return {};
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
    if (share_of(at_most(of_preferred->numbered().size(), classes, words->numbered())) < least_) continue;
    if (!aligner) {
      AKIN_TRY(const std::string text, snapshot->text(index_id(candidate.preferred)));
      AKIN_TRY(SentencedWords read, read_sentences(text, dictionary));
      sentences = std::move(read.sentences);
      AKIN_TRY(aligner, TextAligner::of(text, std::move(read.words), collection_.shared_dictionary()));
    }
    const TextMatch match = aligner->match(*words);
    shares[i] = share_of(match.words);
    if (shares[i] >= least_) continue;
    AKIN_TRY(const std::string text, snapshot->text(other));
    AKIN_TRY(const SentencedWords read, read_sentences(text, dictionary));
    shares[i] =
        share_of(with_sentences(match.words, match.alignment, equal_sentences(sentences, read.sentences)));
  }
  return {};
}

}  // namespace akin::dedup
