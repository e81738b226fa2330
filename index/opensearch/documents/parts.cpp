#include "index/opensearch/documents/parts.h"

#include <memory>
#include <utility>

#include "index/codec/posting.h"

namespace akin::opensearch {

std::string name_of_document(std::int64_t number) { return "document " + std::to_string(number); }

Result<Sizes> Parts::sizes_of(std::int64_t number) const {
  const auto here = sizes_.find(number);
  if (here != sizes_.end()) return here->second;
  AKIN_TRY(const Json answer, view_.search({{"size", 1},
                                            {"query", {{"filter", {{{"term", {{"number", number}}}}}}}},
                                            {"docvalue_fields", {"sizes"}}}));
  const Json& hits = hits_of(answer);
  if (hits.empty()) return corrupt(name_of_document(number), "it is not there");
  AKIN_TRY(const std::string encoded, text_in(hits.front(), "sizes"));
  AKIN_TRY(const Sizes sizes, Sizes::decoded(encoded));
  sizes_.emplace(number, sizes);
  return sizes;
}

Result<std::string> Parts::read_piece(const Piece& piece) const {
  AKIN_TRY(auto found, view_.pieces({piece}));
  return std::move(found.begin()->second);
}

Result<std::string> Parts::read(std::int64_t number, PartKind kind) const {
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

Result<StoredBytes> Parts::open_text(std::int64_t number) const {
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

Result<void> Parts::prefetch(const std::vector<std::int64_t>& numbers,
                             std::initializer_list<PartKind> kinds) const {
  if (cache_.find(numbers.front(), *kinds.begin()) != nullptr) return {};
  std::vector<Piece> wanted;  // each the only one of its part
  for (const std::int64_t number : numbers) {
    const auto sizes = sizes_.find(number);
    if (sizes == sizes_.end()) continue;
    for (const PartKind kind : kinds) {
      const auto bytes = static_cast<std::uint64_t>(sizes->second.of(kind));
      if (bytes != 0 && bytes <= kPieceBytes && cache_.find(number, kind) == nullptr)
        wanted.push_back({number, kind, 0});
    }
  }
  if (wanted.empty()) return {};
  AKIN_TRY(auto found, view_.pieces(wanted));
  for (auto& [piece, bytes] : found) cache_.keep(piece.number, piece.kind, std::move(bytes));
  return {};
}

}  // namespace akin::opensearch
