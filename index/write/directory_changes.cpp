#include "index/write/directory_changes.h"

#include <algorithm>
#include <utility>

#include "index/store/records.h"
#include "index/write/prepared_document.h"

namespace akin {
namespace {

template <class T>
std::int64_t as_signed(T value) noexcept {
  return static_cast<std::int64_t>(value);
}

}  // namespace

void StoreCounters::fill(StoreStats& stats, const StoreIdentity& store) const {
  const auto count = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
  stats.documents = count(documents);
  stats.features = count(features);
  stats.postings = count(postings);
  stats.text_bytes = count(text_bytes);
  stats.text_stored_bytes = count(text_stored_bytes);
  stats.last_revision = last_revision;
  if (store.store_file) stats.files = {count(files.bytes), count(files.stored_bytes)};
}

void StoreCounters::compare(const StoreCounters& counted,
                            const std::function<void(std::string)>& report) const {
  const auto check = [&](std::string_view name, std::int64_t stored, std::int64_t there) {
    if (stored != there) {
      report(std::string(name) + " is " + std::to_string(stored) + ", but " + std::to_string(there) +
             " were counted");
    }
  };
  check("documents", documents, counted.documents);
  check("features", features, counted.features);
  check("postings", postings, counted.postings);
  check("text bytes", text_bytes, counted.text_bytes);
  check("stored text bytes", text_stored_bytes, counted.text_stored_bytes);
  check("file bytes", files.bytes, counted.files.bytes);
  check("stored file bytes", files.stored_bytes, counted.files.stored_bytes);
  if (counted.last_revision > last_revision) report("a document has a later revision than the last one");
}

void DocumentCounts::take(const DocumentRecord& record) {
  features = as_signed(record.all_features());
  text_bytes = as_signed(record.text_bytes);
  files.bytes = record.file ? as_signed(record.file->kept_bytes) : 0;
}

void StoreCounters::add(const DocumentCounts& document, std::int64_t times) {
  documents += times;
  features += times * document.features;
  postings += times * document.postings;
  text_bytes += times * document.text_bytes;
  text_stored_bytes += times * document.stored_bytes;
  files.bytes += times * document.files.bytes;
  files.stored_bytes += times * document.files.stored_bytes;
}

void DirectoryChanges::Known::take_record(std::string_view record) {
  if (const auto decoded = decode_record(record)) take(*decoded);
}

void DirectoryChanges::note(std::string_view id, const Known& known, bool may_change) {
  revisions_.emplace(known.revision, id);
  if (may_change) known_.emplace(std::string(id), known);
}

void DirectoryChanges::continue_after(Revision revision) noexcept {
  counters_.last_revision = std::max(counters_.last_revision, revision);
}

Result<Revision> DirectoryChanges::new_revision(const PreparedDocument& document) {
  if (!document.revision.is_assigned()) {
    counters_.last_revision = revision_after(counters_.last_revision);
    return counters_.last_revision;
  }
  if (revisions_.contains(document.revision)) {
    return Error{Errc::invalid_argument, "document '" + document.id + "'",
                 "another document has its revision " + std::to_string(document.revision.value), ""};
  }
  continue_after(document.revision);
  return document.revision;
}

/// Removes a document and subtracts its counts.
void DirectoryChanges::withdraw(const Known& known) {
  counters_.add(known, -1);
  revisions_.erase(known.revision);
  if (known.document == nullptr) removed_.push_back(known.number);
}

Result<PutResult> DirectoryChanges::put(PreparedDocument& document) {
  const auto found = known_.find(document.id);
  const bool replaced = found != known_.end();
  if (replaced) {
    withdraw(found->second);
    known_.erase(found);
  }
  AKIN_TRY(const Revision revision, new_revision(document));
  const Known known{{as_signed(document.features),
                     as_signed(document.counts.size()),
                     as_signed(document.text_bytes),
                     as_signed(document.text.size()),
                     {as_signed(document.file_bytes), as_signed(document.file.size())}},
                    numbers_.at(&document),
                    revision,
                    &document};
  set_revision(document.record, revision);
  counters_.add(known);
  revisions_.emplace(revision, document.id);
  known_.emplace(document.id, known);
  return PutResult{replaced, revision};
}

Result<bool> DirectoryChanges::remove(std::string_view id) {
  const auto found = known_.find(id);
  if (found == known_.end()) return false;
  withdraw(found->second);
  known_.erase(found);
  return true;
}

Result<void> DirectoryChanges::require(std::string_view id, const Precondition& condition) const {
  const auto found = known_.find(id);
  AKIN_CHECK(require_presence(id, condition, found != known_.end()));
  return found == known_.end() ? Result<void>() : require_revision(id, condition, found->second.revision);
}

}  // namespace akin
