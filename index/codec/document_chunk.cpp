#include "index/codec/document_chunk.h"

#include <cstdint>
#include <limits>

#include "index/codec/encoding.h"

namespace akin {

namespace {
/// The most bytes that a part takes in the directory, with the count of parts spread over them.
constexpr std::size_t kDirectoryBytes = 8;
constexpr std::uint64_t kNumbers = std::numeric_limits<std::uint32_t>::max();
}  // namespace

bool DocumentChunk::fits(std::string_view value) const noexcept {
  return empty() || bytes_ + value.size() + kDirectoryBytes <= most_;
}

void DocumentChunk::add(DocNumber number, std::string_view value) {
  parts_.emplace_back(number, value);
  bytes_ += value.size() + kDirectoryBytes;
}

std::string DocumentChunk::take() {
  std::string bytes;
  bytes.reserve(bytes_ + 2);
  append_varint(bytes, parts_.size());
  auto previous = static_cast<std::uint32_t>(first());
  for (const auto& [number, value] : parts_) {
    append_varint(bytes, static_cast<std::uint32_t>(number) - previous);
    append_varint(bytes, value.size());
    previous = static_cast<std::uint32_t>(number);
  }
  for (const auto& part : parts_) bytes += part.second;
  parts_.clear();
  bytes_ = 0;
  return bytes;
}

std::optional<DocumentChunk::Parts> DocumentChunk::open(DocNumber first, std::string_view bytes) {
  ByteReader reader(bytes);
  const std::uint64_t count = reader.varint();
  if (!reader.ok() || count == 0 || count > reader.left() / 2) return std::nullopt;
  Parts parts;
  parts.reserve(count);
  std::vector<std::uint64_t> sizes;
  std::uint64_t number = static_cast<std::uint32_t>(first);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t distance = reader.varint();
    sizes.push_back(reader.varint());
    number += distance;
    if (!reader.ok() || (i == 0) != (distance == 0) || distance > kNumbers || number >= kNumbers)
      return std::nullopt;
    parts.emplace_back(DocNumber{static_cast<std::uint32_t>(number)}, std::string_view());
  }
  for (std::uint64_t i = 0; i < count; ++i) parts[i].second = reader.bytes(sizes[i]);
  if (!reader.finished()) return std::nullopt;
  return parts;
}

}  // namespace akin
