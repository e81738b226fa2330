#include "index/records.h"

#include "index/encoding.h"
#include "morph/schemes/tiers.h"

namespace akin {

std::string encode_record(const DocumentRecord& record) {
  std::string bytes;
  bytes.reserve(record.id.size() + record.title.size() + record.metadata.size() + 40);
  append_u64(bytes, record.revision.value);
  append_varint(bytes, record.text_bytes);
  append_varint(bytes, record.code_points);
  append_varint(bytes, record.sentences);
  append_varint(bytes, record.features);
  append_counted(bytes, record.id);
  append_counted(bytes, record.title);
  append_counted(bytes, record.metadata);
  if (!record.tier_sizes.empty()) {
    append_varint(bytes, record.tier_sizes.size());
    for (std::size_t tier = 1; tier < record.tier_sizes.size(); ++tier)
      append_varint(bytes, record.tier_sizes[tier]);
  }
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
  if (tiers < 2 || tiers > kMaxTiers) return std::nullopt;
  record.tier_sizes.push_back(record.features);
  for (std::uint64_t tier = 1; tier < tiers; ++tier) record.tier_sizes.push_back(reader.varint());
  if (!reader.finished()) return std::nullopt;
  return record;
}

}  // namespace akin
