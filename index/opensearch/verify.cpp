#include <algorithm>
#include <utility>

#include "index/codec/feature_counts.h"
#include "index/opensearch/store.h"
#include "index/store/kept_words.h"
#include "index/store/stored_document.h"

namespace akin::opensearch {
namespace {

constexpr std::size_t kPage = 256;

/// Whether the outcome is a value; reports damage. Other errors end the verification.
template <class T>
Result<bool> is_sound(const Result<T>& outcome, const ReportBroken& report) {
  if (!outcome.has_error()) return true;
  if (outcome.error().code != Errc::corrupt) return outcome.error();
  report(outcome.error().reason);
  return false;
}

/// Compares a document's postings with its sequence.
Result<void> check_postings(const Snapshot& snapshot, const StoredDocument& document,
                            const FeatureSequence& sequence, const ReportBroken& report) {
  if (sequence.hashes.empty()) return {};
  SearchRequest request;
  request.query = &sequence;
  request.bound = sequence.hashes.size() - 1;
  request.limit = 0;
  request.accept = [&](const DocumentRecord& record) { return Result<bool>(record.id == document.id); };
  AKIN_TRY(const SearchResult found_itself, snapshot.search(request));
  if (found_itself.total != 1) report("its sequence and its postings differ");
  return {};
}

Result<void> check_document(const Snapshot& snapshot, const StoredDocument& document,
                            const std::string& where, const ReportBroken& report) {
  const Result<FeatureSequence> sequence = snapshot.features(document);
  AKIN_TRY(const bool has_sequence, is_sound(sequence, report));
  if (has_sequence) {
    check_sequence({*sequence}, document, report);
    AKIN_CHECK(check_postings(snapshot, document, *sequence, report));
  }
  if (document.file && document.file->kept_bytes > 0) AKIN_CHECK(is_sound(snapshot.file(document), report));
  const Result<std::string> text = snapshot.text(document);
  if (text.has_error() && text.error().code == Errc::unsupported) return {};  // texts are not kept
  AKIN_TRY(const bool has_text, is_sound(text, report));
  if (has_text) check_text(*text, document, report);
  AKIN_CHECK(is_sound(snapshot.kept_words(document,
                                          [&](std::string_view words) {
                                            return check_kept_words(words, document.text_bytes, where);
                                          }),
                      report));
  return {};
}

}  // namespace

Result<std::uint64_t> verify_store(const Snapshot& snapshot, const View& view, DocumentReader& documents,
                                   const VerifyListener& listener) {
  std::string where;  // what is checked
  std::uint64_t findings = 0;
  const ReportBroken report = [&](std::string broken) {
    ++findings;
    if (listener.report) listener.report({where, std::move(broken)});
  };
  const StoreCounters& counters = view.head().counters;
  StoreCounters counted;
  for (std::string after;;) {
    AKIN_TRY(const std::vector<StoredDocument> page, snapshot.list(after, kPage));
    if (page.empty()) break;
    for (const StoredDocument& document : page) {
      const auto number = static_cast<std::int64_t>(document.number);
      where = name_of_document(number) + " ('" + document.id + "')";
      AKIN_TRY(const RecordField sizes, documents.sizes_of(number));
      ++counted.documents;
      counted.features += static_cast<std::int64_t>(document.all_features());
      counted.postings += static_cast<std::int64_t>(sizes.postings);
      counted.text_bytes += static_cast<std::int64_t>(document.text_bytes);
      counted.text_stored_bytes += static_cast<std::int64_t>(sizes.bytes_of(PartKind::text));
      counted.files.bytes += document.file ? static_cast<std::int64_t>(document.file->kept_bytes) : 0;
      counted.files.stored_bytes += static_cast<std::int64_t>(sizes.bytes_of(PartKind::file));
      counted.last_revision = std::max(counted.last_revision, document.revision);
      AKIN_CHECK(check_document(snapshot, document, where, report));
      if (listener.progress) {
        listener.progress(static_cast<std::uint64_t>(counted.documents),
                          static_cast<std::uint64_t>(counters.documents));
      }
    }
    after = page.back().id;
  }
  where = "counters";
  counters.compare(counted, report);
  return findings;
}

}  // namespace akin::opensearch
