#include "index/write/prepared_document.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/rfc3339.h"
#include "base/text_codec.h"
#include "base/time.h"
#include "index/codec/stored_text.h"
#include "index/store/records.h"
#include "index/write/derived_features.h"

namespace akin {

namespace {

Error refused(const DocumentRecord& record, Errc code, std::string reason) {
  return Error{code, "document '" + record.id + "'", std::move(reason), ""};
}

Result<void> check(const NewDocument& document, const StoreIdentity& store) {
  const DocumentRecord& record = document.record;
  if (record.id.empty() || record.id.size() > kMaxIdBytes) {
    return refused(record, Errc::invalid_argument,
                   "the id does not have 1 to " + std::to_string(kMaxIdBytes) + " bytes");
  }
  if (document.features == nullptr || document.features->hashes.size() != document.features->ranges.size() ||
      document.features->hashes.size() != record.all_features() ||
      (!record.tier_sizes.empty() && record.features != record.tier_sizes.front()) ||
      (store.store_text && document.text.size() != record.text_bytes) ||
      (document.file && (!record.file || document.file->bytes.empty()))) {
    return refused(record, Errc::invalid_argument, "record, text and features contradict each other");
  }
  const auto reversed = [](TextRange range) { return range.begin > range.end; };
  if (std::any_of(document.features->ranges.begin(), document.features->ranges.end(), reversed)) {
    return refused(record, Errc::invalid_argument, "a feature's range ends before it begins");
  }
  if (record.revision > kMaxRevision) {
    return refused(record, Errc::invalid_argument,
                   "the revision is larger than " + std::to_string(kMaxRevision.value));
  }
  if (record.all_features() > kMaxFeatures)
    return refused(record, Errc::too_large, "more than 4294967295 features");
  if (document.text.size() > kMaxTextBytes)
    return refused(record, Errc::too_large, "the text is longer than 4 GiB");
  return {};
}

std::string encode(const NewDocument& document, std::span<const FeatureCount> counts,
                   const StoredForm& form) {
  constexpr std::size_t kLeastDerived = 8;  // fewer take no more bytes than what replaces them
  const FeatureSequence& sequence = *document.features;
  const bool is_derived =
      form.derived && document.text.size() <= kMostDerivedText && sequence.hashes.size() >= kLeastDerived;
  return is_derived ? encode_derived(sequence, counts) : encode_sequence(sequence, counts, form.hashes);
}

Error not_as_wanted(std::string_view id, std::string reason) {
  return Error{Errc::precondition_failed, "document '" + std::string(id) + "'", std::move(reason),
               "read what is there, then decide"};
}

std::uint64_t microseconds_now() {
  const auto now = time_now().time_since_epoch();
  return now.count() > 0 ? static_cast<std::uint64_t>(now.count()) : 0;
}

}  // namespace

Result<PreparedDocument> prepare(NewDocument document, const StoreIdentity& store, const StoredForm& form) {
  AKIN_CHECK(check(document, store));
  PreparedDocument prepared;
  prepared.id = document.record.id;
  if (store.store_text) {
    AKIN_TRY(prepared.text, encode_text(document.text));
    if (form.words != nullptr) {
      prepared.words = document.words;
      if (prepared.words.empty()) {
        AKIN_TRY(prepared.words, (*form.words)(document.text));
      }
    }
  }
  const bool keeps_file = store.store_file && document.file;
  if (keeps_file) {
    AKIN_TRY(prepared.file, encode_file(*document.file));
  }
  const std::uint64_t kept_bytes = keeps_file ? document.file->bytes.size() : 0;
  if (document.record.file) document.record.file->kept_bytes = kept_bytes;
  prepared.record = encode_record(document.record);
  prepared.revision = document.record.revision;
  prepared.counts = count_features(document.features->hashes);
  prepared.sequence =
      encode(document, prepared.counts, {form.hashes, form.derived && store.store_text, form.words});
  prepared.text_bytes = document.record.text_bytes;
  prepared.file_bytes = kept_bytes;
  prepared.features = document.record.all_features();
  return prepared;
}

Result<WriteResults> refusals(std::span<const Change> changes, WriteMode mode) {
  WriteResults results(changes.size(), PutResult());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const auto& document = changes[i].document;
    if (!document || !document->has_error()) continue;
    if (mode == WriteMode::all) return document->error();
    results[i] = document->error();
  }
  return results;
}

bool are_all_refused(const WriteResults& results) {
  return std::ranges::all_of(results, [](const auto& one) { return one.has_error(); });
}

Result<void> check_revision(Revision revision) {
  if (revision <= kMaxRevision) return {};
  return Error{Errc::invalid_argument, "revision", "larger than " + std::to_string(kMaxRevision.value), ""};
}

Result<void> require_presence(std::string_view id, const Precondition& condition, bool there) {
  if (condition.kind == Precondition::Kind::none || (!there && condition.or_absent)) return {};
  if (there != (condition.kind == Precondition::Kind::absent)) return {};
  return not_as_wanted(id, there ? "there is one with this id" : "there is none with this id");
}

Result<void> require_revision(std::string_view id, const Precondition& condition, Revision revision) {
  if (condition.kind != Precondition::Kind::revision_in || condition.holds_for(revision)) return {};
  return not_as_wanted(id, "it has another revision, stored " + format_rfc3339(revision.value));
}

Revision revision_after(Revision last) { return Revision(std::max(last.value + 1, microseconds_now())); }

}  // namespace akin
