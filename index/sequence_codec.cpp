#include "index/sequence_codec.h"

#include <cassert>
#include <limits>

#include "index/encoding.h"
#include "index/format.h"

namespace akin {

namespace {

// A range is told by the distance of its begin from the begin before it, and by its length.
void append_range(std::string& bytes, TextRange range, std::uint32_t& previous) {
  assert(range.begin <= range.end);
  append_varint(bytes, zigzag(static_cast<std::int64_t>(range.begin) - static_cast<std::int64_t>(previous)));
  append_varint(bytes, range.end - range.begin);
  previous = range.begin;
}

bool read_range(ByteReader& reader, std::uint32_t& previous, TextRange& range) noexcept {
  constexpr std::uint64_t kLimit = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t distance = reader.varint();
  const std::uint64_t length = reader.varint();
  if (!reader.ok() || distance > 2 * kLimit || length > kLimit) return false;
  const std::int64_t begin = static_cast<std::int64_t>(previous) + unzigzag(distance);
  if (begin < 0 || static_cast<std::uint64_t>(begin) + length > kLimit) return false;
  range.begin = static_cast<std::uint32_t>(begin);
  range.end = static_cast<std::uint32_t>(range.begin + length);
  previous = range.begin;
  return true;
}

// What one element takes at least; a count that the rest cannot hold is damage and must not be allocated.
constexpr std::size_t kLeastFeatureBytes = format::kFeatureBytes + 2;
constexpr std::size_t kLeastAlertBytes = 3;

}  // namespace

std::string encode_sequence(const FeatureSequence& sequence) {
  assert(sequence.hashes.size() == sequence.ranges.size());
  std::string bytes;
  bytes.reserve(32 + sequence.hashes.size() * 13);
  append_varint(bytes, sequence.hashes.size());
  append_varint(bytes, sequence.alerts.size());
  append_varint(bytes, sequence.sentences);
  append_varint(bytes, sequence.words);
  append_varint(bytes, sequence.code_points);
  for (Feature feature : sequence.hashes) append_u64(bytes, static_cast<std::uint64_t>(feature));
  std::uint32_t previous = 0;
  for (TextRange range : sequence.ranges) append_range(bytes, range, previous);
  previous = 0;
  for (const Alert& alert : sequence.alerts) {
    bytes.push_back(static_cast<char>(alert.kind));
    append_range(bytes, alert.range, previous);
  }
  append_u32(bytes, checksum(bytes));
  return bytes;
}

std::optional<FeatureSequence> decode_sequence(std::string_view bytes) {
  if (bytes.size() < format::kChecksumBytes) return std::nullopt;
  const std::string_view body = bytes.substr(0, bytes.size() - format::kChecksumBytes);
  if (checksum(body) != load_u32(bytes.data() + body.size())) return std::nullopt;

  ByteReader reader(body);
  FeatureSequence sequence;
  const std::uint64_t features = reader.varint();
  const std::uint64_t alerts = reader.varint();
  sequence.sentences = reader.varint();
  sequence.words = reader.varint();
  sequence.code_points = reader.varint();
  if (!reader.ok() || features > reader.left() / kLeastFeatureBytes) return std::nullopt;
  if (alerts > (reader.left() - features * kLeastFeatureBytes) / kLeastAlertBytes) return std::nullopt;

  sequence.hashes.resize(features);
  sequence.ranges.resize(features);
  sequence.alerts.resize(alerts);
  for (Feature& feature : sequence.hashes) feature = Feature{reader.u64()};
  std::uint32_t previous = 0;
  for (TextRange& range : sequence.ranges) {
    if (!read_range(reader, previous, range)) return std::nullopt;
  }
  previous = 0;
  for (Alert& alert : sequence.alerts) {
    const std::uint8_t kind = reader.u8();
    if (kind > static_cast<std::uint8_t>(AlertKind::mixed_script)) return std::nullopt;
    alert.kind = static_cast<AlertKind>(kind);
    if (!read_range(reader, previous, alert.range)) return std::nullopt;
  }
  if (!reader.finished()) return std::nullopt;
  return sequence;
}

}  // namespace akin
