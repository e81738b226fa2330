// docs/format.md is tested: the dump on it is what the program writes and reads.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "index/records.h"
#include "index/sequence_codec.h"
#include "index/tables.h"

namespace akin::test {
namespace {

/// The bytes of a hex dump that follows a line "    NAME" and ends with an empty line.
std::string dump_on_page(const std::string& name) {
  std::ifstream page(AKIN_SOURCE_DIR "/docs/format.md");
  std::string line;
  bool in_dumps = false;
  bool in_this = false;
  std::string bytes;
  while (std::getline(page, line)) {
    if (line == "## A document, dumped") in_dumps = true;
    if (in_dumps && line == "    " + name) {
      in_this = true;
    } else if (in_this && line.empty()) {
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
  EXPECT_EQ(encode_record(*record), dump_on_page("record"));
}

TEST(FormatPage, SequenceIsWhatThePageSays) {
  const std::optional<FeatureSequence> sequence = decode_sequence(dump_on_page("sequence"));
  ASSERT_TRUE(sequence);
  const Feature twice{0x0123456789abcdef};
  EXPECT_EQ(sequence->hashes, (std::vector<Feature>{twice, Feature{1}, twice}));
  EXPECT_EQ(sequence->ranges, (std::vector<TextRange>{{0, 100}, {50, 160}, {101, 160}}));
  EXPECT_EQ(sequence->sentences, 3U);
  EXPECT_EQ(sequence->words, 25U);
  EXPECT_EQ(sequence->code_points, 160U);
  ASSERT_EQ(sequence->alerts.size(), 1U);
  EXPECT_EQ(sequence->alerts[0].kind, AlertKind::mixed_script);
  EXPECT_EQ(sequence->alerts[0].range, (TextRange{52, 58}));
  EXPECT_EQ(encode_sequence(*sequence), dump_on_page("sequence"));
}

TEST(FormatPage, CountersAreWhatThePageSays) {
  const std::optional<Counters> counters = decode_counters(dump_on_page("counters"));
  ASSERT_TRUE(counters);
  EXPECT_EQ(*counters, (Counters{2, 1, 3, 2, 2, 300, 120}));
}

}  // namespace
}  // namespace akin::test
