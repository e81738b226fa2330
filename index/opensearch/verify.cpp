#include "index/opensearch/store.h"

#include <algorithm>
#include <utility>

#include "index/codec/feature_counts.h"
#include "index/store/kept_words.h"

namespace akin::opensearch {
namespace {

constexpr std::size_t kPage = 256;

class Verification {
 public:
  Verification(const Snapshot& snapshot, const View& view, DocumentReader& documents,
               const VerifyListener& listener)
      : snapshot_(snapshot), view_(view), documents_(documents), listener_(listener) {}

  Result<std::uint64_t> run() {
    const StoreCounters& counters = view_.head().counters;
    for (std::string after;;) {
      AKIN_TRY(const std::vector<StoredDocument> page, snapshot_.list(after, kPage));
      if (page.empty()) break;
      for (const StoredDocument& document : page) {
        where_ = name_of_document(static_cast<std::int64_t>(document.number)) + " ('" + document.id + "')";
        AKIN_CHECK(check(document));
        if (listener_.progress)
          listener_.progress(static_cast<std::uint64_t>(counted_.documents),
                             static_cast<std::uint64_t>(counters.documents));
      }
      after = page.back().id;
    }
    where_ = "counters";
    counters.compare(counted_, report_);
    return findings_;
  }

 private:
  /// Whether the outcome is a value; reports damage. Other errors end the verification.
  template <class T>
  Result<bool> is_sound(const Result<T>& outcome) {
    if (!outcome.has_error()) return true;
    if (outcome.error().code != Errc::corrupt) return outcome.error();
    report_(outcome.error().reason);
    return false;
  }

  Result<void> check(const StoredDocument& document) {
    AKIN_TRY(const Sizes sizes, documents_.sizes_of(static_cast<std::int64_t>(document.number)));
    ++counted_.documents;
    counted_.features += static_cast<std::int64_t>(document.all_features());
    counted_.postings += sizes.postings;
    counted_.text_bytes += static_cast<std::int64_t>(document.text_bytes);
    counted_.text_stored_bytes += sizes.of(PartKind::text);
    counted_.files.bytes += document.file ? static_cast<std::int64_t>(document.file->kept_bytes) : 0;
    counted_.files.stored_bytes += sizes.of(PartKind::file);
    counted_.last_revision = std::max(counted_.last_revision, document.revision);
    const Result<FeatureSequence> sequence = snapshot_.features(document);
    AKIN_TRY(const bool has_sequence, is_sound(sequence));
    if (has_sequence) {
      check_sequence({*sequence}, document, report_);
      AKIN_CHECK(check_postings(document, *sequence));
    }
    if (view_.head().identity.store_text) {
      const Result<std::string> text = snapshot_.text(document);
      AKIN_TRY(const bool has_text, is_sound(text));
      if (has_text) check_text(*text, document, report_);
      AKIN_CHECK(is_sound(snapshot_.kept_words(document, [&](std::string_view words) {
        return check_kept_words(words, document.text_bytes, where_);
      })));
    }
    if (document.file && document.file->kept_bytes > 0) AKIN_CHECK(is_sound(snapshot_.file(document)));
    return {};
  }

  Result<void> check_postings(const StoredDocument& document, const FeatureSequence& sequence) {
    if (sequence.hashes.empty()) return {};
    SearchRequest request;
    request.query = &sequence;
    request.bound = sequence.hashes.size() - 1;
    request.limit = 0;
    request.accept = [&](const DocumentRecord& record) { return Result<bool>(record.id == document.id); };
    AKIN_TRY(const SearchResult found_itself, snapshot_.search(request));
    if (found_itself.total != 1) report_("its sequence and its postings differ");
    return {};
  }

  const Snapshot& snapshot_;
  const View& view_;
  DocumentReader& documents_;
  const VerifyListener& listener_;
  std::string where_;  ///< what is checked
  std::uint64_t findings_ = 0;
  const ReportBroken report_ = [this](std::string broken) {
    ++findings_;
    if (listener_.report) listener_.report({where_, std::move(broken)});
  };
  StoreCounters counted_;
};

}  // namespace

Result<std::uint64_t> verify_store(const Snapshot& snapshot, const View& view, DocumentReader& documents,
                                   const VerifyListener& listener) {
  return Verification(snapshot, view, documents, listener).run();
}

}  // namespace akin::opensearch
