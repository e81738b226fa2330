#include "index/opensearch/store.h"

#include <algorithm>
#include <utility>

#include "base/waiting.h"
#include "index/opensearch/documents/overlap_search.h"
#include "index/pairs/spooling_snapshot.h"
#include "index/search/ranking.h"
#include "index/search/tier_part.h"
#include "index/store/document_check.h"
#include "index/store/kept_words.h"
#include "index/store/stored_document.h"
#include "index/write/derived_features.h"

namespace akin::opensearch {
namespace {

/// Candidates of which all is read at once.
constexpr std::size_t kFewCandidates = 64;

/// Whether the outcome is a value; reports damage. Other errors end the verification.
template <class T>
Result<bool> is_sound(const Result<T>& outcome, const ReportBroken& report) {
  if (!outcome.has_error()) return true;
  if (outcome.error().code != Errc::corrupt) return outcome.error();
  report(outcome.error().reason);
  return false;
}

class ClusterSnapshot final : public SpoolingSnapshot {
 public:
  ClusterSnapshot(std::shared_ptr<const View> view, StoreSerial serial, std::shared_ptr<PartCache> parts,
                  DeriveFeatures derive)
      : view_(std::move(view)), serial_(serial), parts_(std::move(parts)), derive_(std::move(derive)) {}

  StoreSerial store_serial() const noexcept override { return serial_; }

  Result<SearchResult> search(const SearchRequest& request) const override {
    AKIN_TRY(SearchResult result, search_in(*this, request));
    for (const Hit& hit : result.hits) documents_.note_found(number_of(hit.document));
    return result;
  }

  Result<std::optional<StoredDocument>> find(std::string_view id) const override {
    AKIN_TRY(std::vector<StoredDocument> found,
             documents_.find({{"query", that("term", "id", std::string(id))}}, 1));
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
  }

  Result<StoredText> open_text(const StoredDocument& document) const override {
    if (!identity().store_text) return no_texts_of(document.id);
    const std::int64_t number = number_of(document);
    AKIN_CHECK(documents_.read_ahead_found(number, {PartKind::text, PartKind::sequence}));
    AKIN_TRY(std::string body, documents_.read(number, PartKind::text));
    return StoredText::owning(std::move(body), document.text_bytes, name_of_document(number));
  }

  Result<void> kept_words(const StoredDocument& document, const ReadBytes& read) const override {
    if (!identity().store_text) return {};
    AKIN_TRY(const std::string words, documents_.read(number_of(document), PartKind::words));
    return words.empty() ? Result<void>() : read(words);
  }

  Result<void> all_kept_words(const ReadKeptWords& read) const override {
    const auto visit = [&](const StoredDocument& document) -> Result<bool> {
      AKIN_TRY(const std::string words, documents_.read(number_of(document), PartKind::words));
      AKIN_CHECK(read(document.number, words));
      return true;
    };
    AKIN_CHECK(documents_.for_each({PartKind::words}, visit));
    return {};
  }

  Result<std::vector<StoredDocument>> numbered(std::span<const std::uint64_t> numbers) const override {
    std::vector<Candidate> wanted;
    for (const std::uint64_t number : numbers) wanted.push_back({static_cast<std::int64_t>(number), 0});
    std::vector<StoredDocument> documents;
    AKIN_CHECK(for_each_record(wanted, [&](const Candidate&, const StoredDocument& document) -> Result<void> {
      documents.push_back(document);
      return {};
    }));
    return documents;
  }

  Result<StoredFile> file(const StoredDocument& document) const override {
    if (!document.file || document.file->kept_bytes == 0) return no_file_of(document.id, identity());
    AKIN_TRY(const std::string stored, documents_.read(number_of(document), PartKind::file));
    return file_of(stored, document, number_of(document));
  }

  Result<FeatureSequence> features(const StoredDocument& document) const override {
    AKIN_CHECK(documents_.read_ahead_found(number_of(document), kinds_for_sequences()));
    return sequence_of(document);
  }

  Result<FeatureSequence> features_in(const StoredDocument& document, std::size_t tier) const override {
    AKIN_TRY(FeatureSequence all, features(document));
    return part_of_document(std::move(all), document, tier);
  }

  Result<std::vector<StoredDocument>> list(std::string_view after, std::size_t limit) const override {
    const Json later = that("range", "id", {{"gt", std::string(after)}});
    return documents_.find({{"query", later}, {"sort", {{{"id", "asc"}}}}}, limit);
  }

  Result<std::vector<StoredDocument>> changes(Revision after, std::size_t limit) const override {
    if (after >= kMaxRevision) return std::vector<StoredDocument>();
    const Json later = that("range", "revision", {{"gt", after.value}});
    return documents_.find({{"query", later}, {"sort", {{{"revision", "asc"}}}}}, limit);
  }

  Result<StoreStats> stats() const override {
    StoreStats stats;
    view_->state().counters.fill(stats, identity());
    AKIN_TRY(const StoreIndex::Extent extent, view_->extent());
    stats.tombstones = view_->state().gone.size() + extent.deleted;
    stats.disk_bytes = extent.disk_bytes;
    stats.runs = extent.segments;
    return stats;
  }

  Result<std::vector<Feature>> common_features(std::span<const Feature> features,
                                               std::uint64_t limit) const override {
    return search_.common(features, limit);
  }

  void expect(const SearchRequest& request) const override {
    const std::uint64_t size = request.query->hashes.size();
    const std::uint64_t least = least_overlap(request.bound, request.min_containment, size);
    if (least <= size) search_.expect({request, least});
  }

  /// The postings of each document are compared with its sequence by a search for its features: X must be
  /// their number.
  Result<std::uint64_t> verify(
      const std::function<void(const Finding&)>& report,
      const std::function<void(std::uint64_t, std::uint64_t)>& progress) const override {
    std::string where;  // what is checked
    std::uint64_t findings = 0;
    const ReportBroken found = [&](std::string broken) {
      ++findings;
      if (report) report({where, std::move(broken)});
    };
    const StoreCounters& counters = view_->state().counters;
    StoreCounters counted;
    const auto visit = [&](const StoredDocument& document) -> Result<bool> {
      where = name_of_document(number_of(document)) + " ('" + document.id + "')";
      AKIN_TRY(const RecordField sizes, documents_.sizes_of(number_of(document)));
      DocumentCounts counts;
      counts.take(document);
      sizes.count(counts);
      counted.add(counts);
      counted.last_revision = std::max(counted.last_revision, document.revision);
      AKIN_CHECK(check_document(document, where, found));
      if (progress) {
        progress(static_cast<std::uint64_t>(counted.documents),
                 static_cast<std::uint64_t>(counters.documents));
      }
      return true;
    };
    AKIN_CHECK(documents_.for_each({}, visit));
    where = "counters";
    counters.compare(counted, found);
    return findings;
  }

  // For search_in.
  /// The engine does not say which features a document shares.
  [[nodiscard]] Result<std::vector<Candidate>> candidates(const SearchRequest& request, std::uint64_t least,
                                                          SharedFeatures* /*shared*/) const {
    AKIN_TRY(std::vector<Candidate> all, search_.candidates({request, least}));
    AKIN_CHECK(keep_accepted(*this, request, all));
    return all;
  }

  /// Counted with the candidates of the same request.
  [[nodiscard]] Result<std::uint64_t> count_having(const std::vector<Feature>& /*features*/) const {
    return search_.with_common();
  }

  template <class Visit>
  [[nodiscard]] Result<void> for_each_record(const std::vector<Candidate>& candidates,
                                             const Visit& visit) const {
    for (std::size_t at = 0; at < candidates.size(); at += kRecordsAtOnce) {
      const auto some = std::span(candidates).subspan(at, std::min(kRecordsAtOnce, candidates.size() - at));
      AKIN_CHECK(documents_.need(numbers_of(some)));
      for (const Candidate& one : some) AKIN_CHECK(visit(one, documents_.known(one.document)));
    }
    return {};
  }

  template <class Visit>
  [[nodiscard]] Result<void> for_each_kept_words(const std::vector<Candidate>& candidates,
                                                 const Visit& visit) const {
    std::vector<Candidate> short_ones;
    AKIN_CHECK(
        for_each_record(candidates, [&](const Candidate& one, const DocumentRecord& record) -> Result<void> {
          if (record.text_bytes <= kLongText) short_ones.push_back(one);
          return {};
        }));
    // What the codes do not rule out is read next: of few with their codes; of many they rule out most.
    static constexpr std::initializer_list<PartKind> kCodes{PartKind::words},
        kAll{PartKind::words, PartKind::text, PartKind::sequence};
    const DocumentReader::Kinds kinds = short_ones.size() > kFewCandidates ? kCodes : kAll;
    const auto numbers = numbers_of(std::span(std::as_const(short_ones)));
    for (std::size_t i = 0; i < short_ones.size(); ++i) {
      AKIN_CHECK(documents_.read_ahead(std::span(numbers).subspan(i), kinds));
      AKIN_TRY(const std::string words, documents_.read(numbers[i], PartKind::words));
      AKIN_CHECK(visit(short_ones[i], words));
    }
    return {};
  }

  [[nodiscard]] Result<FeatureSequence> sequence_of(std::span<const Hit> hits, const SearchRequest&) const {
    AKIN_CHECK(documents_.read_ahead(numbers_of(hits), kinds_for_sequences()));
    return features(hits.front().document);
  }

 private:
  static std::int64_t number_of(const StoredDocument& document) noexcept {
    return static_cast<std::int64_t>(document.number);
  }
  static std::int64_t number_of(const Candidate& one) noexcept { return one.document; }
  static std::int64_t number_of(const Hit& hit) noexcept { return number_of(hit.document); }
  template <class Document>
  static std::vector<std::int64_t> numbers_of(std::span<const Document> documents) {
    std::vector<std::int64_t> numbers;
    for (const Document& one : documents) numbers.push_back(number_of(one));
    return numbers;
  }
  [[nodiscard]] const StoreIdentity& identity() const noexcept { return view_->head().identity; }

  [[nodiscard]] Result<bool> for_each_document(const VisitDocument& visit) const override {
    return documents_.for_each(kinds_for_sequences(), [&](const StoredDocument& document) -> Result<bool> {
      AKIN_TRY(const FeatureSequence sequence, sequence_of(document));
      return visit(document, sequence);
    });
  }

  [[nodiscard]] Result<void> check_postings(const StoredDocument& document, const FeatureSequence& sequence,
                                            const ReportBroken& report) const {
    if (sequence.hashes.empty()) return {};
    SearchRequest request;
    request.query = &sequence;
    request.bound = sequence.hashes.size() - 1;
    request.limit = 0;
    request.accept = [&](const DocumentRecord& record) { return Result<bool>(record.id == document.id); };
    AKIN_TRY(const SearchResult found_itself, search_in(*this, request));
    if (found_itself.total != 1) report("its sequence and its postings differ");
    return {};
  }

  [[nodiscard]] Result<void> check_document(const StoredDocument& document, const std::string& where,
                                            const ReportBroken& report) const {
    const Result<FeatureSequence> sequence = features(document);
    AKIN_TRY(const bool has_sequence, is_sound(sequence, report));
    if (has_sequence) {
      check_sequence({*sequence}, document, report);
      AKIN_CHECK(check_postings(document, *sequence, report));
    }
    if (document.file && document.file->kept_bytes > 0) AKIN_CHECK(is_sound(file(document), report));
    if (!identity().store_text) return {};
    const Result<std::string> text = this->text(document);
    AKIN_TRY(const bool has_text, is_sound(text, report));
    if (has_text) check_text(*text, document, report);
    const auto check = [&](std::string_view words) {
      return check_kept_words(words, document.text_bytes, where);
    };
    AKIN_CHECK(is_sound(kept_words(document, check), report));
    return {};
  }

  /// What sequence_of reads of most documents.
  [[nodiscard]] DocumentReader::Kinds kinds_for_sequences() const noexcept {
    static constexpr std::initializer_list<PartKind> kDerived{PartKind::text, PartKind::sequence},
        kStored{PartKind::sequence};
    return derive_ ? kDerived : kStored;
  }

  [[nodiscard]] Result<FeatureSequence> sequence_of(const StoredDocument& document) const {
    const std::int64_t number = number_of(document);
    AKIN_TRY(const std::string bytes, documents_.read(number, PartKind::sequence));
    AKIN_TRY(StoredSequence stored, akin::sequence_of(bytes, number));
    if (!stored.derived) return std::move(stored.sequence);
    AKIN_TRY(const std::string text, this->text(document));
    return derive_sequence(*stored.derived, text, derive_ ? &derive_ : nullptr, name_of_document(number));
  }

  const std::shared_ptr<const View> view_;
  const StoreSerial serial_;
  const std::shared_ptr<PartCache> parts_;
  const DeriveFeatures derive_;
  mutable DocumentReader documents_{*view_, *parts_};
  mutable OverlapSearch search_{*view_, documents_};
};

}  // namespace

std::unique_ptr<Snapshot> make_snapshot(std::shared_ptr<const View> view, StoreSerial serial,
                                        std::shared_ptr<PartCache> parts, DeriveFeatures derive) {
  return std::make_unique<ClusterSnapshot>(std::move(view), serial, std::move(parts), std::move(derive));
}

}  // namespace akin::opensearch
