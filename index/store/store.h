// The store interface: what a collection needs from a storage engine. All engines (lmdb/store.h, pg/store.h)
// must give the same answers. A store knows about documents, features and postings, not about dictionaries,
// HTTP or JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "base/error.h"
#include "index/codec/stored_file.h"
#include "index/codec/stored_text.h"
#include "index/overlap/overlap.h"
#include "index/overlap/passages.h"
#include "index/store/change.h"
#include "index/store/document.h"
#include "index/store/pair_request.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// Whether a document is of no use, by what is kept of its words, and by all features that it shares with the
/// query; none if they are not known.
using RulesOut = std::function<bool(std::string_view kept, std::span<const Feature> shared)>;

struct SearchRequest {
  const FeatureSequence* query = nullptr;
  /// The tier whose features the query has: |B| is counted in it. 0 if the scheme has no tiers.
  std::size_t tier = 0;
  std::uint64_t bound = 3;       ///< a hit has x > bound
  double min_containment = 0.0;  ///< and containment >= this
  std::uint64_t limit = 10;      ///< hits returned; `total` counts all
  std::uint64_t offset = 0;
  bool evidence = false;  ///< fill Hit::passages
  /// Only the best `limit` after `offset` are needed, not the total: long posting lists are then read only as
  /// far as they can matter.
  bool best_only = false;
  std::vector<std::string> exclude;  ///< ids of documents to leave out, the query's own for instance
  /// Set: only documents that it accepts are hits, and count in `total`. Called only for documents over the
  /// bound, at most once each. Its error ends the search.
  std::function<Result<bool>(const DocumentRecord&)> accept;
  /// Set: documents with these numbers are not hits, but count in SearchResult::known; the
  /// numbers of all hits are added. So several searches list each document once.
  std::unordered_set<std::uint64_t>* known = nullptr;
  /// Set: features, ascending, that bring no document into the answer: a document is found if it also has
  /// another one of the query. X counts them all the same.
  const std::vector<Feature>* common = nullptr;
  /// Of documents with equal X, those that were stored first come first, and no record of another is read.
  bool first_of_equal = false;
  /// If more than `limit` are found, none is listed, no record is read, and `total` says no more than that.
  bool all_or_none = false;
  /// Set: documents are not listed for whose kept words (EncodeWords) this holds, and their records are not
  /// read; they count in `total` and in SearchResult::ruled_out. It need not be asked about all, and is asked
  /// by several threads at once.
  RulesOut rules_out = {};
  /// Set: a query that is searched for next, so that an engine may read for both at once.
  const FeatureSequence* next = nullptr;
};

/// The overlap with the query in one tier.
struct TierOverlap {
  std::size_t tier = 0;
  Overlap overlap;
  bool found = false;  ///< whether it satisfies the bounds given for the tier
};

struct Hit {
  StoredDocument document;
  Overlap overlap;
  std::vector<Passage> passages;
  std::optional<MatchedWords> words = {};  ///< set where `passages` were aligned
  /// For a search in tiers: every requested tier, in the order of the request. `overlap` is that of the first
  /// tier that found the hit.
  std::vector<TierOverlap> tiers = {};
};

/// What a query has in common with so many documents that they are counted and not listed.
struct CommonText {
  std::uint64_t limit = 0;      ///< common is a feature that more documents have
  std::uint64_t words = 0;      ///< of the query: those of its common features
  std::uint64_t documents = 0;  ///< that have at least one of these features
  bool listed = false;          ///< nearly all of the query is common: the best of the documents are listed
};

/// Best first: x descending, then contained descending, then id ascending (bytes).
struct SearchResult {
  std::uint64_t total = 0;      ///< all hits over the bounds, whatever the limit
  bool counted = true;          ///< false after best_only: there may be more than `total`
  std::uint64_t known = 0;      ///< documents over the bounds that SearchRequest::known leaves out
  std::uint64_t ruled_out = 0;  ///< documents of `total` that SearchRequest::rules_out leaves out of the hits
  /// Candidates that were verified, if the collection's scheme only generates candidates.
  std::uint64_t candidates = 0;
  /// For a search in tiers: `total` of each tier searched, in the order of the request.
  std::vector<std::uint64_t> tier_totals = {};
  /// For a search in tiers that alignment verifies: documents that shared enough features with the query,
  /// and how many of them were aligned.
  std::uint64_t alignable = 0, aligned = 0;
  /// With SearchRequest::common: the documents that have at least one of those features.
  std::uint64_t with_common = 0;
  std::optional<CommonText> common = {};  ///< of a search for reuse
  /// Runs without seeds were to be found (TierQuery::run), and are not: the collection is too large for that.
  bool by_seeds_alone = false;
  std::vector<Hit> hits;
};

/// The features that a store of one identity has of a text. Thread-safe.
using DeriveFeatures = std::function<Result<FeatureSequence>(std::string_view text)>;
/// What a store keeps of the words of a text: encode_kept_words of one of more than kLongText bytes, else
/// encode_word_codes. Thread-safe. Errors: as scan_text.
using EncodeWords = std::function<Result<std::string>(std::string_view text)>;

/// What follows from a text by a store's scheme and dictionaries.
struct Derivation {
  DeriveFeatures features = nullptr;  ///< null: features are stored
  EncodeWords words = nullptr;        ///< null: words are not kept
};

/// The configuration that a store was built with; fixed at its creation.
struct StoreIdentity {
  std::string scheme;       ///< Scheme::name()
  std::string fingerprint;  ///< features_fingerprint() of scheme and dictionary
  std::string languages;    ///< of the dictionaries: "ru,en"
  /// Whether original texts are kept. Without them the index is smaller, and can neither return texts nor be
  /// rebuilt from them.
  bool store_text = true;
  /// Whether the files are kept that documents were read from.
  bool store_file = false;
};

/// Whether features, texts and all data of documents mean the same in both.
[[nodiscard]] inline bool same_content(const StoreIdentity& one, const StoreIdentity& other) noexcept {
  return one.scheme == other.scheme && one.fingerprint == other.fingerprint &&
         one.store_text == other.store_text && one.store_file == other.store_file;
}

/// Bytes of the files that documents were read from.
struct FileSizes {
  std::uint64_t bytes = 0;         ///< of the files themselves
  std::uint64_t stored_bytes = 0;  ///< as they are stored: compressed, with name and media type
  friend bool operator==(const FileSizes&, const FileSizes&) = default;
};

struct StoreStats {
  std::uint64_t documents = 0;
  std::uint64_t features = 0;           ///< sum of |B|
  std::uint64_t postings = 0;           ///< (feature, document) pairs
  std::uint64_t text_bytes = 0;         ///< original texts
  std::uint64_t text_stored_bytes = 0;  ///< as compressed
  std::uint64_t disk_bytes = 0;
  Revision last_revision;             ///< the largest ever assigned or kept
  std::uint64_t map_bytes = 0;        ///< address space of the store; grows automatically
  std::uint64_t map_used_bytes = 0;   ///< the pages of it that have ever been used
  std::uint64_t runs = 0;             ///< of packed postings: a look-up touches each
  std::uint64_t recent_postings = 0;  ///< in small runs that the next writes take over
  std::uint64_t tombstones = 0;       ///< removed or replaced ones whose postings are still on the disk
  bool merging = false;               ///< a thread of this process is merging
  /// Of the kept files. Nothing if the store keeps none, or was made by an akin that did not count them.
  std::optional<FileSizes> files = {};
};

/// A feature that many documents have.
struct CommonFeature {
  Feature feature{};
  std::uint64_t documents = 0;  ///< that have it
  std::string example;          ///< id of the one of them that was stored first
};

/// One finding of `verify`: the key, and the invariant that does not hold.
struct Finding {
  std::string where;
  std::string broken;
  friend bool operator==(const Finding&, const Finding&) = default;
};

/// One store as this process opened it: no two have the same, and a store that is opened again gets another.
enum class StoreSerial : std::uint64_t {};
[[nodiscard]] StoreSerial next_store_serial() noexcept;

/// Reads bytes that belong to the caller.
using ReadBytes = std::function<Result<void>(std::string_view bytes)>;
/// Reads what is kept of the words of the text of the document with this number in its snapshot
/// (EncodeWords), which belongs to the caller; empty if nothing is.
using ReadKeptWords = std::function<Result<void>(std::uint64_t document, std::string_view kept)>;

/// A consistent view: sees all of a document or nothing of it, and never blocks a write. Only one thread may
/// use it at a time. Close it soon: an open snapshot prevents replaced pages from being reused.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  /// The store that it reads. With its revision, this names what is stored of a document.
  [[nodiscard]] virtual StoreSerial store_serial() const noexcept = 0;
  [[nodiscard]] virtual Result<SearchResult> search(const SearchRequest& request) const = 0;
  [[nodiscard]] virtual Result<std::optional<StoredDocument>> find(std::string_view id) const = 0;
  /// The same. Error: not_found.
  [[nodiscard]] Result<StoredDocument> document(std::string_view id) const;

  // What follows takes a document that this snapshot returned.
  /// Its text, to be read in part. Must not outlive the snapshot. Error: unsupported (texts are not kept).
  [[nodiscard]] virtual Result<StoredText> open_text(const StoredDocument& document) const = 0;
  [[nodiscard]] Result<std::string> text(const StoredDocument& document) const;
  /// Calls `read` with what is kept of the words of its text (EncodeWords), which lives until it returns;
  /// does not call it if nothing is.
  [[nodiscard]] virtual Result<void> kept_words(const StoredDocument& document,
                                                const ReadBytes& read) const = 0;
  /// Calls `read` for every document, which must not call this snapshot, in any order, and on several threads
  /// at once if it likes. In a store that keeps texts.
  [[nodiscard]] virtual Result<void> all_kept_words(const ReadKeptWords& read) const = 0;
  /// The documents with these numbers, in any order. Error also: corrupt (there is none).
  [[nodiscard]] virtual Result<std::vector<StoredDocument>> numbered(
      std::span<const std::uint64_t> numbers) const = 0;
  /// The file that it was read from, byte by byte. Errors: not_found (it was not read from a file),
  /// unsupported (the store keeps no files), corrupt.
  [[nodiscard]] virtual Result<StoredFile> file(const StoredDocument& document) const = 0;
  /// The features by which documents are verified, if the scheme has others too (Scheme::verifying_scheme).
  [[nodiscard]] virtual Result<FeatureSequence> features(const StoredDocument& document) const = 0;
  /// The features of one tier; tier 0 of a scheme without tiers has all of them. Error: invalid_argument (the
  /// tier does not exist).
  [[nodiscard]] virtual Result<FeatureSequence> features_in(const StoredDocument& document,
                                                            std::size_t tier) const = 0;
  /// overlap(query, features_in(document, tier)); an engine may count single features instead. Errors: as
  /// features_in.
  [[nodiscard]] virtual Result<Overlap> overlap_in(const StoredDocument& document, std::size_t tier,
                                                   std::span<const Feature> query) const;
  /// features_in, exact where the document shares features with the query: each other feature may be replaced
  /// by one that the query does not have. Errors: as features_in.
  [[nodiscard]] virtual Result<FeatureSequence> features_beside(const StoredDocument& document,
                                                                std::size_t tier,
                                                                const FeatureSequence& query) const;

  // The same for the document with an id. Error also: not_found.
  [[nodiscard]] Result<std::string> text(std::string_view id) const;
  [[nodiscard]] Result<StoredFile> file(std::string_view id) const;
  [[nodiscard]] Result<FeatureSequence> features(std::string_view id) const;
  [[nodiscard]] Result<FeatureSequence> features_in(std::string_view id, std::size_t tier) const;

  /// Up to `limit` records with id > after, in byte order of the ids.
  [[nodiscard]] virtual Result<std::vector<StoredDocument>> list(std::string_view after,
                                                                 std::size_t limit) const = 0;
  /// Up to `limit` records with revision > after, in order of their revisions: the documents stored since. A
  /// caller that continues from the last one's revision misses no document to which the store assigns a
  /// revision, even across reindexes; a document replaced or removed meanwhile is not returned again.
  [[nodiscard]] virtual Result<std::vector<StoredDocument>> changes(Revision after,
                                                                    std::size_t limit) const = 0;
  [[nodiscard]] virtual Result<StoreStats> stats() const = 0;
  /// Those of the features that more than `limit` documents of the snapshot have, ascending. `features`:
  /// distinct, ascending. Error: unsupported (the scheme's features only generate candidates).
  [[nodiscard]] virtual Result<std::vector<Feature>> common_features(std::span<const Feature> features,
                                                                     std::uint64_t limit) const = 0;
  /// Says which search follows the next call of common_features, so that an engine may make both at once:
  /// `request.common` are the features that bring no document in if that call finds none. The request must
  /// live until then.
  virtual void expect(const SearchRequest& /*request*/) const {}
  /// The `count` features that most documents of the snapshot have, most first, then by feature; with a tier
  /// only its features, as in PairsRequest. Reads all postings once. Error: as common_features.
  [[nodiscard]] virtual Result<std::vector<CommonFeature>> most_common(
      std::size_t count, std::optional<std::size_t> tier) const = 0;
  /// The number of a document of this snapshot in PairsRequest::only.
  [[nodiscard]] virtual Result<std::uint64_t> number_in_pairs(const StoredDocument& document) const {
    return document.number;
  }
  /// Reports every pair of documents that satisfies the request's condition, once, always in the same order.
  /// Errors: as find_pairs (pairs.h); corrupt when a record contradicts the postings.
  [[nodiscard]] virtual Result<PairsSummary> pairs(const PairsRequest& request,
                                                   const PairVisitor& visit) const = 0;
  /// Reports the groups of documents that such pairs join, directly or through others: the largest first,
  /// then by the bytes of their first id. Errors: as pairs.
  [[nodiscard]] virtual Result<GroupsSummary> groups(const PairsRequest& request,
                                                     const GroupVisitor& visit) const = 0;
  /// Verifies records, texts, sequences and postings against each other; calls `report` per finding and
  /// `progress(done, total)` per document. Returns the number of findings.
  [[nodiscard]] virtual Result<std::uint64_t> verify(
      const std::function<void(const Finding&)>& report,
      const std::function<void(std::uint64_t, std::uint64_t)>& progress) const = 0;
};

/// Why Snapshot::open_text has nothing to return: the store keeps no texts.
[[nodiscard]] Error no_texts_of(std::string_view id);
/// Why Snapshot::file has nothing to return: the store keeps no files, or the document was not read from one.
[[nodiscard]] Error no_file_of(std::string_view id, const StoreIdentity& store);

/// One collection's storage. Members may be called from any number of threads; writes are serialised.
class Store {
 public:
  virtual ~Store() = default;
  [[nodiscard]] virtual const StoreIdentity& identity() const noexcept = 0;

  /// From now on the store may leave out what `derivation` gives for the texts that it keeps, and can read
  /// documents that were stored so. It must be that of the store's identity; of several calls the first one
  /// counts. An engine that derives nothing ignores it.
  virtual void derive_by(Derivation /*derivation*/) {}  // NOLINT(performance-unnecessary-value-param): moved
  /// Whether something of the words of texts is kept beside them (EncodeWords).
  [[nodiscard]] virtual bool keeps_words() const { return false; }

  /// Checks a document and encodes it for this store. Errors: invalid_argument (the id; the revision; parts
  /// that contradict each other), too_large; those of deriving the words of its text.
  [[nodiscard]] virtual Result<PreparedDocument> prepare(NewDocument document) const = 0;

  /// Makes the changes in the order given and in one write, durable (and visible to new snapshots) when it
  /// returns. A document is inserted or replaces the one with its id; of an id given twice the last change
  /// wins. Removing a document that does not exist succeeds. Errors in WriteMode::all: precondition_failed
  /// (its reason says what is stored), those of preparing a document; in both modes whatever stops the write,
  /// for example disk_full.
  [[nodiscard]] virtual Result<WriteResults> write(std::span<Change> changes, WriteMode mode) = 0;

  // write of WriteMode::all for one or many documents, prepared on all cores, or ids.
  [[nodiscard]] Result<PutResult> put(const NewDocument& document, const Precondition& condition = {});
  [[nodiscard]] Result<std::vector<PutResult>> put_all(const std::vector<NewDocument>& documents);
  /// Returns how many of the ids existed.
  [[nodiscard]] Result<std::uint64_t> remove(const std::vector<std::string>& ids);

  /// Revisions assigned later are larger than this one: a collection that replaces another continues from the
  /// other's last revision, whose document may no longer exist. Error: invalid_argument (over kMaxRevision).
  [[nodiscard]] virtual Result<void> continue_after(Revision revision) = 0;

  /// Flushes and merges recent postings, which makes searches fastest: for use after a bulk load.
  /// `everything` also makes the store smallest. Answers do not depend on it.
  [[nodiscard]] virtual Result<void> flush_and_merge(bool everything) = 0;

  [[nodiscard]] virtual Result<std::unique_ptr<Snapshot>> snapshot() const = 0;
};

}  // namespace akin
