// Reads the texts and feature sequences of documents, on every server of a store.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "index/pg/connection.h"
#include "index/pg/feature_window.h"
#include "index/pg/names.h"
#include "index/pg/parts.h"
#include "index/pg/posting_reader.h"
#include "index/sequence_codec.h"

namespace akin::pg {

/// Reads the content of documents that the transaction of a connection to the store's own database sees. One
/// thread. Errors of all members also: corrupt.
class ContentReader {
 public:
  /// All must outlive this. `all_postings`: the number that the store has.
  ContentReader(Connection& connection, const Parts& parts, StoreNumber store, const PostingReader& postings,
                std::uint64_t all_postings) noexcept
      : connection_(connection),
        parts_(parts),
        store_(store),
        postings_(postings),
        all_postings_(all_postings) {}

  /// A document's compressed text; empty if texts are not kept.
  [[nodiscard]] Result<std::string> text(std::int64_t number) const;
  /// A document's file as it is stored, in a store that keeps files.
  [[nodiscard]] Result<std::string> file(std::int64_t number) const;
  /// A document's sequence. Looks up its features' last bits among the postings.
  [[nodiscard]] Result<FeatureSequence> sequence(std::int64_t number) const;
  /// A document's sequence beside a query: exact where it shares features with it; elsewhere the hashes are
  /// ones that the query does not have. Looks up nothing if `x`, the number that they share, says which.
  [[nodiscard]] Result<FeatureSequence> sequence_beside(std::int64_t number, std::span<const Feature> query,
                                                        std::optional<std::uint64_t> x) const;
  /// Reads the stored sequences of these documents together, which the calls for each of them then use once.
  /// Does nothing if the first one is here already.
  [[nodiscard]] Result<void> prefetch_sequences(const std::vector<std::int64_t>& numbers) const;
  /// Reads the whole sequences of these documents together, which the calls of `sequence` then use once. Does
  /// nothing if the first one is here already. Their ids are consecutive: after many such calls it reads the
  /// features of the documents with the next ids, too, in one pass over all postings (feature_window.h).
  [[nodiscard]] Result<void> prefetch_whole(const std::vector<std::int64_t>& numbers) const;

 private:
  struct Stored {
    std::size_t part = 0;
    std::string bytes;
  };
  /// A column of the documents' content.
  [[nodiscard]] Result<std::map<std::int64_t, Stored>> read(const std::string& column,
                                                            const std::vector<std::int64_t>& numbers) const;
  [[nodiscard]] Result<Stored> read_one(const std::string& column, std::int64_t number) const;
  [[nodiscard]] Result<Stored> take_sequence(std::int64_t number) const;
  /// The whole sequences. `only`: the part of all the documents, if it is known.
  [[nodiscard]] Result<std::map<std::int64_t, FeatureSequence>> complete(
      const std::map<std::int64_t, Stored>& contents, std::optional<std::size_t> only) const;

  Connection& connection_;
  const Parts& parts_;
  StoreNumber store_;
  const PostingReader& postings_;
  mutable std::map<std::int64_t, Stored> sequences_;       ///< prefetched
  mutable std::map<std::int64_t, FeatureSequence> whole_;  ///< prefetched
  std::uint64_t all_postings_;
  mutable std::uint64_t looked_up_ = 0;  ///< features
  mutable FeatureWindow window_;
};

}  // namespace akin::pg
