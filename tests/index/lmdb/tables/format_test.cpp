// docs/index-format.md is tested: the dump on it is what the program writes and reads.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "index/codec/sequence_codec.h"
#include "index/lmdb/tables/packed_block.h"
#include "index/lmdb/tables/tables.h"
#include "index/store/records.h"
#include "tests/support/built.h"

namespace akin::test {
namespace {

/// The bytes of a hex dump that follows a line "NAME" and ends with an empty line or the block.
std::string dump_on_page(const std::string& name) {
  std::ifstream page(test::source_folder() / "docs/index-format.md");
  std::string line;
  bool in_dumps = false;
  bool in_this = false;
  std::string bytes;
  while (std::getline(page, line)) {
    if (line == "## A document, dumped") in_dumps = true;
    if (in_dumps && line == name) {
      in_this = true;
    } else if (in_this && (line.empty() || line == "```")) {
      break;
    } else if (in_this) {
      std::istringstream digits(line);
      for (unsigned byte = 0; digits >> std::hex >> byte;) bytes.push_back(static_cast<char>(byte));
    }
  }
  return bytes;
}

TEST(FormatPage, RecordIsWhatThePageSays) {
  const std::optional<DocumentRecord> record = decode_record(dump_on_page("record"));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->id, "a.txt");
  EXPECT_EQ(record->title, "Ж");
  EXPECT_EQ(record->metadata, "{}");
  EXPECT_EQ(record->text_bytes, 300U);
  EXPECT_EQ(record->code_points, 160U);
  EXPECT_EQ(record->sentences, 3U);
  EXPECT_EQ(record->features, 3U);
  EXPECT_EQ(record->revision, Revision(0x0006123456789abc));
  EXPECT_EQ(encode_record(*record), dump_on_page("record"));
}

TEST(FormatPage, SequenceIsWhatThePageSays) {
  const std::optional<StoredSequence> stored = decode_sequence(dump_on_page("sequence"));
  ASSERT_TRUE(stored);
  EXPECT_EQ(stored->shift, 24U);
  const FeatureSequence* const sequence = &stored->sequence;
  const Feature twice{0x0123456789};
  EXPECT_EQ(sequence->hashes, (std::vector<Feature>{twice, Feature{0xfedcba9876}, twice}));
  EXPECT_EQ(sequence->ranges, (std::vector<TextRange>{{0, 100}, {50, 160}, {101, 160}}));
  EXPECT_EQ(sequence->sentences, 3U);
  EXPECT_EQ(sequence->words, 25U);
  EXPECT_EQ(sequence->code_points, 160U);
  ASSERT_EQ(sequence->alerts.size(), 1U);
  EXPECT_EQ(sequence->alerts[0].kind, AlertKind::mixed_script);
  EXPECT_EQ(sequence->alerts[0].range, (TextRange{52, 58}));
  FeatureSequence whole = *sequence;
  whole.hashes = {Feature{0x0123456789abcdef}, Feature{0xfedcba9876543210}, Feature{0x0123456789abcdef}};
  EXPECT_EQ(encode_sequence(whole), dump_on_page("sequence"));
}

TEST(FormatPage, BlockIsWhatThePageSays) {
  const std::string bytes = dump_on_page("block");
  const std::optional<PackedBlock> block = PackedBlock::open(bytes);
  ASSERT_TRUE(block);
  std::vector<Feature> features;
  std::vector<DocNumber> documents;
  std::vector<std::uint32_t> counts;
  ASSERT_TRUE(block->append_mixed(features, documents, counts));
  EXPECT_EQ(features, (std::vector<Feature>{Feature{0x0123456789abcdef}, Feature{0xfedcba9876543210}}));
  EXPECT_EQ(documents, (std::vector<DocNumber>{DocNumber{1}, DocNumber{1}}));
  EXPECT_EQ(counts, (std::vector<std::uint32_t>{2, 1}));
  MixedBlockBuilder builder;
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(
        builder.add(features[i], std::span(documents).subspan(i, 1), std::span(counts).subspan(i, 1)));
  }
  EXPECT_EQ(builder.take(), bytes);
}

TEST(FormatPage, CountersAreWhatThePageSays) {
  const std::optional<Counters> counters = decode_counters(dump_on_page("counters"));
  ASSERT_TRUE(counters);
  EXPECT_EQ(*counters, (Counters{2, 1, 3, 2, 5, 300, 120, Revision(0x0006123456789abc)}));
}

TEST(FormatPage, CountersOfAnIndexThatKeepsFilesHaveTwoMore) {
  Counters counters{2, 1, 3, 2, 5, 300, 120, Revision(7)};
  counters.files = {4000, 900};
  const std::string bytes = encode_counters(counters);
  EXPECT_EQ(bytes.size(), 10 * 8 + 4U);
  EXPECT_EQ(decode_counters(bytes), counters);
  EXPECT_EQ(load_u64(bytes.data() + 64), 4000U);
  for (std::size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(decode_counters(std::string_view(bytes).substr(0, size))) << size;
}

}  // namespace
}  // namespace akin::test
