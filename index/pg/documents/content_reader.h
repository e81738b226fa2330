// Reads the texts and feature sequences of documents.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "index/codec/feature_counts.h"
#include "index/codec/sequence_codec.h"
#include "index/codec/stored_text.h"
#include "index/pg/client/look_ups.h"
#include "index/pg/documents/directory.h"
#include "index/pg/postings/feature_window.h"
#include "index/pg/postings/posting_reader.h"
#include "index/pg/tables/names.h"

namespace akin::pg {

/// Reads the content of documents that a transaction sees. One thread. Errors of all members also: corrupt.
class ContentReader {
 public:
  /// What sequences are completed or derived by.
  struct Sources {
    const PostingReader& postings;
    const DeriveFeatures* derive = nullptr;  ///< null: sequences that follow from texts cannot be read
    std::uint64_t all_postings = 0;          ///< of the store
  };
  /// All must outlive this.
  ContentReader(LookUps& look_ups, StoreNumber store, const Sources& sources) noexcept
      : look_ups_(look_ups),
        store_(store),
        postings_(sources.postings),
        derive_(sources.derive),
        all_postings_(sources.all_postings) {}

  /// A document's text as it is stored; empty if texts are not kept.
  [[nodiscard]] Result<std::string> text(std::int64_t number) const;
  /// The same, to be read in slices by what lives no longer than this.
  [[nodiscard]] Result<StoredBytes> open_text(std::int64_t number) const;
  /// Reads the stored texts of these documents together, for the calls for each of them until the next such
  /// call. Does nothing if the first one is here already, or alone.
  [[nodiscard]] Result<void> prefetch_texts(const std::vector<std::int64_t>& numbers) const;
  /// What is kept of the words of a document's text, in a store that may keep them; empty if nothing is.
  [[nodiscard]] Result<std::string> words(std::int64_t number) const;
  /// What is kept of the words of these documents, unless it is longer than codes of words are.
  [[nodiscard]] Result<std::map<std::int64_t, std::string>> short_words(
      const std::vector<std::int64_t>& numbers) const;
  /// A document's file as it is stored, in a store that keeps files.
  [[nodiscard]] Result<std::string> file(std::int64_t number) const;
  /// A document's sequence. Derives it from the text, or looks up its features' last bits among the postings.
  /// Error also: unsupported (it is derived, and there is nothing to derive by).
  [[nodiscard]] Result<FeatureSequence> sequence(const TextOf& document) const;
  /// A document's sequence beside a query: exact where it shares features with it; elsewhere the hashes are
  /// ones that the query does not have. Looks up nothing if `x`, the number that they share, says which.
  [[nodiscard]] Result<FeatureSequence> sequence_beside(const TextOf& document,
                                                        std::span<const Feature> query,
                                                        std::optional<std::uint64_t> x) const;
  /// How many of the features, each at most as often as its count, a document has.
  [[nodiscard]] Result<std::uint64_t> count_shared(std::int64_t number,
                                                   const std::vector<FeatureCount>& features) const;
  /// Whether count_shared looks up nothing, as the features have been looked up.
  [[nodiscard]] bool has_looked_up(const std::vector<FeatureCount>& features) const;
  /// Reads the stored sequences of these documents together, as prefetch_texts, and texts that they follow
  /// from.
  [[nodiscard]] Result<void> prefetch_sequences(const std::vector<std::int64_t>& numbers) const;
  /// Reads the whole sequences of these documents together, which the calls of `sequence` then use once. Does
  /// nothing if the first one is here already. Their ids are consecutive: after many such calls it reads the
  /// features of the documents with the next ids, too, in one pass over all postings (feature_window.h).
  [[nodiscard]] Result<void> prefetch_whole(const std::vector<TextOf>& documents) const;

 private:
  /// A column of the documents' content, by their numbers.
  [[nodiscard]] Result<std::map<std::int64_t, std::string>> read(
      const std::string& column, const std::vector<std::int64_t>& numbers) const;
  [[nodiscard]] Result<std::string> read_one(const std::string& column, std::int64_t number) const;
  struct Slice {
    std::uint64_t of = 0;  ///< bytes in all
    Rows rows;             ///< that have the bytes
    std::string_view bytes;
  };
  /// A column of a document.
  struct Column {
    std::string name;
    std::int64_t number = 0;
  };
  /// Some bytes of a column, as many as there are.
  [[nodiscard]] Result<Slice> read_slice(const Column& column, std::uint64_t begin,
                                         std::uint64_t bytes) const;
  /// Adds the bytes [begin, end) of a column, of which there are as many.
  [[nodiscard]] Result<void> add_slices(const Column& column, std::uint64_t begin, std::uint64_t end,
                                        std::string& to) const;
  [[nodiscard]] Result<std::string> stored_sequence(std::int64_t number) const;
  /// Reads the texts that stored sequences follow from.
  [[nodiscard]] Result<void> prefetch_derived_from(
      const std::map<std::int64_t, std::string>& sequences) const;
  [[nodiscard]] Result<FeatureSequence> derived(const TextOf& document, const DerivedSequence& stored) const;
  /// The whole sequences of documents from the stored ones.
  [[nodiscard]] Result<std::map<std::int64_t, FeatureSequence>> complete(
      std::span<const TextOf> documents, const std::map<std::int64_t, std::string>& contents) const;

  LookUps& look_ups_;
  StoreNumber store_;
  const PostingReader& postings_;
  const DeriveFeatures* derive_;
  mutable std::map<std::int64_t, std::string> texts_, sequences_;  ///< prefetched
  mutable std::map<std::int64_t, FeatureSequence> whole_;          ///< prefetched
  std::uint64_t all_postings_;
  mutable std::uint64_t looked_up_ = 0;  ///< features
  mutable FeatureWindow window_;
};

}  // namespace akin::pg
