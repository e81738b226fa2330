// Exact runs of a short text's words in all stored ones, where no seed of the scheme need lie.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "index/search/text_aligner.h"
#include "index/store/store.h"

namespace akin {

/// Texts with more words are not searched for so: the time grows with them, and with chance.
inline constexpr std::size_t kMostRunWords = 500;
/// Nor is a collection with more bytes of texts: the time grows with them.
inline constexpr std::uint64_t kMostRunTexts = std::uint64_t{32} << 30U;

struct RunRequest {
  const SearchRequest& page;  ///< exclude and accept
  unsigned run = 0;           ///< fewest words of a run, at least 4
  /// If more documents than this have runs, about so many of them are wanted: those with the most improbable
  /// runs (RunBits), of equal ones those with the longest, of these those stored first. A word that more
  /// documents have in a run is common.
  std::optional<std::uint64_t> most;
};

struct RunsFound {
  std::uint64_t total = 0;                ///< documents with runs, whether the page excludes them or not
  std::uint64_t common = 0;               ///< words of the text that are common
  std::vector<StoredDocument> documents;  ///< by the bytes of their texts, then by id
};

/// The documents whose texts have runs of the words of the aligner's text, at most kMostRunWords, and by
/// chance a few more: alignment says which. Reads the codes of all words in the collection, a byte each; of a
/// text whose codes are not kept its words. Errors: as Snapshot::all_kept_words and WordCache::words; those
/// of check_work.
[[nodiscard]] Result<RunsFound> find_runs(const Snapshot& snapshot, const TextAligner& aligner,
                                          const RunRequest& request);

}  // namespace akin
