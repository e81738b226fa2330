#include <gtest/gtest.h>

#include "base/text_codec.h"
#include "index/codec/document_chunk.h"
#include "index/codec/encoding.h"
#include "index/codec/sequence_codec.h"
#include "index/store/records.h"
#include "tests/support/guarded_buffer.h"
#include "tests/support/sequences.h"

namespace akin::test {
namespace {

DocumentRecord some_record() {
  DocumentRecord record;
  record.id = "книга/1";
  record.title = "Братья Карамазовы";
  record.metadata = R"({"year":1880})";
  record.text_bytes = 1'700'000;
  record.code_points = 980'000;
  record.sentences = 300;
  record.features = 299;
  record.revision = Revision(1'709'164'800'000'250);
  return record;
}

FeatureSequence some_sequence() {
  FeatureSequence sequence = make_sequence({1, 0xffffffffffffffff, 7, 7, 0});
  sequence.ranges[3] = {0xfffffff0U, 0xffffffffU};
  sequence.ranges[4] = {0, 0};
  sequence.alerts = {{AlertKind::zero_width, {5, 9}}, {AlertKind::mixed_script, {3, 4}}};
  return sequence;
}

void expect_equal(const FeatureSequence& l, const FeatureSequence& r) {
  EXPECT_EQ(l.hashes, r.hashes);
  EXPECT_EQ(l.ranges, r.ranges);
  EXPECT_EQ(l.sentences, r.sentences);
  EXPECT_EQ(l.words, r.words);
  EXPECT_EQ(l.code_points, r.code_points);
  ASSERT_EQ(l.alerts.size(), r.alerts.size());
  for (std::size_t i = 0; i < l.alerts.size(); ++i) {
    EXPECT_EQ(l.alerts[i].kind, r.alerts[i].kind);
    EXPECT_EQ(l.alerts[i].range, r.alerts[i].range);
  }
}

/// Bytes followed by a correct checksum, so that the decoder itself is tested and not the checksum.
std::string sealed(std::string body) {
  const std::uint32_t sum = checksum(body);
  append_u32(body, sum);
  return body;
}

std::string body_of(const std::string& bytes) { return bytes.substr(0, bytes.size() - 4); }

TEST(Varint, EveryNumberComesBackWhateverFollows) {
  for (unsigned shift = 0; shift < 64; ++shift) {
    for (const std::uint64_t value :
         {std::uint64_t{1} << shift, (std::uint64_t{1} << shift) - 1, ~std::uint64_t{0} >> shift}) {
      for (const char next : {'\0', '\1', '\x7f', '\x80', '\xff'}) {
        for (const std::size_t count : {0U, 1U, 3U, 7U, 8U, 20U}) {
          std::string bytes;
          append_varint(bytes, value);
          bytes.append(count, next);
          ByteReader reader(bytes);
          EXPECT_EQ(reader.varint(), value);
          EXPECT_TRUE(reader.ok());
          EXPECT_EQ(reader.rest(), std::string(count, next));
        }
      }
    }
  }
}

TEST(Varint, WithoutItsEndIsRefused) {
  for (std::size_t size = 0; size < 10; ++size) {
    const std::string bytes(size, '\xff');
    ByteReader reader(bytes);
    static_cast<void>(reader.varint());
    EXPECT_FALSE(reader.ok()) << size;
  }
}

TEST(Varint, TooLongOrTooLargeIsRefused) {
  std::vector<std::string> all{std::string(11, '\xff'), std::string(9, '\xff') + "\x02"};
  for (std::size_t size = 1; size < 10; ++size) all.push_back(std::string(size, '\x80') + '\0');
  for (const std::string& one : all) {
    for (const std::string& bytes : {one, one + std::string(20, '\1')}) {
      ByteReader reader(bytes);
      static_cast<void>(reader.varint());
      EXPECT_FALSE(reader.ok());
    }
  }
}

TEST(Zigzag, IsItsOwnInverse) {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1}, std::int64_t{-4294967295},
        std::int64_t{4294967295}, INT64_MIN, INT64_MAX}) {
    EXPECT_EQ(unzigzag(zigzag(value)), value);
  }
}

TEST(Record, ComesBackAsItWas) {
  const std::optional<DocumentRecord> record = decode_record(encode_record(some_record()));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->id, some_record().id);
  EXPECT_EQ(record->title, some_record().title);
  EXPECT_EQ(record->metadata, some_record().metadata);
  EXPECT_EQ(record->text_bytes, some_record().text_bytes);
  EXPECT_EQ(record->code_points, some_record().code_points);
  EXPECT_EQ(record->sentences, some_record().sentences);
  EXPECT_EQ(record->features, some_record().features);
  EXPECT_TRUE(record->tier_sizes.empty());
}

/// With the sizes of three tiers.
DocumentRecord tiered_record() {
  DocumentRecord record = some_record();
  record.tier_sizes = {record.features, 0, 70'000};
  return record;
}

TEST(Record, TierSizesComeBackAsTheyWere) {
  const std::optional<DocumentRecord> record = decode_record(encode_record(tiered_record()));
  ASSERT_TRUE(record);
  EXPECT_EQ(record->tier_sizes, tiered_record().tier_sizes);
  EXPECT_EQ(record->all_features(), some_record().features + 70'000);
  EXPECT_EQ(record->features_in(2), 70'000U);
  EXPECT_EQ(record->features_in(3), std::nullopt);
}

TEST(Record, DigestsComeBackAsTheyWere) {
  for (DocumentRecord record : {some_record(), tiered_record()}) {
    record.text_sha256 = sha256("text");
    EXPECT_EQ(decode_record(encode_record(record)), record);
    record.file = FileOrigin{.sha256 = sha256("file"), .reading = 0x0123456789abcdef};
    EXPECT_EQ(decode_record(encode_record(record)), record);
    record.places = std::string("\0\x01map", 5);
    EXPECT_EQ(decode_record(encode_record(record)), record);
    record.file->kept_bytes = 300'000;
    EXPECT_EQ(decode_record(encode_record(record)), record);
    record.text_sha256.reset();
    EXPECT_EQ(decode_record(encode_record(record)), record);
  }
}

TEST(Record, TruncatedWithinItsDigestsIsRefused) {
  DocumentRecord record = some_record();
  const std::size_t without = encode_record(record).size() - 4;
  record.text_sha256 = sha256("text");
  record.file = FileOrigin{.sha256 = sha256("file"), .reading = 7, .kept_bytes = 300};
  const std::string body = body_of(encode_record(record));
  for (std::size_t length = without + 1; length < body.size(); ++length)
    EXPECT_FALSE(decode_record(sealed(body.substr(0, length)))) << length;
}

TEST(Record, DigestsOfAnUnknownKindAreRefused) {
  std::string body = body_of(encode_record(some_record()));
  body.push_back('\0');  // no tiers
  for (const char kinds : {'\0', '\4', '\x10'}) EXPECT_FALSE(decode_record(sealed(body + kinds)));
}

TEST(Record, AFileThatIsKeptHasALengthAndADigest) {
  DocumentRecord record = some_record();
  record.file = FileOrigin{.sha256 = sha256("file"), .kept_bytes = 1};
  std::string body = body_of(encode_record(record));
  ASSERT_EQ(body.back(), '\1');
  body.back() = '\0';
  EXPECT_FALSE(decode_record(sealed(body)));
  body = body_of(encode_record(some_record()));
  EXPECT_FALSE(decode_record(sealed(body + std::string("\0\x08\1", 3))));
}

TEST(Record, ANumberOfTiersThatCannotBeIsRefused) {
  DocumentRecord record = some_record();
  for (const std::size_t tiers : {std::size_t{1}, std::size_t{5}}) {
    record.tier_sizes.assign(tiers, record.features);
    EXPECT_FALSE(decode_record(encode_record(record))) << tiers;
  }
}

TEST(Record, TruncatedAnywhereIsRefused) {
  const std::string bytes = encode_record(some_record());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decode_record(std::string(bytes, 0, length))) << length;
    if (length < bytes.size() - 4) {
      EXPECT_FALSE(decode_record(sealed(std::string(bytes, 0, length)))) << length;
    }
  }
}

TEST(Record, WithAnyBitFlippedIsRefused) {
  const std::string bytes = encode_record(tiered_record());
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    EXPECT_FALSE(decode_record(flipped)) << bit;
  }
}

/// Hashes whose leading bits differ, as those of real texts do.
FeatureSequence spread_sequence(std::size_t features) {
  FeatureSequence sequence;
  std::uint32_t begin = 0;
  RandomValues random(5, 10, 1);
  std::vector<std::uint32_t> begins;
  for (std::size_t i = 0; i <= features; ++i) {
    begins.push_back(begin);
    begin += 20 + static_cast<std::uint32_t>(random.below(200));
  }
  for (std::size_t i = 0; i < features; ++i) {
    sequence.hashes.push_back(Feature{mix64(i % 97)});
    sequence.ranges.push_back({begins[i], (i + 2 < begins.size() ? begins[i + 2] : begin) - 1});
  }
  sequence.sentences = features;
  sequence.code_points = begin;
  return sequence;
}

TEST(Sequence, ComesBackAsItWas) {
  for (const FeatureSequence& sequence : {FeatureSequence(), make_sequence({5}), some_sequence()}) {
    const std::optional<StoredSequence> decoded = decode_sequence(encode_sequence(sequence));
    ASSERT_TRUE(decoded);
    EXPECT_EQ(decoded->shift, 0U);
    expect_equal(decoded->sequence, sequence);
  }
}

TEST(Sequence, KeepsTheLeadingBitsWhereTheyTellTheFeaturesApart) {
  FeatureSequence sequence = spread_sequence(300);
  const std::optional<StoredSequence> decoded = decode_sequence(encode_sequence(sequence));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->shift, 24U);
  for (Feature& hash : sequence.hashes) hash = Feature{static_cast<std::uint64_t>(hash) >> 24};
  expect_equal(decoded->sequence, sequence);
}

TEST(Sequence, KeepsAllBitsWhereTheLeadingOnesMeet) {
  FeatureSequence sequence = spread_sequence(300);
  sequence.hashes[7] = Feature{static_cast<std::uint64_t>(sequence.hashes[8]) ^ 1U};
  const std::optional<StoredSequence> decoded = decode_sequence(encode_sequence(sequence));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->shift, 0U);
  expect_equal(decoded->sequence, sequence);
}

TEST(Sequence, OfSentencePairsTakesLessThanSevenBytesAFeature) {
  EXPECT_LT(encode_sequence(spread_sequence(1000)).size(), 7000U);
}

TEST(Sequence, KeepsAnyRanges) {
  RandomValues random(11, 10, 1);
  for (int round = 0; round < 200; ++round) {
    FeatureSequence sequence;
    for (std::uint64_t i = random.below(40); i > 0; --i) {
      const auto begin = static_cast<std::uint32_t>(random.below(std::uint64_t{1} << (1 + random.below(31))));
      const auto length =
          static_cast<std::uint32_t>(random.below(std::uint64_t{1} << (1 + random.below(30))));
      sequence.hashes.push_back(Feature{i});
      sequence.ranges.push_back({begin, begin + length});
    }
    const std::optional<StoredSequence> decoded = decode_sequence(encode_sequence(sequence));
    ASSERT_TRUE(decoded);
    expect_equal(decoded->sequence, sequence);
  }
}

TEST(Chunk, GivesBackWhatWasAdded) {
  DocumentChunk chunk(chunk_of_pages(4));
  const std::vector<std::string> parts = {"one", std::string(20'000, 'x'), "", "three"};
  for (std::uint32_t i = 0; i < parts.size(); ++i) chunk.add(DocNumber{5 + 3 * i}, parts[i]);
  const std::string bytes = chunk.take();
  EXPECT_TRUE(chunk.empty());
  const std::optional<DocumentChunk::Parts> back = DocumentChunk::open(DocNumber{5}, bytes);
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), parts.size());
  for (std::uint32_t i = 0; i < parts.size(); ++i) {
    EXPECT_EQ((*back)[i].first, DocNumber{5 + 3 * i});
    EXPECT_EQ((*back)[i].second, parts[i]);
  }
}

TEST(Chunk, TruncatedAnywhereIsRefused) {
  DocumentChunk chunk(chunk_of_pages(4));
  chunk.add(DocNumber{1}, "abc");
  chunk.add(DocNumber{2}, "defg");
  const std::string bytes = chunk.take();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(DocumentChunk::open(DocNumber{1}, std::string(bytes, 0, length))) << length;
  }
  EXPECT_FALSE(DocumentChunk::open(DocNumber{1}, bytes + "x"));
}

TEST(GuardedBufferDeathTest, EndsAProgramThatReadsBeyondIt) {
  GuardedBuffer buffer(100);
  const std::string_view bytes = buffer.put("abc");
  EXPECT_EQ(bytes, "abc");
  const volatile char* const beyond = bytes.data() + bytes.size();
  EXPECT_DEATH(static_cast<void>(*beyond), "");
}

TEST(Chunk, WithRandomBytesNeverReadsBeyondThem) {
  GuardedBuffer buffer(24);
  RandomValues random(3, 10, 1);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes(random.below(24), '\0');
    for (char& byte : bytes) byte = static_cast<char>(random.below(random.below(2) == 0 ? 8 : 256));
    static_cast<void>(DocumentChunk::open(DocNumber{0xfffffff0}, buffer.put(bytes)));
  }
}

TEST(Sequence, TruncatedAnywhereIsRefused) {
  const std::string bytes = encode_sequence(some_sequence());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decode_sequence(std::string(bytes, 0, length))) << length;
    if (length < bytes.size() - 4) {
      EXPECT_FALSE(decode_sequence(sealed(std::string(bytes, 0, length)))) << length;
    }
  }
}

TEST(Sequence, WithBytesBehindItsEndIsRefused) {
  EXPECT_FALSE(decode_sequence(sealed(body_of(encode_sequence(some_sequence())) + '\0')));
}

TEST(Sequence, WithRandomBytesAndARightChecksumNeverReadsBeyondThem) {
  RandomValues random(23, 256, 1);
  const std::string body = body_of(encode_sequence(some_sequence()));
  GuardedBuffer buffer(2 * body.size());
  for (int round = 0; round < 20'000; ++round) {
    std::string damaged = body;
    for (std::uint64_t i = random.below(4) + 1; i > 0; --i) {
      damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    }
    static_cast<void>(decode_sequence(buffer.put(sealed(damaged))));
  }
}

TEST(Sequence, ThatClaimsHugeCountsIsRefusedBeforeMemoryIsTaken) {
  for (const std::uint64_t count : {std::uint64_t{1} << 20, std::uint64_t{1} << 40, ~std::uint64_t{0}}) {
    for (const bool alerts : {false, true}) {
      std::string body;
      append_varint(body, alerts ? 0 : count);
      append_varint(body, alerts ? count : 0);
      body += std::string(100, '\0');
      EXPECT_FALSE(decode_sequence(sealed(body)));
    }
  }
}

std::string russian_text() {
  std::string text;
  for (int i = 0; i < 40; ++i)
    text += "Дождь лил, как из ведра; «пора!» — крикнул №" + std::to_string(i) + ". ";
  return text;
}

TEST(Text, ThatIsCyrillicTakesLessThanItsUtf8) {
  const std::string text = russian_text();
  const std::string bytes = *compress_text(text);
  EXPECT_EQ(bytes.front(), 1);
  EXPECT_FALSE(decompress_text(bytes, text.size() - 1));
}

TEST(Text, ThatWasWrittenAsOneFrameIsRead) {
  // "Да\n" by zstd --content-size, level 3, with checksum.
  const std::string frame("\x28\xb5\x2f\xfd\x24\x05\x29\x00\x00\xd0\x94\xd0\xb0\x0a\xf2\x0d\xc7\x8c", 18);
  EXPECT_EQ(decompress_text(frame, 5), "Да\n");
}

TEST(Text, ComesBackAsItWas) {
  for (const std::string& text :
       {std::string(), std::string("ы"), std::string(100'000, 'a'), russian_text()}) {
    const std::optional<std::string> back = decompress_text(*compress_text(text), text.size());
    ASSERT_TRUE(back);
    EXPECT_EQ(*back, text);
  }
}

TEST(Text, TruncatedAnywhereIsRefused) {
  for (const std::string& text : {make_text({1, 2, 3, 4, 5, 6, 7, 8, 9}), russian_text()}) {
    const std::string frame = *compress_text(text);
    for (std::size_t length = 0; length < frame.size(); ++length) {
      EXPECT_FALSE(decompress_text(std::string(frame, 0, length), text.size())) << length;
    }
  }
}

TEST(Text, WithAnyBitFlippedIsRefusedOrTheSame) {
  for (const std::string& text : {make_text({1, 2, 3, 4, 5, 6, 7, 8, 9}), russian_text()}) {
    const std::string frame = *compress_text(text);
    for (std::size_t bit = 0; bit < frame.size() * 8; ++bit) {
      std::string flipped = frame;
      flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
      const std::optional<std::string> back = decompress_text(flipped, text.size());
      EXPECT_TRUE(!back || *back == text) << bit;
    }
  }
}

}  // namespace
}  // namespace akin::test
