// A snapshot of a collection with a special scheme: its features are a sample of a fixed size, or they only
// generate candidates, or they are those of several tiers.
#pragma once

#include <memory>

#include "dict/dictionary.h"
#include "index/store/store.h"
#include "morph/schemes/scheme.h"

namespace akin {

/// Reads a store's snapshot as the scheme requires.
///
/// - Without containment (Scheme::has_containment) a minimum containment is refused, and overlaps say that
///   they have none.
/// - If the scheme only generates candidates, queries and answers refer to the features of the verifying
///   scheme (Scheme::verifying_scheme). Every document that shares a feature of the signature with the query
///   is verified: its text is analysed, and X, the bounds, the order and the evidence are exactly those of
///   the verifying scheme. Documents that are not candidates are not found. The same applies to pairs and
///   groups. Needs stored texts; without them searches, pairs and features are `unsupported`.
/// - If it has tiers, requests refer to the first unless they name another.
///
/// Verification costs the analysis of each candidate's text.
class SchemeSnapshot final : public Snapshot {
 public:
  SchemeSnapshot(std::unique_ptr<Snapshot> stored, std::shared_ptr<const Scheme> scheme,
                 std::shared_ptr<const Dictionary> dictionary) noexcept;

  [[nodiscard]] StoreSerial store_serial() const noexcept override { return stored_->store_serial(); }
  [[nodiscard]] Result<SearchResult> search(const SearchRequest& request) const override;
  [[nodiscard]] Result<std::optional<StoredDocument>> find(std::string_view id) const override {
    return stored_->find(id);
  }
  [[nodiscard]] Result<StoredText> open_text(const StoredDocument& document) const override {
    return stored_->open_text(document);
  }
  [[nodiscard]] Result<void> kept_words(const StoredDocument& document,
                                        const ReadBytes& read) const override {
    return stored_->kept_words(document, read);
  }
  [[nodiscard]] Result<void> all_kept_words(const ReadKeptWords& read) const override {
    return stored_->all_kept_words(read);
  }
  [[nodiscard]] Result<std::vector<StoredDocument>> numbered(
      std::span<const std::uint64_t> numbers) const override {
    return stored_->numbered(numbers);
  }
  [[nodiscard]] Result<StoredFile> file(const StoredDocument& document) const override {
    return stored_->file(document);
  }
  /// Those of the verifying scheme.
  [[nodiscard]] Result<FeatureSequence> features(const StoredDocument& document) const override;
  [[nodiscard]] Result<FeatureSequence> features_in(const StoredDocument& document,
                                                    std::size_t tier) const override;
  [[nodiscard]] Result<Overlap> overlap_in(const StoredDocument& document, std::size_t tier,
                                           std::span<const Feature> query) const override;
  [[nodiscard]] Result<FeatureSequence> features_beside(const StoredDocument& document, std::size_t tier,
                                                        const FeatureSequence& query) const override;
  [[nodiscard]] Result<std::vector<StoredDocument>> list(std::string_view after,
                                                         std::size_t limit) const override {
    return stored_->list(after, limit);
  }
  [[nodiscard]] Result<std::vector<StoredDocument>> changes(Revision after,
                                                            std::size_t limit) const override {
    return stored_->changes(after, limit);
  }
  [[nodiscard]] Result<StoreStats> stats() const override { return stored_->stats(); }
  [[nodiscard]] Result<std::vector<Feature>> common_features(std::span<const Feature> features,
                                                             std::uint64_t limit) const override;
  void expect(const SearchRequest& request) const override { stored_->expect(request); }
  [[nodiscard]] Result<std::vector<CommonFeature>> most_common(
      std::size_t count, std::optional<std::size_t> tier) const override;
  [[nodiscard]] Result<std::uint64_t> number_in_pairs(const StoredDocument& document) const override {
    return stored_->number_in_pairs(document);
  }
  [[nodiscard]] Result<PairsSummary> pairs(const PairsRequest& wanted,
                                           const PairVisitor& visit) const override;
  [[nodiscard]] Result<GroupsSummary> groups(const PairsRequest& wanted,
                                             const GroupVisitor& visit) const override;
  [[nodiscard]] Result<std::uint64_t> verify(
      const std::function<void(const Finding&)>& report,
      const std::function<void(std::uint64_t, std::uint64_t)>& progress) const override {
    return stored_->verify(report, progress);
  }

 private:
  [[nodiscard]] Result<SearchResult> verified(const SearchRequest& request) const;
  [[nodiscard]] Result<PairsSummary> verified_pairs(const PairsRequest& request,
                                                    const PairVisitor& visit) const;

  /// Error: unsupported, if the stored features are not those that documents are compared by.
  [[nodiscard]] Result<void> require_stored_features() const;
  [[nodiscard]] Result<PairsRequest> in_one_tier(PairsRequest request) const;
  /// The scheme whose features a request refers to.
  [[nodiscard]] Result<const Scheme*> scheme_in(std::size_t tier) const;

  std::unique_ptr<Snapshot> stored_;
  std::shared_ptr<const Scheme> scheme_;
  std::shared_ptr<const Dictionary> dictionary_;
};

}  // namespace akin
