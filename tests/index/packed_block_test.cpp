// Blocks of postings alone, damaged in every way: the sanitizers run these too.
#include "index/lmdb/packed_block.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/hash.h"
#include "tests/support/sequences.h"

namespace akin::test {
namespace {

/// Ascending documents, of which some have counts of their own.
void fill(RandomValues& random, std::size_t length, std::vector<DocNumber>& documents,
          std::vector<std::uint32_t>& counts) {
  documents.clear();
  counts.clear();
  std::uint32_t document = 5;
  for (std::size_t i = 0; i < length; ++i) {
    document += 1 + static_cast<std::uint32_t>(random.below(4000));
    documents.push_back(DocNumber{document});
    counts.push_back(random.below(20) == 0 ? 1 + static_cast<std::uint32_t>(random.below(100'000)) : 1);
  }
}

/// Blocks of short lists and of one long list.
std::vector<std::string> some_blocks() {
  std::vector<std::string> blocks;
  RandomValues random(1, 10, 1);
  std::vector<DocNumber> documents;
  std::vector<std::uint32_t> counts;
  MixedBlockBuilder mixed;
  for (std::uint64_t feature = 0; blocks.size() < 3; feature += 1 + mix64(feature) % (1ULL << 54U)) {
    fill(random, 1 + random.below(kLongList - 1), documents, counts);
    if (mixed.add(Feature{feature}, documents, counts)) continue;
    blocks.push_back(mixed.take());
  }
  fill(random, 10'000, documents, counts);
  static_cast<void>(pack_list_block(documents, counts, 10'000, blocks.emplace_back()));
  return blocks;
}

TEST(PackedBlock, WithAnyBitFlippedIsDamaged) {
  const std::vector<std::string> blocks = some_blocks();
  for (const std::string& block : {blocks.front(), blocks.back()}) {
    for (std::size_t bit = 0; bit < block.size() * 8; ++bit) {
      std::string flipped = block;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      const std::optional<PackedBlock> opened = PackedBlock::open(flipped);
      ASSERT_FALSE(opened && opened->has_checksum()) << bit;
    }
  }
}

TEST(PackedBlock, OfRandomBytesNeverReadsBeyondThem) {
  RandomValues random(2, 10, 1);
  const std::vector<std::string> blocks = some_blocks();
  for (int round = 0; round < 20'000; ++round) {
    // An exact heap copy lets a sanitizer see every read beyond the end.
    std::string block = blocks[random.below(blocks.size())];
    for (std::uint64_t i = 1 + random.below(8); i > 0; --i) {
      block[random.below(random.below(2) == 0 ? 24 : block.size())] = static_cast<char>(random.below(256));
    }
    if (random.below(4) == 0) block.resize(random.below(block.size()));
    block.shrink_to_fit();
    const std::optional<PackedBlock> opened = PackedBlock::open(block);
    if (!opened) continue;
    const PackedBlock::Slice slice = opened->find(Feature{random.below(1ULL << 60U)});
    for (std::uint32_t i = slice.first; i < slice.last; ++i)
      static_cast<void>(opened->mixed_document(i) + opened->count(i));
    static_cast<void>(opened->find(DocNumber{static_cast<std::uint32_t>(random.below(1'000'000))}));
    static_cast<void>(opened->last_document());
    std::vector<Feature> features;
    std::vector<DocNumber> documents;
    std::vector<std::uint32_t> counts;
    if (opened->kind() == BlockKind::mixed) {
      static_cast<void>(opened->append_mixed(features, documents, counts));
    } else {
      static_cast<void>(opened->append_list(documents, counts));
    }
  }
}

}  // namespace
}  // namespace akin::test
