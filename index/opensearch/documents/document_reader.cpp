#include "index/opensearch/documents/document_reader.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "index/codec/posting.h"
#include "index/opensearch/documents/overlap_search.h"
#include "index/store/records.h"

namespace akin::opensearch {
namespace {

constexpr std::size_t kMostSizes = 100'000;
/// So many documents are read ahead together, and so many bytes.
constexpr std::size_t kAheadDocuments = 500;
constexpr std::uint64_t kAheadBytes = std::uint64_t{8} << 20U;

}  // namespace

std::string name_of_document(std::int64_t number) { return "document " + std::to_string(number); }

Result<StoredDocument> DocumentReader::document_of(const Json& hit) {
  AKIN_TRY(const std::int64_t number, number_in(hit, "number"));
  AKIN_TRY(const std::string encoded, text_in(hit, "sizes"));
  AKIN_TRY(const Sizes sizes, Sizes::decoded(encoded));
  sizes_.insert_or_assign(number, sizes);
  AKIN_TRY(const std::string bytes, bytes_in(hit, "record"));
  auto record = decode_record(bytes);
  if (!record) return corrupt(name_of_document(number), "its record cannot be decoded");
  return StoredDocument{*std::move(record), static_cast<std::uint64_t>(number)};
}

Result<std::vector<StoredDocument>> DocumentReader::find(Json body, std::size_t limit) {
  std::vector<StoredDocument> found;
  if (sizes_.size() > kMostSizes) sizes_.clear();  // not between: those of a page are needed together
  body["docvalue_fields"] = kRecordFields;
  body["track_total_hits"] = false;
  while (found.size() < limit) {
    const std::size_t size = std::min(kRecordsAtOnce, limit - found.size());
    body["size"] = size;
    AKIN_TRY(const Json answer, view_.search(body));
    const Json& hits = hits_of(answer);
    for (const Json& hit : hits) {
      AKIN_TRY(StoredDocument document, document_of(hit));
      found.push_back(std::move(document));
    }
    if (hits.size() < size || !hits.back().contains("sort")) break;
    body["search_after"] = hits.back().at("sort");
  }
  return found;
}

Result<Sizes> DocumentReader::sizes_of(std::int64_t number) {
  if (const auto here = sizes_.find(number); here != sizes_.end()) return here->second;
  AKIN_TRY(const auto found, find({{"query", {{"filter", {{{"term", {{"number", number}}}}}}}}}, 1));
  if (found.empty()) return corrupt(name_of_document(number), "it is not there");
  return sizes_.at(number);
}

Result<std::string> DocumentReader::read_piece(const Piece& piece) const {
  AKIN_TRY(auto found, view_.pieces({piece}));
  return std::move(found.begin()->second);
}

Result<std::string> DocumentReader::read(std::int64_t number, PartKind kind) {
  if (const PartCache::Bytes kept = cache_.find(number, kind)) return *kept;
  AKIN_TRY(const Sizes sizes, sizes_of(number));
  const auto bytes = static_cast<std::uint64_t>(sizes.of(kind));
  std::string whole;
  whole.reserve(bytes);
  for (std::uint64_t at = 0; at * kPieceBytes < bytes; ++at) {
    AKIN_TRY(const std::string next, read_piece({number, kind, at}));
    whole += next;
  }
  if (whole.size() != bytes) return corrupt(name_of_document(number), "a part of it has another length");
  return whole;
}

Result<StoredBytes> DocumentReader::open_text(std::int64_t number) {
  AKIN_TRY(const Sizes sizes, sizes_of(number));
  struct Last {
    std::uint64_t piece = ~std::uint64_t{0};
    std::string bytes;
  };
  const auto bytes = static_cast<std::uint64_t>(sizes.of(PartKind::text));
  return StoredBytes{
      bytes,
      [this, number, last = std::make_shared<Last>()](std::uint64_t begin, std::uint64_t end,
                                                      std::string& buffer) -> Result<std::string_view> {
        buffer.clear();
        while (begin < end) {
          const std::uint64_t at = begin / kPieceBytes;
          if (last->piece != at) {
            AKIN_TRY(last->bytes, read_piece({number, PartKind::text, at}));
            last->piece = at;
          }
          const std::string_view some = std::string_view(last->bytes);
          const std::uint64_t from = begin - at * kPieceBytes;
          if (from >= some.size()) return corrupt(name_of_document(number), "its text ends early");
          buffer += some.substr(from, end - begin);
          begin = at * kPieceBytes + std::min<std::uint64_t>(some.size(), from + (end - begin));
        }
        return std::string_view(buffer);
      }};
}

Result<void> DocumentReader::read_ahead(std::span<const std::int64_t> numbers, Kinds kinds) {
  std::vector<Piece> wanted;  // each the only one of its part
  std::uint64_t sum = 0;
  for (const std::int64_t number : numbers.first(std::min(numbers.size(), kAheadDocuments))) {
    const auto sizes = sizes_.find(number);
    for (const PartKind kind : kinds) {
      const auto bytes = sizes != sizes_.end() ? static_cast<std::uint64_t>(sizes->second.of(kind)) : 0;
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
