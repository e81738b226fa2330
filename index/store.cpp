#include "index/store.h"

#include <atomic>
#include <utility>

namespace akin {

StoreSerial next_store_serial() noexcept {
  static std::atomic<std::uint64_t> last = 0;
  return StoreSerial{++last};
}

Result<StoredText> Snapshot::open_text(std::string_view id) const {
  AKIN_TRY(std::string whole, text(id));
  return StoredText(std::move(whole));
}

Result<void> Snapshot::kept_words(std::string_view /*id*/, const ReadBytes& /*read*/) const { return {}; }

Error no_file_of(std::string_view id, const StoreIdentity& store) {
  const std::string what = "the file of document '" + std::string(id) + "'";
  if (!store.store_file) {
    return Error{Errc::unsupported, what, "this collection keeps no files",
                 "a collection made with store_file gives them back"};
  }
  return Error{Errc::not_found, what, "the document was not read from a file", "read its text"};
}

Result<PutResult> Store::put(const NewDocument& document, const Precondition& condition) {
  const Change change{.document = &document, .condition = condition};
  AKIN_TRY(const WriteResults results, write({&change, 1}, WriteMode::all, nullptr));
  return results.front();
}

Result<std::vector<PutResult>> Store::put_all(const std::vector<NewDocument>& documents) {
  std::vector<Change> changes;
  changes.reserve(documents.size());
  for (const NewDocument& one : documents) changes.push_back({.document = &one});
  AKIN_TRY(const WriteResults results, write(changes, WriteMode::all, nullptr));
  return values_of(results);
}

Result<std::uint64_t> Store::remove(const std::vector<std::string>& ids) {
  std::vector<Change> changes;
  changes.reserve(ids.size());
  for (const std::string& id : ids) changes.push_back({.id = id});
  AKIN_TRY(const WriteResults results, write(changes, WriteMode::all, nullptr));
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
