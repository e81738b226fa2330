// A ranked table of pairs of documents, for an expert who says which of them are duplicates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/store/store.h"
#include "server/tables/labels.h"

namespace akin::tables {

/// The measure by which pairs are ranked. `containment` is the larger of the two. If the words of the pairs
/// were matched, their share or resemblance counts instead where it is larger. Ties are ordered by x, then
/// by the ids' bytes.
enum class RankBy { resemblance, containment, x };

/// "resemblance", "containment", "x"
[[nodiscard]] std::string_view rank_name(RankBy by) noexcept;

struct RankedPair {
  std::string a, b;  ///< ids; a's bytes come first
  Overlap overlap;
  std::optional<MatchedWords> words = {};
};

/// Keeps the best of many pairs; uses memory for `limit` of them.
class BestPairs {
 public:
  /// `limit` 0 keeps all.
  BestPairs(RankBy by, std::size_t limit) : by_(by), limit_(limit) {}

  void add(const DocumentPair& pair);
  /// The number of pairs added.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }
  /// Best first; empties this object.
  [[nodiscard]] std::vector<RankedPair> take();

 private:
  [[nodiscard]] bool better(const RankedPair& one, const RankedPair& other) const;

  RankBy by_;
  std::size_t limit_;
  std::uint64_t total_ = 0;
  std::vector<RankedPair> heap_;  ///< the worst is in front once `limit` is reached
};

/// A pair with its data for the table. `a` and `b` are indices into PairTable::documents.
struct TablePair {
  std::size_t a = 0, b = 0;
  Overlap overlap = {};
  std::string label = {};              ///< as stored; empty: none
  std::vector<Passage> passages = {};  ///< of a and b
  std::optional<MatchedWords> words = {};
};

struct PairTable {
  std::string collection, scheme;
  std::size_t tier = 0;  ///< in which the documents are compared
  RankBy by = RankBy::resemblance;
  PairCondition condition;
  std::uint64_t total = 0;  ///< pairs that satisfy the condition, including those not listed
  std::uint64_t candidates =
      0;  ///< candidate pairs that were verified, if the scheme only generates candidates
  std::uint64_t collection_documents = 0;  ///< in the collection
  std::vector<StoredDocument> documents;   ///< of the pairs, each once
  std::set<std::size_t> hidden = {};       ///< those of them whose texts are not shown
  std::vector<TablePair> pairs;            ///< best first

  [[nodiscard]] const StoredDocument& a(const TablePair& pair) const { return documents[pair.a]; }
  [[nodiscard]] const StoredDocument& b(const TablePair& pair) const { return documents[pair.b]; }
};

/// Where a reader finds the document: the metadata's `url` if it is one of the web; else empty.
[[nodiscard]] std::string address_of(const DocumentRecord& document);

/// Where the documents of pairs are.
struct TableSource {
  const Snapshot& snapshot;
  /// If set, passages are those that alignment of the stored texts finds, with these dictionaries; otherwise
  /// runs of shared features.
  std::shared_ptr<const Dictionary> aligns_with = nullptr;
};

/// Fills `documents` and `pairs` of a table. Errors: corrupt (an id of a pair has no record); as
/// Snapshot::text, if passages are aligned.
[[nodiscard]] Result<void> fill_table(PairTable& table, const std::vector<RankedPair>& pairs,
                                      const Labels& labels, const TableSource& source);

}  // namespace akin::tables
