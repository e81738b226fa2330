// Blocks of postings alone, damaged in every way: the sanitizers run these too.
#include "index/lmdb/tables/packed_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/crc32c.h"
#include "base/hash.h"
#include "index/lmdb/env/checked_value.h"
#include "index/lmdb/env/lmdb.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/sequences.h"

namespace akin::test {
namespace {

/// Ascending documents, of which some have counts of their own.
void fill(RandomValues& random, std::size_t length, std::vector<DocNumber>& documents,
          std::vector<std::uint32_t>& counts, std::uint64_t farthest = 4000) {
  documents.clear();
  counts.clear();
  std::uint32_t document = 5;
  for (std::size_t i = 0; i < length; ++i) {
    document += 1 + static_cast<std::uint32_t>(random.below(farthest));
    documents.push_back(DocNumber{document});
    counts.push_back(random.below(20) == 0 ? 1 + static_cast<std::uint32_t>(random.below(100'000)) : 1);
  }
}

/// Blocks of short lists, of one long list and of a dense one.
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
  static_cast<void>(pack_list_block({documents, counts, 10'000}, blocks.emplace_back()));
  fill(random, 10'000, documents, counts, 3);
  static_cast<void>(pack_list_block({documents, counts, 10'000}, blocks.emplace_back()));
  return blocks;
}

TEST(PackedBlock, WithAnyBitFlippedDoesNotHaveTheChecksumOfItsTable) {
  const lmdb::Table table{.handle = 0, .name = "runs", .seed = crc32c("runs"), .checked = true};
  const std::vector<std::string> blocks = some_blocks();
  for (const std::string& block : {blocks.front(), blocks[blocks.size() - 2], blocks.back()}) {
    std::string stored = block;
    append_u32(stored, lmdb::check_of(table, "key", block));
    lmdb::CheckedValues known;
    ASSERT_EQ(lmdb::take_check(table, "key", stored, known), block);
    for (std::size_t bit = 0; bit < stored.size() * 8; ++bit) {
      std::string flipped = stored;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      ASSERT_FALSE(lmdb::take_check(table, "key", flipped, known)) << bit;
    }
  }
}

TEST(PackedBlock, OfRandomBytesNeverReadsBeyondThem) {
  RandomValues random(2, 10, 1);
  const std::vector<std::string> blocks = some_blocks();
  std::size_t longest = 0;
  for (const std::string& block : blocks) longest = std::max(longest, block.size());
  GuardedBuffer buffer(longest);
  for (int round = 0; round < 20'000; ++round) {
    std::string block = blocks[random.below(blocks.size())];
    for (std::uint64_t i = 1 + random.below(8); i > 0; --i) {
      block[random.below(random.below(2) == 0 ? 20 : block.size())] = static_cast<char>(random.below(256));
    }
    if (random.below(4) == 0) block.resize(random.below(block.size()));
    const std::optional<PackedBlock> opened = PackedBlock::open(buffer.put(block));
    if (!opened) continue;
    const PackedBlock::Slice slice = opened->find(Feature{random.below(1ULL << 60U)});
    for (std::uint32_t i = slice.first; i < slice.last; ++i)
      static_cast<void>(opened->mixed_document(i) + opened->count(i));
    static_cast<void>(opened->find(DocNumber{static_cast<std::uint32_t>(random.below(1'000'000))}));
    static_cast<void>(opened->last_document());
    std::vector<Feature> features;
    std::vector<DocNumber> documents;
    std::vector<std::uint32_t> counts;
    if (!opened->is_of_list()) {
      static_cast<void>(opened->append_mixed(features, documents, counts));
    } else {
      static_cast<void>(opened->append_list(documents, counts));
    }
  }
}

/// A list of which one document in `one_in` has the feature, as its first block.
PackedBlock first_block(std::uint64_t one_in, std::string& bytes) {
  RandomValues random(3, 10, 1);
  std::vector<DocNumber> documents;
  std::vector<std::uint32_t> counts;
  fill(random, 50'000, documents, counts, 2 * one_in - 1);
  static_cast<void>(pack_list_block({documents, counts, 50'000}, bytes));
  return *PackedBlock::open(bytes);
}

TEST(PackedBlock, OfADenseListIsABitmap) {
  std::string bytes;
  EXPECT_EQ(first_block(2, bytes).kind(), BlockKind::bitmap);
  EXPECT_EQ(first_block(16, bytes).kind(), BlockKind::bitmap);
  EXPECT_EQ(first_block(64, bytes).kind(), BlockKind::list);
}

TEST(PackedBlock, OfADenseListGivesItsDocumentsBack) {
  RandomValues random(4, 10, 1);
  std::vector<DocNumber> documents;
  std::vector<std::uint32_t> counts;
  fill(random, 20'000, documents, counts, 3);
  std::string bytes;
  const std::size_t packed = pack_list_block({documents, counts, 20'000}, bytes);
  const std::optional<PackedBlock> block = PackedBlock::open(bytes);
  ASSERT_TRUE(block && block->kind() == BlockKind::bitmap);
  EXPECT_LE(bytes.size(), kBlockBytes);
  EXPECT_EQ(block->size(), packed);
  EXPECT_EQ(block->list_size(), 20'000U);
  EXPECT_EQ(block->last_document(), documents[packed - 1]);
  std::vector<DocNumber> read;
  std::vector<std::uint32_t> read_counts;
  ASSERT_TRUE(block->append_list(read, read_counts));
  documents.resize(packed);
  counts.resize(packed);
  EXPECT_EQ(read, documents);
  EXPECT_EQ(read_counts, counts);
  std::size_t at = 0;
  for (std::uint32_t document = 0; document <= static_cast<std::uint32_t>(documents.back()); ++document) {
    const bool is_listed = documents[at] == DocNumber{document};
    ASSERT_EQ(block->find(DocNumber{document}), is_listed ? counts[at] : 0U) << document;
    if (is_listed) ++at;
  }
}

}  // namespace
}  // namespace akin::test
