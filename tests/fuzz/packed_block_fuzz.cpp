// Blocks of postings: packed postings come back, and whatever bytes are in a block's place, nothing beyond
// them is read.
// Input: one byte that chooses the case, then postings (one byte each: how far the next one is) or a block. A
// quarter of the inputs are blocks; the others are packed, and three of four packed blocks damaged.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "index/lmdb/tables/packed_block.h"

namespace {

using akin::DocNumber;
using akin::Feature;
using akin::PackedBlock;

void require(bool holds) {
  if (!holds) std::abort();
}

struct Postings {
  std::vector<Feature> features;
  std::vector<DocNumber> documents;
  std::vector<std::uint32_t> counts;
  friend bool operator==(const Postings&, const Postings&) = default;
};

/// A number that grows fast with the byte: distances of every size are made by one byte.
std::uint64_t stride(std::uint8_t byte, unsigned step = 1) {
  return 1 + (std::uint64_t{byte} & 15U) * (std::uint64_t{1} << ((byte >> 4U) * step));
}

std::uint32_t count_of(std::uint8_t byte) { return byte % 5 == 0 ? byte * 77U + 2 : 1; }

/// Calls everything that reads a block.
Postings walk(const PackedBlock& block) {
  Postings read;
  static_cast<void>(block.last_document());
  const PackedBlock::Slice slice = block.find(Feature{12'345});
  for (std::uint32_t i = slice.first; i < slice.last; ++i)
    static_cast<void>(block.mixed_document(i) + block.count(i));
  static_cast<void>(block.find(DocNumber{777}));
  const bool whole = block.is_of_list() ? block.append_list(read.documents, read.counts)
                                        : block.append_mixed(read.features, read.documents, read.counts);
  return whole ? read : Postings();
}

/// The whole of a mixed block, and each of its lists looked up.
std::string pack_mixed(std::span<const std::uint8_t> bytes) {
  akin::MixedBlockBuilder builder;
  Postings expected;
  std::uint64_t feature = 0;
  while (bytes.size() >= 3) {
    feature += stride(bytes[0], 3);
    const std::size_t length = std::min<std::size_t>(1 + bytes[1] % 5, bytes.size() - 2);
    Postings list;
    auto document = static_cast<std::uint32_t>(stride(bytes[1]));
    for (std::size_t i = 0; i < length; ++i) {
      document += static_cast<std::uint32_t>(stride(bytes[2 + i]));
      list.documents.push_back(DocNumber{document});
      list.counts.push_back(count_of(bytes[2 + i]));
    }
    bytes = bytes.subspan(2 + length);
    if (!builder.add(Feature{feature}, list.documents, list.counts)) break;
    expected.features.insert(expected.features.end(), length, Feature{feature});
    expected.documents.insert(expected.documents.end(), list.documents.begin(), list.documents.end());
    expected.counts.insert(expected.counts.end(), list.counts.begin(), list.counts.end());
  }
  if (builder.empty()) return {};
  const std::string block = builder.take();
  const std::optional<PackedBlock> opened = PackedBlock::open(block);
  require(opened && block.size() <= akin::kBlockBytes && walk(*opened) == expected);
  for (std::uint32_t i = 0; i < expected.features.size(); ++i) {
    const PackedBlock::Slice slice = opened->find(expected.features[i]);
    require(slice.first <= i && i < slice.last && opened->count(i) == expected.counts[i] &&
            DocNumber{opened->mixed_document(i)} == expected.documents[i]);
  }
  return block;
}

/// The first block of a list, and each of its documents looked up.
std::string pack_list(std::span<const std::uint8_t> bytes) {
  Postings expected;
  std::uint32_t document = 0;
  for (const std::uint8_t byte : bytes) {
    document += static_cast<std::uint32_t>(stride(byte));
    expected.documents.push_back(DocNumber{document});
    expected.counts.push_back(count_of(byte));
  }
  if (expected.documents.empty()) return {};
  std::string block;
  const std::size_t packed = akin::pack_list_block(
      {expected.documents, expected.counts, static_cast<std::uint32_t>(expected.documents.size())}, block);
  require(packed > 0 && packed <= expected.documents.size() && block.size() <= akin::kBlockBytes);
  const std::optional<PackedBlock> opened = PackedBlock::open(block);
  require(opened && opened->list_size() == expected.documents.size());
  expected.documents.resize(packed);
  expected.counts.resize(packed);
  require(walk(*opened) == expected && opened->last_document() == expected.documents.back());
  for (std::size_t i = 0; i < packed; ++i) require(opened->find(expected.documents[i]) == expected.counts[i]);
  return block;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4) return 0;
  const std::uint8_t choice = data[0];
  const std::array<std::uint8_t, 3> damage{data[1], data[2], data[3]};
  const std::span<const std::uint8_t> rest(data + 4, size - 4);
  std::string block;
  switch (choice % 4) {
    case 0:
      block.assign(reinterpret_cast<const char*>(rest.data()), rest.size());
      break;
    case 1:
      block = pack_list(rest);
      break;
    default:
      block = pack_mixed(rest);
  }
  if (block.empty() || (choice % 4 != 0 && choice / 4 % 4 == 0)) return 0;
  if (choice % 4 != 0) {
    block[(damage[0] * 256U + damage[1]) %
          (choice / 16 % 2 == 0 ? block.size() : std::min<std::size_t>(20, block.size()))] ^=
        static_cast<char>(damage[2]);
    if (choice / 32 % 4 == 0) block.resize(damage[2] * block.size() / 256);
  }
  // A copy of exactly its bytes, so that every read beyond them is seen.
  const std::vector<char> exact(block.begin(), block.end());
  if (const auto opened = PackedBlock::open({exact.data(), exact.size()})) walk(*opened);
  return 0;
}
