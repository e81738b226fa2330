// What stored texts share with a query, found one after another and kept until it is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "index/search/text_aligner.h"
#include "index/search/word_cache.h"
#include "index/store/store.h"

namespace akin {

/// Rules out a text if the codes that are kept of its words say that it has no passage near a seed that it
/// shares with the aligner's text. Null if that has no seeds. Views the aligner.
[[nodiscard]] RulesOut without_passages(const TextAligner& aligner);

/// Matches the texts of hits with a query. A text of the same words as the one before it, as a copy has, is
/// compared with that one only.
class StoredMatcher {
 public:
  /// Views both. `near_seeds`: a text without a passage near a seed of the query (Seeds::near_passage) shares
  /// nothing.
  StoredMatcher(const Snapshot& snapshot, const TextAligner& aligner, bool near_seeds = true) noexcept
      : snapshot_(snapshot), aligner_(aligner), near_seeds_(near_seeds) {}

  /// Also sets the hit's words, without their bits. Texts of the same words may have the same match. Errors:
  /// as WordCache::words.
  [[nodiscard]] Result<std::shared_ptr<const TextMatch>> match(Hit& hit);
  /// The same for each of these hits: calls visit(hit, match) in their order, until an error. They are
  /// matched on this thread, and on those that share its place (WorkPlace::share).
  using Visit = std::function<Result<void>(Hit& hit, std::shared_ptr<const TextMatch> match)>;
  [[nodiscard]] Result<void> match_each(std::span<Hit> hits, const Visit& visit);

 private:
  /// The matches of the first few of the hits, at least one.
  Result<std::vector<std::shared_ptr<const TextMatch>>> match_first(std::span<Hit> hits);

  const Snapshot& snapshot_;
  const TextAligner& aligner_;
  bool near_seeds_;
  WordCache::Series texts_;
  std::shared_ptr<const TextMatch> last_match_;
};

/// Matches of documents, by their numbers, in bounded memory: what does not fit is not kept.
class KeptMatches {
 public:
  void keep(std::uint64_t document, std::shared_ptr<const TextMatch> match);
  /// Null if it was not kept.
  [[nodiscard]] std::shared_ptr<const TextMatch> take(std::uint64_t document);

 private:
  std::size_t room_ = std::size_t{1} << 18U;  ///< for fragments, of 12 bytes; a passage takes eight more
  std::unordered_map<std::uint64_t, std::shared_ptr<const TextMatch>> kept_;
};

/// What a text and a stored document share, whose text is open. `found`: their match, or null, and then the
/// document's text is aligned. Errors: as StoredText::read and WordCache::words.
[[nodiscard]] Result<AlignedText> aligned_match(const Snapshot& snapshot, const TextAligner& aligner,
                                                const StoredDocument& document, StoredText& text,
                                                const std::shared_ptr<const TextMatch>& found,
                                                ChangeDetail detail);

/// Sets the hit's words and passages, with their changes. `found`: its match, or null, and then its text is
/// aligned. Errors: as Snapshot::text and WordCache::words.
[[nodiscard]] Result<void> show_match(const Snapshot& snapshot, const TextAligner& aligner, Hit& hit,
                                      const std::shared_ptr<const TextMatch>& found);

}  // namespace akin
