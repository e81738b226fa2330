#include "index/opensearch/documents/document_reader.h"

#include <algorithm>
#include <utility>

#include "index/codec/posting.h"
#include "index/store/stored_document.h"

namespace akin::opensearch {
namespace {

/// So many documents are read ahead together, and so many bytes.
constexpr std::size_t kAheadDocuments = 500;
constexpr std::uint64_t kAheadBytes = std::uint64_t{8} << 20U;

}  // namespace

Result<const StoredDocument*> DocumentReader::take(const Json& hit) {
  AKIN_TRY(const auto number, value_in<std::int64_t>(hit, "number"));
  AKIN_TRY(RecordField field, record_in(hit));
  AKIN_TRY(DocumentRecord record, record_of(field.record, number));
  field.record.clear();
  Known document{{std::move(record), static_cast<std::uint64_t>(number)}, std::move(field)};
  return &known_.insert_or_assign(number, std::move(document)).first->second.document;
}

Result<void> DocumentReader::need(const std::vector<std::int64_t>& numbers) {
  const auto is_missing = [&](std::int64_t number) { return !known_.contains(number); };
  if (std::ranges::none_of(numbers, is_missing)) return {};
  forget_if_many();
  std::vector<std::int64_t> missing;
  std::ranges::copy_if(numbers, std::back_inserter(missing), is_missing);
  AKIN_TRY(const auto found, find({{"query", that("terms", "number", missing)}}, missing.size()));
  if (found.size() == missing.size()) return {};
  return corrupt(name_of_document(missing.front()), "it or another one that is known is not there");
}

Result<std::vector<StoredDocument>> DocumentReader::find(Json body, std::size_t limit) {
  forget_if_many();  // not between: those of a page are needed together
  std::vector<StoredDocument> found;
  body["docvalue_fields"] = kRecordFields;
  body["track_total_hits"] = false;
  while (found.size() < limit) {
    const std::size_t size = std::min(kRecordsAtOnce, limit - found.size());
    body["size"] = size;
    AKIN_TRY(const Json answer, view_.search(body));
    const Json& hits = hits_of(answer);
    for (const Json& hit : hits) {
      AKIN_TRY(const StoredDocument* const document, take(hit));
      found.push_back(*document);
    }
    if (hits.size() < size || !hits.back().contains("sort")) break;
    body["search_after"] = hits.back().at("sort");
  }
  return found;
}

Result<RecordField> DocumentReader::sizes_of(std::int64_t number) {
  AKIN_CHECK(need({number}));
  return known_.at(number).sizes;
}

Result<std::string> DocumentReader::read(std::int64_t number, PartKind kind) {
  if (const PartCache::Bytes kept = cache_.find(number, kind)) return *kept;
  AKIN_TRY(const RecordField sizes, sizes_of(number));
  const std::uint64_t bytes = sizes.bytes_of(kind);
  std::string whole;
  whole.reserve(bytes);
  for (std::uint64_t at = 0; at * kPieceBytes < bytes; ++at) {
    AKIN_TRY(const auto piece, view_.pieces({{number, kind, at}}));
    whole += piece.front();
  }
  if (whole.size() != bytes) return corrupt(name_of_document(number), "a part of it has another length");
  return whole;
}

Result<void> DocumentReader::read_ahead(std::span<const std::int64_t> numbers, Kinds kinds) {
  std::vector<Piece> wanted;  // each the only one of its part
  std::uint64_t sum = 0;
  for (const std::int64_t number : numbers.first(std::min(numbers.size(), kAheadDocuments))) {
    const auto known = known_.find(number);
    for (const PartKind kind : kinds) {
      const std::uint64_t bytes = known != known_.end() ? known->second.sizes.bytes_of(kind) : 0;
      if (bytes == 0 || bytes > kPieceBytes || cache_.find(number, kind) != nullptr) continue;
      wanted.push_back({number, kind, 0});
      sum += bytes;
    }
    if (wanted.empty()) return {};
    if (sum > kAheadBytes) break;
  }
  AKIN_TRY(std::vector<std::string> found, view_.pieces(wanted));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    cache_.keep(wanted[i].number, wanted[i].kind, std::move(found[i]));
  return {};
}

void DocumentReader::note_found(std::int64_t number) {
  if (place_of_.emplace(number, found_.size()).second) found_.push_back(number);
}

Result<void> DocumentReader::read_ahead_found(std::int64_t number, Kinds kinds) {
  const auto place = place_of_.find(number);
  if (place == place_of_.end()) return read_ahead({&number, 1}, kinds);
  std::vector<std::int64_t> numbers;
  for (std::size_t i = 0; i < std::min(found_.size(), kAheadDocuments); ++i)
    numbers.push_back(found_[(place->second + i) % found_.size()]);
  return read_ahead(numbers, kinds);
}

}  // namespace akin::opensearch
