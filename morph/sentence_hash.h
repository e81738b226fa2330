#pragma once

#include <cstdint>

#include "morph/scanner.h"

namespace akin {

/// SH: the sum of the words' class hashes, modulo 2^64. It does not depend on the words' order.
[[nodiscard]] inline std::uint64_t sentence_hash(const Sentence& sentence) noexcept {
  std::uint64_t sum = 0;
  for (const Word& word : sentence.words) sum += word.lemma_class.hash;
  return sum;
}

}  // namespace akin
