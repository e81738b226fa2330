#include "server/ingest/places.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "base/utf8.h"
#include "index/codec/encoding.h"

namespace akin::ingest {

namespace {

using extract::Document;
using extract::Piece;

// What begins a range, with the bits of its kind: how far it begins behind the one before, and whether page
// and part are others than there.
constexpr std::uint64_t kKindBits = 2, kNewPage = 4, kNewPart = 8;
constexpr unsigned kFlagBits = 4;
static_assert(extract::kPieceKindNames.size() <= (1U << kKindBits));

constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();

bool has_places(const Document& file) {
  return std::ranges::any_of(file.map, [](const Piece& piece) { return piece.page > 0 || piece.part > 0; });
}

void append_ranges(std::string& bytes, const std::vector<Piece>& map) {
  Piece before;
  bool first = true;
  for (const Piece& piece : map) {
    const bool same = piece.kind == before.kind && piece.page == before.page && piece.part == before.part;
    if (same && !first) continue;
    const std::uint64_t flags = static_cast<std::uint64_t>(piece.kind) |
                                (piece.page == before.page ? 0 : kNewPage) |
                                (piece.part == before.part ? 0 : kNewPart);
    append_varint(bytes, std::uint64_t{piece.range.begin - before.range.begin} << kFlagBits | flags);
    if (piece.page != before.page) append_varint(bytes, zigzag(std::int64_t{piece.page} - before.page));
    if (piece.part != before.part) append_varint(bytes, zigzag(std::int64_t{piece.part} - before.part));
    before = piece;
    first = false;
  }
}

/// Of a file of which at most `most` can be; nothing if the sum is none.
std::optional<std::uint32_t> moved(std::uint32_t from, std::uint64_t by, std::uint64_t most) {
  const std::int64_t step = unzigzag(by);
  constexpr std::int64_t kMost = kEnd;
  if (step < -kMost || step > kMost) return std::nullopt;
  const std::int64_t to = from + step;
  if (to < 0 || static_cast<std::uint64_t>(to) > most) return std::nullopt;
  return static_cast<std::uint32_t>(to);
}

/// The range after `before`; nothing if there can be none.
std::optional<Piece> read_range(ByteReader& reader, const Piece& before, std::size_t parts) {
  const std::uint64_t head = reader.varint();
  const std::uint64_t begin = (head >> kFlagBits) + before.range.begin;
  std::optional<std::uint32_t> page = before.page, part = before.part;
  if ((head & kNewPage) != 0) page = moved(before.page, reader.varint(), kEnd);
  if ((head & kNewPart) != 0) part = moved(before.part, reader.varint(), parts);
  if (!reader.ok() || begin >= kEnd || !page || !part) return std::nullopt;
  return Piece{{static_cast<std::uint32_t>(begin), kEnd},
               static_cast<extract::PieceKind>(head % (1U << kKindBits)),
               *page,
               *part};
}

bool read(ByteReader reader, Document& file) {
  const std::uint64_t parts = reader.varint();
  if (parts > reader.left()) return false;
  for (std::uint64_t i = 0; i < parts; ++i) file.parts.emplace_back(reader.counted());
  Piece before;
  while (reader.ok() && reader.left() > 0) {
    const std::optional<Piece> piece = read_range(reader, before, file.parts.size());
    if (!piece) return false;
    if (!file.map.empty()) file.map.back().range.end = piece->range.begin;
    before = file.map.emplace_back(*piece);
  }
  return reader.finished();
}

Error wrong(std::string reason) {
  return Error{Errc::invalid_argument, "field 'places'", std::move(reason),
               R"(give {"parts": [names], "ranges": [[begin, kind, page, part]]}, as akin export does)"};
}

Result<Piece> read_range(const json::Json& range, const Document& file) {
  const auto is_number = [](const json::Json& value) {
    return value.is_number_unsigned() && value.get<std::uint64_t>() < kEnd;
  };
  if (!range.is_array() || range.size() != 4 || !is_number(range[0]) || !range[1].is_string() ||
      !is_number(range[2]) || !is_number(range[3]))
    return wrong("a range is not [begin, kind, page, part]");
  const auto kind = std::ranges::find(extract::kPieceKindNames, range[1].get_ref<const std::string&>());
  if (kind == extract::kPieceKindNames.end()) return wrong("a range has an unknown kind");
  const Piece piece{{range[0].get<std::uint32_t>(), kEnd},
                    static_cast<extract::PieceKind>(kind - extract::kPieceKindNames.begin()),
                    range[2].get<std::uint32_t>(),
                    range[3].get<std::uint32_t>()};
  if (piece.part > file.parts.size()) return wrong("a range has a part that 'parts' does not name");
  if (!file.map.empty() && file.map.back().range.begin >= piece.range.begin)
    return wrong("the ranges do not ascend");
  return piece;
}

}  // namespace

FilePlace place_of(const Document& file, TextRange range) {
  const Piece* first = extract::piece_at(file, range.begin);
  const Piece* last = extract::piece_at(file, range.end > range.begin ? range.end - 1 : range.begin);
  if (first == nullptr || last == nullptr) return {};
  FilePlace place{.first_page = first->page, .last_page = last->page, .part = {}};
  if (first->part > 0) place.part = file.parts[first->part - 1];
  return place;
}

void add_place(json::Json& passage, const std::string& side, const FilePlace& place) {
  if (place.first_page > 0) passage[side + "_pages"] = json::Json::array({place.first_page, place.last_page});
  if (!place.part.empty()) passage[side + "_part"] = place.part;
}

std::string encode_places(const Document& file) {
  if (!has_places(file)) return {};
  std::string bytes;
  append_varint(bytes, file.parts.size());
  for (const std::string& part : file.parts) append_counted(bytes, part);
  append_ranges(bytes, file.map);
  return bytes.size() > kMaxPlacesBytes ? std::string() : bytes;
}

Document decode_places(std::string_view bytes) {
  Document file;
  if (bytes.empty() || !read(ByteReader(bytes), file)) return {};
  return file;
}

json::Json places_object(std::string_view bytes) {
  const Document file = decode_places(bytes);
  if (file.map.empty()) return nullptr;
  json::Json ranges = json::Json::array();
  for (const Piece& piece : file.map) {
    ranges.push_back(
        json::Json::array({piece.range.begin, extract::kPieceKindNames[static_cast<std::size_t>(piece.kind)],
                           piece.page, piece.part}));
  }
  return {{"parts", file.parts}, {"ranges", std::move(ranges)}};
}

Result<std::string> read_places(const json::Json& object) {
  if (!object.is_object() || object.size() != 2 || !object.contains("parts") || !object.contains("ranges") ||
      !object["parts"].is_array() || !object["ranges"].is_array())
    return wrong("is not an object with the arrays 'parts' and 'ranges'");
  Document file;
  for (const json::Json& part : object["parts"]) {
    if (!part.is_string()) return wrong("a part is not a string");
    file.parts.push_back(part.get<std::string>());
  }
  for (const json::Json& range : object["ranges"]) {
    AKIN_TRY(const Piece piece, read_range(range, file));
    file.map.push_back(piece);
  }
  std::string bytes = encode_places(file);
  if (bytes.empty() && has_places(file)) {
    return Error{Errc::too_large, "field 'places'",
                 "takes more than " + std::to_string(kMaxPlacesBytes) + " bytes", "leave it out"};
  }
  return bytes;
}

}  // namespace akin::ingest
