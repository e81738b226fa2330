// The outcome for each document of a corpus.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "cli/dedup/corpus.h"
#include "cli/dedup/selection.h"

namespace akin::dedup {

/// Why a document is dropped.
enum class Reason : std::uint8_t { none, equal, features, words };

/// "equal text", "features" or "words": what is shared with the kept document.
[[nodiscard]] std::string_view reason_name(Reason reason) noexcept;

struct Verdict {
  Reason reason = Reason::none;  ///< none: the document is kept
  std::uint32_t kept = 0;        ///< the document's own number, or that of the kept document that covers it
  double share = 1.0;            ///< by which it covers it

  [[nodiscard]] bool is_kept() const noexcept { return reason == Reason::none; }
};

/// A document of a finished selection.
[[nodiscard]] Verdict verdict_of(std::uint32_t document, const Corpus& corpus, const Selection& selection);

/// Counts of documents that were not known before.
struct Tally {
  std::uint64_t read = 0, kept = 0, near = 0, equal = 0;
  std::uint64_t words_read = 0, words_kept = 0;  ///< count_words
};
[[nodiscard]] Tally count(const Corpus& corpus, const std::vector<Verdict>& verdicts);

}  // namespace akin::dedup
