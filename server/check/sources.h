// The sources of a check: the order in which they are listed, and their aligned passages.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "index/search/stored_matches.h"
#include "server/check/engine.h"

namespace akin::check {

/// Sorts sources as Outcome::sources has them, and leaves as many.
void keep_best(std::vector<Source>& sources, std::size_t most);

/// Sets passages_total, and leaves the passages that are named.
void name_passages(Source& source);

/// The passages that a text shares with documents of one collection. All that a check decides by is found for
/// every document; where passages lie in the documents, and their changes, only for those that are listed.
class SourcePassages {
 public:
  /// Views both. `aligner`: null if the collection's texts are not aligned; nothing is done then.
  SourcePassages(const SearchedCollection& collection, const TextAligner* aligner) noexcept
      : collection_(collection), aligner_(aligner) {}

  /// The hits that follow are those of this tier.
  void begin(const SearchedTier& tier);
  /// What a search in the tier need not list; null if it has to list all that it finds.
  [[nodiscard]] RulesOut rules_out(const SearchedTier& tier) const;
  /// Sets the words of hits and their passages without their places in the documents, and takes each in its
  /// order. Requires begin. Errors: as WordCache::words, and of `take`.
  [[nodiscard]] Result<void> find(std::span<Hit> hits, const std::function<Result<void>(Hit)>& take);
  /// Completes the passages of those sources that the collection has, and cuts their excerpts. Errors: as
  /// show_match.
  [[nodiscard]] Result<void> show(std::vector<Source>& sources);

 private:
  /// Sets what is aligned of a source whose text is open; where its passages are.
  Result<std::vector<TextPlace>> align(Source& source, akin::StoredText& text);

  const SearchedCollection& collection_;
  const TextAligner* aligner_;
  std::optional<StoredMatcher> matcher_;
  KeptMatches matches_;
};

}  // namespace akin::check
