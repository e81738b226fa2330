#include "index/store/store.h"

#include <atomic>
#include <utility>

#include "base/parallel.h"

namespace akin {

StoreSerial next_store_serial() noexcept {
  static std::atomic<std::uint64_t> last = 0;
  return StoreSerial{++last};
}

Result<StoredDocument> Snapshot::document(std::string_view id) const {
  AKIN_TRY(std::optional<StoredDocument> found, find(id));
  if (!found)
    return Error{Errc::not_found, "document '" + std::string(id) + "'", "there is none with this id",
                 "check the id, and in which collection it is"};
  return *std::move(found);
}

Result<std::string> Snapshot::text(const StoredDocument& document) const {
  AKIN_TRY(StoredText text, open_text(document));
  return std::move(text).take();
}

Result<Overlap> Snapshot::overlap_in(const StoredDocument& document, std::size_t tier,
                                     std::span<const Feature> query) const {
  AKIN_TRY(const FeatureSequence stored, features_in(document, tier));
  return overlap(query, stored.hashes);
}

Result<FeatureSequence> Snapshot::features_beside(const StoredDocument& document, std::size_t tier,
                                                  const FeatureSequence& /*query*/) const {
  return features_in(document, tier);
}

Result<std::string> Snapshot::text(std::string_view id) const {
  AKIN_TRY(const StoredDocument found, document(id));
  return text(found);
}

Result<StoredFile> Snapshot::file(std::string_view id) const {
  AKIN_TRY(const StoredDocument found, document(id));
  return file(found);
}

Result<FeatureSequence> Snapshot::features(std::string_view id) const {
  AKIN_TRY(const StoredDocument found, document(id));
  return features(found);
}

Result<FeatureSequence> Snapshot::features_in(std::string_view id, std::size_t tier) const {
  AKIN_TRY(const StoredDocument found, document(id));
  return features_in(found, tier);
}

Error no_texts_of(std::string_view id) {
  return Error{Errc::unsupported, "document '" + std::string(id) + "'", "this collection keeps no texts",
               "a collection made with texts gives them back"};
}

Error no_file_of(std::string_view id, const StoreIdentity& store) {
  const std::string what = "the file of document '" + std::string(id) + "'";
  if (!store.store_file) {
    return Error{Errc::unsupported, what, "this collection keeps no files",
                 "a collection made with store_file gives them back"};
  }
  return Error{Errc::not_found, what, "the document was not read from a file", "read its text"};
}

Result<PutResult> Store::put(const NewDocument& document, const Precondition& condition) {
  Change change{.id = document.record.id, .document = prepare(document), .condition = condition};
  AKIN_TRY(const WriteResults results, write({&change, 1}, WriteMode::all));
  return results.front();
}

Result<std::vector<PutResult>> Store::put_all(const std::vector<NewDocument>& documents) {
  std::vector<Change> changes(documents.size());
  for_each_index(documents.size(), [&](std::size_t i) {
    changes[i] = {.id = documents[i].record.id, .document = prepare(documents[i])};
  });
  AKIN_TRY(const WriteResults results, write(changes, WriteMode::all));
  return values_of(results);
}

Result<std::uint64_t> Store::remove(const std::vector<std::string>& ids) {
  std::vector<Change> changes;
  changes.reserve(ids.size());
  for (const std::string& id : ids) changes.push_back({.id = id});
  AKIN_TRY(const WriteResults results, write(changes, WriteMode::all));
  return count_replaced(results);
}

std::vector<PutResult> values_of(const WriteResults& results) {
  std::vector<PutResult> values;
  values.reserve(results.size());
  for (const Result<PutResult>& one : results) values.push_back(*one);
  return values;
}

std::uint64_t count_replaced(const WriteResults& results) {
  std::uint64_t count = 0;
  for (const Result<PutResult>& one : results) count += one->replaced ? 1U : 0U;
  return count;
}

}  // namespace akin
