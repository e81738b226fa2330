// One collection: texts in, answers out.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "dict/dictionary.h"
#include "index/collection/dictionaries.h"
#include "index/collection/text_style.h"
#include "index/store/store.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// A text to be stored, before any analysis. Views must live through the call.
struct SourceDocument {
  std::string_view id = {};
  std::string_view title = {};
  std::string_view metadata = {};  ///< opaque
  std::string_view text = {};
  std::optional<FileOrigin> file = {};    ///< kept in the document's record
  std::string_view places = {};           ///< DocumentRecord::places
  std::optional<FileView> original = {};  ///< the bytes of `file`: kept if the collection keeps files
};

/// What the analysis of a stored text found, for the answer to its sender.
struct TextFindings {
  std::uint64_t sentences = 0;
  std::uint64_t features = 0;      ///< |B| in the scheme that verifies (Scheme::verifying_scheme)
  std::vector<Alert> alerts = {};  ///< FeatureSequence::alerts
};

/// One change of a write: a document to put, or the id of one to remove.
struct SourceChange {
  SourceDocument document;
  bool remove = false;           ///< only `document.id` counts
  Precondition condition = {};   ///< as in Change
  const Error* error = nullptr;  ///< set: why the document cannot be stored, if that is known already
  /// The result of `Collection::analyze` for exactly this text, if the caller already has it.
  const FeatureSequence* features = nullptr;
  TextFindings* findings = nullptr;  ///< set: filled by the write, also if the document is then not stored
};

/// Longest title and metadata, in bytes. (Ids: kMaxIdBytes; texts: kMaxTextBytes.)
inline constexpr std::size_t kMaxTitleBytes = std::size_t{4} << 10;
inline constexpr std::size_t kMaxMetadataBytes = std::size_t{1} << 20;

/// Whether a document may have this id: 1 to kMaxIdBytes bytes of UTF-8 without control characters. Errors:
/// invalid_argument, invalid_utf8.
[[nodiscard]] Result<void> check_document_id(std::string_view id);

/// The document to store. Views `source` and `features`.
[[nodiscard]] NewDocument new_document(const SourceDocument& source, const FeatureSequence& features);

class Catalog;

/// One index of a collection; a rebuild creates another that replaces it.
struct Generation {
  std::uint64_t number = 0;
  std::string token;  ///< distinguishes a collection from an earlier one with its name that was dropped
  friend bool operator==(const Generation&, const Generation&) = default;
};

/// Ensures that writes reach only the generation in use. Thread-safe.
class WriteGuard {
 public:
  virtual ~WriteGuard() = default;

  /// Permission to write into a generation, held until the result is destroyed; null if the generation was
  /// replaced. Errors: busy (a switch takes too long), not_found (the collection was dropped).
  [[nodiscard]] virtual Result<std::shared_ptr<void>> enter(const Generation& generation) const = 0;
  /// Whether another generation has replaced it.
  [[nodiscard]] virtual Result<bool> is_replaced(const Generation& generation) const = 0;
};

/// The parts of a collection. Only Catalog creates collections.
struct CollectionParts {
  std::string name;
  std::shared_ptr<Store> store;
  std::shared_ptr<const Scheme> scheme;
  std::shared_ptr<const Dictionary> dictionary;
  std::shared_ptr<const WriteGuard> guard;
  Generation generation;  ///< of `store`
  std::weak_ptr<Catalog> catalog;
};

/// Store + scheme + dictionary of one collection; thread-safe as Store. Reads are answered from the index
/// that it opened, even after a reindex has made another, which Catalog::get then returns. Writes follow the
/// switch: a write is acknowledged only once it is in the generation in use, whichever process built that.
class Collection {
 public:
  explicit Collection(CollectionParts parts) noexcept : parts_(std::move(parts)) {}

  /// Reads what the store keeps of the dictionaries that it was built with; nothing if it keeps none.
  using ReadKept = std::function<Result<std::optional<std::string>>()>;

  /// The collection of these parts, whose scheme is the store's, and whose dictionaries are those that it was
  /// built with: the configured ones, or else the kept ones. Errors: mismatch (neither are, or the scheme is
  /// unknown); those of opening the configured ones, if none are kept.
  [[nodiscard]] static Result<std::shared_ptr<Collection>> open(CollectionParts parts,
                                                                Dictionaries& dictionaries,
                                                                const ReadKept& read_kept);

  [[nodiscard]] const std::string& name() const noexcept { return parts_.name; }
  [[nodiscard]] const Scheme& scheme() const noexcept { return *parts_.scheme; }
  /// Whether original texts are kept.
  [[nodiscard]] bool keeps_texts() const noexcept { return parts_.store->identity().store_text; }
  /// Whether the files are kept that documents were read from.
  [[nodiscard]] bool keeps_files() const noexcept { return parts_.store->identity().store_file; }
  /// Those that it was built with, which need not be the configured ones.
  [[nodiscard]] const Dictionary& dictionary() const noexcept { return *parts_.dictionary; }
  [[nodiscard]] const StoreIdentity& identity() const noexcept { return parts_.store->identity(); }
  [[nodiscard]] const std::shared_ptr<const Dictionary>& shared_dictionary() const noexcept {
    return parts_.dictionary;
  }
  /// features_fingerprint() of scheme and dictionary.
  [[nodiscard]] const std::string& fingerprint() const noexcept {
    return parts_.store->identity().fingerprint;
  }
  /// The index that reads are answered from.
  [[nodiscard]] const Generation& generation() const noexcept { return parts_.generation; }

  /// The features by which this collection compares a text (Scheme::verifying_scheme). `also` as in
  /// extract_features, here and below.
  [[nodiscard]] Result<FeatureSequence> analyze(std::string_view text, SentenceSink* also = nullptr) const;

  /// The same in one tier; tier 0 if the scheme has none. Error also: invalid_argument (no such tier).
  [[nodiscard]] Result<FeatureSequence> analyze_in(std::string_view text, std::size_t tier,
                                                   SentenceSink* also = nullptr) const;

  /// The features of all tiers, in one pass over the text, with their sizes (FeatureSequence::tier_sizes):
  /// one size, of the result of `analyze`, if the scheme has no tiers.
  [[nodiscard]] Result<FeatureSequence> analyze_tiers(std::string_view text,
                                                      SentenceSink* also = nullptr) const;

  /// As Store::write; documents are analysed and prepared on all cores, each in one pass. `ready` (if set) is
  /// called when that is done. Errors of one change:
  /// invalid_argument (id empty, too long, or with a control character), invalid_utf8 (id, title or text),
  /// too_large, precondition_failed; of the whole write: disk_full, busy (a switch to another index takes too
  /// long), not_found (the collection was dropped), mismatch (another process has rebuilt it with another
  /// dictionary).
  [[nodiscard]] Result<WriteResults> write(std::span<const SourceChange> changes, WriteMode mode,
                                           const std::function<void()>& ready = nullptr);

  // write of WriteMode::all for one or many documents or ids.
  [[nodiscard]] Result<PutResult> put(const SourceDocument& document, const Precondition& condition = {});
  [[nodiscard]] Result<std::vector<PutResult>> put_all(const std::vector<SourceDocument>& documents);
  /// Returns how many of the ids existed.
  [[nodiscard]] Result<std::uint64_t> remove(const std::vector<std::string>& ids);

  /// Store::flush_and_merge, after a bulk load.
  [[nodiscard]] Result<void> flush_and_merge();
  /// The store's snapshot, or a SchemeSnapshot if the scheme requires one. May outlive the collection.
  [[nodiscard]] Result<std::unique_ptr<Snapshot>> snapshot() const;

  /// The usual style of the texts in a snapshot of this collection. Error also: unsupported (the collection
  /// keeps no texts).
  [[nodiscard]] Result<TextStyle> usual_style(const Snapshot& snapshot) const;

  /// Analyses every stored text again and compares the features with the stored ones; reports as
  /// Snapshot::verify, which it does not repeat. Error: unsupported (the collection keeps no texts).
  [[nodiscard]] Result<std::uint64_t> verify_deep(
      const std::function<void(const Finding&)>& report,
      const std::function<void(std::uint64_t, std::uint64_t)>& progress) const;

 private:
  struct WritePass;
  [[nodiscard]] Result<WritePass> pass_for_writing() const;
  [[nodiscard]] Result<std::shared_ptr<Collection>> successor() const;
  /// A write's result; if it failed because another generation replaced this one during the write, the result
  /// of `again(successor)`.
  template <class T, class Again>
  [[nodiscard]] Result<T> done_or_again(Result<T> done, const Again& again) const;
  /// What the analysis of a text gives to the store.
  struct Analyzed {
    FeatureSequence features;
    std::string words;  ///< NewDocument::words
  };
  /// That of a document that is put; fills its findings.
  [[nodiscard]] Result<Analyzed> analyze_to_store(const SourceChange& change) const;
  /// The document that a change puts, for the store. `is_one_of_many`: an error of its text names it.
  [[nodiscard]] Result<PreparedDocument> prepare(const SourceChange& change, bool is_one_of_many) const;

  CollectionParts parts_;
  mutable UsualStyle style_;
};

}  // namespace akin
