// Equal sentences of two texts, in whatever order the sentences are, and the words in them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/overlap/passages.h"
#include "morph/align/align.h"
#include "morph/align/word_sequence.h"

namespace akin::dedup {

struct SentencePlace {
  std::uint64_t hash = 0;  ///< Sentence::hash: two sentences of the same words are equal
  WordRange words;
};

/// The words of a text, all of which lie in its sentences.
struct SentencedWords {
  WordSequence words;
  std::vector<SentencePlace> sentences;
};

/// Errors as scan_text.
[[nodiscard]] Result<SentencedWords> read_sentences(std::string_view utf8, const Dictionary& dictionary);

/// A sentence of A and its equal in B.
struct EqualSentences {
  WordRange a, b;
};

/// In the order of B. Each sentence is in one pair at most, so of equal ones in A as many as B has.
[[nodiscard]] std::vector<EqualSentences> equal_sentences(std::span<const SentencePlace> a,
                                                          std::span<const SentencePlace> b);

/// The words of A and of B that lie in a passage of their alignment or in an equal sentence, each counted
/// once: `found` with larger `a` and `b`.
[[nodiscard]] MatchedWords with_sentences(MatchedWords found, const Alignment& alignment,
                                          std::span<const EqualSentences> equal);

}  // namespace akin::dedup
