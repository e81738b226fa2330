#include "index/opensearch/documents/document_reader.h"

#include <algorithm>
#include <utility>

#include "index/codec/posting.h"
#include "index/opensearch/documents/overlap_search.h"
#include "index/store/records.h"

namespace akin::opensearch {
namespace {

/// So many documents are read ahead together, and so many bytes.
constexpr std::size_t kAheadDocuments = 500;
constexpr std::uint64_t kAheadBytes = std::uint64_t{8} << 20U;

}  // namespace

std::string name_of_document(std::int64_t number) { return "document " + std::to_string(number); }

Result<const StoredDocument*> DocumentReader::take(const Json& hit) {
  AKIN_TRY(const std::int64_t number, number_in(hit, "number"));
  AKIN_TRY(const std::string encoded, text_in(hit, "sizes"));
  AKIN_TRY(const Sizes sizes, Sizes::decoded(encoded));
  AKIN_TRY(const std::string bytes, bytes_in(hit, "record"));
  auto record = decode_record(bytes);
  if (!record) return corrupt(name_of_document(number), "its record cannot be decoded");
  Known document{{*std::move(record), static_cast<std::uint64_t>(number)}, sizes};
  return &known_.insert_or_assign(number, std::move(document)).first->second.document;
}

const StoredDocument* DocumentReader::known(std::int64_t number) const {
  const auto found = known_.find(number);
  return found == known_.end() ? nullptr : &found->second.document;
}

Result<std::vector<StoredDocument>> DocumentReader::find(Json body, std::size_t limit) {
  std::vector<StoredDocument> found;
  forget_if_many();  // not between: those of a page are needed together
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

Result<Sizes> DocumentReader::sizes_of(std::int64_t number) {
  if (const auto here = known_.find(number); here != known_.end()) return here->second.sizes;
  AKIN_TRY(const auto found, find({{"query", {{"filter", {{{"term", {{"number", number}}}}}}}}}, 1));
  if (found.empty()) return corrupt(name_of_document(number), "it is not there");
  return known_.at(number).sizes;
}

Result<std::string> DocumentReader::read(std::int64_t number, PartKind kind) {
  if (const PartCache::Bytes kept = cache_.find(number, kind)) return *kept;
  AKIN_TRY(const Sizes sizes, sizes_of(number));
  const auto bytes = static_cast<std::uint64_t>(sizes.of(kind));
  std::string whole;
  whole.reserve(bytes);
  for (std::uint64_t at = 0; at * kPieceBytes < bytes; ++at) {
    AKIN_TRY(const auto piece, view_.pieces({{number, kind, at}}));
    whole += piece.begin()->second;
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
      const auto bytes = known != known_.end() ? static_cast<std::uint64_t>(known->second.sizes.of(kind)) : 0;
      if (bytes == 0 || bytes > kPieceBytes || cache_.find(number, kind) != nullptr) continue;
      wanted.push_back({number, kind, 0});
      sum += bytes;
    }
    if (wanted.empty()) return {};
    if (sum > kAheadBytes) break;
  }
  AKIN_TRY(auto found, view_.pieces(wanted));
  for (auto& [piece, bytes] : found) cache_.keep(piece.number, piece.kind, std::move(bytes));
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
