#include "index/store/records.h"

#include <algorithm>

#include "index/codec/encoding.h"
#include "morph/schemes/tiers.h"

namespace akin {

namespace {

// What a record has at its end, a bit each.
constexpr std::uint8_t kTextDigest = 1, kFile = 2, kPlaces = 4, kKeptFile = 8;
constexpr std::uint8_t kKnown = kTextDigest | kFile | kPlaces | kKeptFile;

std::string_view view_of(const Sha256& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

Sha256 read_digest(ByteReader& reader) {
  Sha256 digest{};
  const std::string_view bytes = reader.bytes(digest.size());
  std::ranges::copy(bytes, digest.begin());
  return digest;
}

std::uint8_t present_in(const DocumentRecord& record) {
  return static_cast<std::uint8_t>((record.text_sha256 ? kTextDigest : 0) | (record.file ? kFile : 0) |
                                   (record.places.empty() ? 0 : kPlaces) |
                                   (record.file && record.file->kept_bytes > 0 ? kKeptFile : 0));
}

void append_end(std::string& bytes, const DocumentRecord& record) {
  bytes.push_back(static_cast<char>(present_in(record)));
  if (record.text_sha256) bytes.append(view_of(*record.text_sha256));
  if (record.file) {
    bytes.append(view_of(record.file->sha256));
    append_u64(bytes, record.file->reading);
    if (record.file->kept_bytes > 0) append_varint(bytes, record.file->kept_bytes);
  }
  if (!record.places.empty()) append_counted(bytes, record.places);
}

/// Whether the end of the record was read, and is one that append_end writes.
bool read_end(ByteReader& reader, DocumentRecord& record) {
  const std::uint8_t present = reader.u8();
  if (present == 0 || present > kKnown || (present & (kFile | kKeptFile)) == kKeptFile) return false;
  if ((present & kTextDigest) != 0) record.text_sha256 = read_digest(reader);
  if ((present & kFile) != 0) {
    record.file.emplace().sha256 = read_digest(reader);
    record.file->reading = reader.u64();
  }
  if ((present & kKeptFile) != 0) {
    record.file->kept_bytes = reader.varint();
    if (record.file->kept_bytes == 0) return false;
  }
  if ((present & kPlaces) != 0) {
    record.places = reader.counted();
    if (record.places.empty()) return false;
  }
  return reader.finished();
}

}  // namespace

std::string encode_record(const DocumentRecord& record) {
  std::string bytes;
  bytes.reserve(record.id.size() + record.title.size() + record.metadata.size() + record.places.size() + 40);
  append_u64(bytes, record.revision.value);
  append_varint(bytes, record.text_bytes);
  append_varint(bytes, record.code_points);
  append_varint(bytes, record.sentences);
  append_varint(bytes, record.features);
  append_counted(bytes, record.id);
  append_counted(bytes, record.title);
  append_counted(bytes, record.metadata);
  const bool has_end = present_in(record) != 0;
  if (!record.tier_sizes.empty() || has_end) append_varint(bytes, record.tier_sizes.size());
  for (std::size_t tier = 1; tier < record.tier_sizes.size(); ++tier)
    append_varint(bytes, record.tier_sizes[tier]);
  if (has_end) append_end(bytes, record);
  append_checksum(bytes);
  return bytes;
}

void set_revision(std::string& bytes, Revision revision) {
  std::string first;
  append_u64(first, revision.value);
  bytes.replace(0, first.size(), first);
  bytes.resize(bytes.size() - kChecksumBytes);
  append_checksum(bytes);
}

std::optional<DocumentRecord> decode_record(std::string_view bytes) {
  const std::optional<std::string_view> body = without_checksum(bytes);
  if (!body) return std::nullopt;

  ByteReader reader(*body);
  DocumentRecord record;
  record.revision = Revision(reader.u64());
  record.text_bytes = reader.varint();
  record.code_points = reader.varint();
  record.sentences = reader.varint();
  record.features = reader.varint();
  record.id = reader.counted();
  record.title = reader.counted();
  record.metadata = reader.counted();
  if (reader.finished()) return record;
  const std::uint64_t tiers = reader.varint();
  if (tiers == 1 || tiers > kMaxTiers) return std::nullopt;
  if (tiers > 0) record.tier_sizes.push_back(record.features);
  for (std::uint64_t tier = 1; tier < tiers; ++tier) record.tier_sizes.push_back(reader.varint());
  if (tiers > 0 && reader.finished()) return record;
  if (!read_end(reader, record)) return std::nullopt;
  return record;
}

}  // namespace akin
