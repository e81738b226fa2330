#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/codec/document_chunk.h"
#include "index/codec/encoding.h"
#include "index/codec/sequence_codec.h"
#include "index/lmdb/env/format.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"
#include "index/store/records.h"
#include "tests/support/store_fixture.h"
#include "tests/support/stored_postings.h"

namespace akin::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Verify : public StoreTest {
 protected:
  Verify() { put_all({{"a", {1, 2, 2, 3}}, {"b", {2, 3, 4}}, {"c", {5}}}); }

  static std::string key(std::uint32_t number) { return document_key(DocNumber{number}); }

  static Posting posting(std::uint64_t feature, std::uint32_t document, std::uint32_t count) {
    return {Feature{feature}, DocNumber{document}, count};
  }
  void add_posting(const Posting& added) {
    tamper([&](lmdb::WriteTxn& txn, const Tables& tables) { return add_run(txn, tables, {&added, 1}); });
  }
  void remove_posting(const Posting& removed) {
    tamper([&](lmdb::WriteTxn& txn, const Tables& tables) {
      return change_postings(
          txn, tables, [&](std::vector<Posting>& postings) { EXPECT_EQ(std::erase(postings, removed), 1U); });
    });
  }
  static Result<void> change_told(lmdb::WriteTxn& txn, const Tables& tables, int by) {
    AKIN_TRY(PostingState state, read_posting_state(txn, tables));
    state.runs.back().postings += static_cast<std::uint64_t>(by);
    return write_posting_state(txn, tables, state);
  }
  void erase_raw(lmdb::Table Tables::*table, const std::string& raw_key) {
    tamper([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
      AKIN_CHECK(txn.erase(tables.*table, raw_key));
      return {};
    });
  }
};

TEST_F(Verify, FindsNothingInASoundStore) { EXPECT_THAT(verify(), IsEmpty()); }

TEST_F(Verify, TellsProgressUpToTheTotal) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
  const auto progress = [&](std::uint64_t done, std::uint64_t total) { told.emplace_back(done, total); };
  EXPECT_EQ(must(must(store_->snapshot())->verify(nullptr, progress)), 0U);
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), std::pair(std::uint64_t{3}, std::uint64_t{3}));
}

TEST_F(Verify, NamesAMissingPosting) {
  remove_posting(posting(2, 0, 2));
  EXPECT_THAT(verify(), Contains(AllOf(HasSubstr("feature 0000000000000002"), HasSubstr("document 0"),
                                       HasSubstr("missing"))));
}

TEST_F(Verify, NamesAPostingTooMuch) {
  add_posting(posting(9, 1, 1));
  EXPECT_THAT(verify(), Contains(AllOf(HasSubstr("feature 0000000000000009"), HasSubstr("document 1"),
                                       HasSubstr("does not have the feature"))));
}

TEST_F(Verify, NamesAWrongCount) {
  remove_posting(posting(2, 0, 2));
  add_posting(posting(2, 0, 7));
  EXPECT_THAT(verify(), ElementsAre(AllOf(HasSubstr("document 0 counts 7"), HasSubstr("sequence 2"))));
}

TEST_F(Verify, NamesAPostingOfNoDocument) {
  add_posting(posting(2, 77, 1));
  EXPECT_THAT(verify(), Contains(AllOf(HasSubstr("document 77"), HasSubstr("does not exist"))));
}

TEST_F(Verify, NamesADocumentThatStandsInAListTwice) {
  must(store_->flush_and_merge(true));
  add_posting(posting(2, 1, 5));
  EXPECT_THAT(verify(), Contains(AllOf(HasSubstr("feature 0000000000000002"), HasSubstr("twice"))));
}

TEST_F(Verify, NamesPostingsThatTheStateDoesNotCount) {
  tamper([](lmdb::WriteTxn& txn, const Tables& tables) { return change_told(txn, tables, 5); });
  EXPECT_THAT(verify(), ElementsAre(AllOf(HasSubstr("meta 'postings'"), HasSubstr("the entry gives 12"))));
}

TEST_F(Verify, NamesADocumentThatIsTombstonedAndStored) {
  tamper([](lmdb::WriteTxn& txn, const Tables& tables) {
    return txn.put(tables.tombstones, key(1), std::string(4, '\0'));
  });
  EXPECT_THAT(verify(), Contains("document 1: it has a tombstone and a record"));
}

TEST_F(Verify, NamesChunksThatOverlap) {
  const std::string one = encode_sequence(make_sequence({2, 3, 4}));
  DocumentChunk chunk(chunk_of_pages(4));
  chunk.add(DocNumber{1}, one);
  overwrite(&Tables::sequences, key(1), chunk.take());
  EXPECT_THAT(verify(), Contains("document 1: its chunk begins inside the one before"));
}

TEST_F(Verify, NamesARecordThatIsLost) {
  erase_raw(&Tables::records, key(1));
  EXPECT_THAT(verify(), AllOf(Contains("id 'b': there is no document 1"),
                              Contains("document 1: there is a text without a record"),
                              Contains("document 1: there is a feature sequence without a record")));
}

TEST_F(Verify, NamesATextThatIsLost) {
  erase_raw(&Tables::texts, key(0));
  EXPECT_THAT(verify(), Contains("document 0: its text is missing"));
}

TEST_F(Verify, NamesASequenceThatIsLost) {
  erase_raw(&Tables::sequences, key(0));
  EXPECT_THAT(verify(), Contains("document 1: its feature sequence is missing"));
}

TEST_F(Verify, NamesAnIdThatLeadsElsewhere) {
  overwrite(&Tables::ids, "b", encode_document_number(DocNumber{2}));
  EXPECT_THAT(verify(), AllOf(Contains("id 'b': document 2 has another id"),
                              Contains("document 1: its id 'b' does not lead back to it")));
}

TEST_F(Verify, NamesAWrongCounter) {
  Counters counters = *decode_counters(raw(&Tables::meta, std::string(format::kCountersEntry)));
  counters.postings += 5;
  overwrite(&Tables::meta, std::string(format::kCountersEntry), encode_counters(counters));
  EXPECT_THAT(verify(), ElementsAre("meta 'counters': postings is 12, but 7 were counted"));
}

TEST_F(Verify, NamesARecordThatContradictsItsText) {
  DocumentRecord record = *decode_record(raw(&Tables::records, key(0)));
  record.code_points += 1;
  overwrite(&Tables::records, key(0), encode_record(record));
  EXPECT_THAT(verify(), Contains(HasSubstr("does not have as many code points")));
}

TEST_F(Verify, NamesARecordThatContradictsItsSequence) {
  DocumentRecord record = *decode_record(raw(&Tables::records, key(0)));
  record.features += 1;
  record.sentences += 1;
  overwrite(&Tables::records, key(0), encode_record(record));
  EXPECT_THAT(verify(),
              AllOf(Contains(HasSubstr("numbers of features")), Contains(HasSubstr("numbers of sentences"))));
}

TEST_F(Verify, NamesARangeOutsideTheText) {
  FeatureSequence sequence = make_sequence({1, 2, 2, 3});
  sequence.ranges[0].end = 1'000'000;
  put("d", {1, 2, 2, 3});
  const std::string encoded = encode_sequence(sequence);
  DocumentChunk chunk(chunk_of_pages(4));
  chunk.add(DocNumber{3}, encoded);
  overwrite(&Tables::sequences, key(3), chunk.take());
  EXPECT_THAT(verify(), ElementsAre("document 3: a feature's range lies outside the text"));
}

struct Damage {
  const char* name;
  lmdb::Table Tables::*table;
  std::string key;
};

class DamagedValue : public Verify, public testing::WithParamInterface<Damage> {};

TEST_P(DamagedValue, IsFoundWhereverItsBytesAreFlippedAndNothingCrashes) {
  const std::string sound = raw(GetParam().table, GetParam().key);
  ASSERT_FALSE(sound.empty());
  const FeatureSequence query = make_sequence({1, 2, 3, 4, 5});
  const auto texts = [&] {
    std::vector<std::string> all;
    const std::unique_ptr<Snapshot> view = must(store_->snapshot());
    for (const char* id : {"a", "b", "c"}) {
      const Result<std::string> text = view->text(id);
      all.push_back(text.has_error() ? "damaged" : *text);
    }
    return all;
  };
  const std::vector<std::string> sound_texts = texts();
  for (std::size_t at = 0; at < sound.size(); ++at) {
    for (const int mask : {0x01, 0x80, 0xff}) {
      std::string flipped = sound;
      flipped[at] = static_cast<char>(flipped[at] ^ mask);
      overwrite(GetParam().table, GetParam().key, flipped);
      const std::unique_ptr<Snapshot> view = must(store_->snapshot());
      // A zstd frame has a few bits without meaning: then the text is still the text.
      const bool harmless = GetParam().table == &Tables::texts && texts() == sound_texts;
      EXPECT_EQ(verify().empty(), harmless) << at << " " << mask;
      SearchRequest request;
      request.query = &query;
      request.bound = 0;
      request.evidence = true;
      static_cast<void>(view->search(request));
      static_cast<void>(view->list("", 10));
      static_cast<void>(view->find("a"));
      static_cast<void>(view->features("a"));
    }
  }
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, sound.size() / 2, sound.size() - 1}) {
    overwrite(GetParam().table, GetParam().key, sound.substr(0, length));
    EXPECT_THAT(verify(), Not(IsEmpty())) << length;
  }
  overwrite(GetParam().table, GetParam().key, sound);
  EXPECT_THAT(verify(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Values, DamagedValue,
                         testing::Values(Damage{"id", &Tables::ids, "a"},
                                         Damage{"record", &Tables::records, std::string(4, '\0')},
                                         Damage{"text", &Tables::texts, std::string(4, '\0')},
                                         Damage{"sequence", &Tables::sequences, std::string(4, '\0')},
                                         Damage{"counters", &Tables::meta, "counters"},
                                         Damage{"postings", &Tables::meta, "postings"}),
                         [](const testing::TestParamInfo<Damage>& row) { return row.param.name; });

TEST_F(Verify, FindsAnyFlippedBitOfARun) {
  must(store_->flush_and_merge(true));
  std::string run_key;
  std::string sound;
  const auto unchecked = [](const Tables& tables) {
    lmdb::Table runs = tables.runs;
    runs.checked = false;
    return runs;
  };
  tamper([&](lmdb::WriteTxn& txn, const Tables& tables) -> Result<void> {
    AKIN_TRY(lmdb::Cursor cursor, txn.cursor(unchecked(tables)));
    EXPECT_TRUE(*cursor.first());
    run_key = cursor.key();
    sound = cursor.value();
    return {};
  });
  const auto store_bytes = [&](const std::string& bytes) {
    tamper([&](lmdb::WriteTxn& txn, const Tables& tables) {
      return txn.put(unchecked(tables), run_key, bytes);
    });
  };
  for (std::size_t bit = 0; bit < 8 * sound.size(); ++bit) {
    std::string flipped = sound;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    store_bytes(flipped);
    EXPECT_THAT(verify(), Not(IsEmpty())) << bit;
  }
  store_bytes(sound);
  EXPECT_THAT(verify(), IsEmpty());
}

struct Loss {
  const char* name;
  lmdb::Table Tables::*table;
};

class DamagedDocument : public Verify, public testing::WithParamInterface<Loss> {
 protected:
  /// The last byte, which is of a checksum or of compressed text.
  void damage(const std::string& document) {
    std::string value = raw(GetParam().table, document);
    value.back() = static_cast<char>(value.back() ^ 0x55);
    overwrite(GetParam().table, document, value);
  }
};

TEST_P(DamagedDocument, CanBeRemovedAndLeavesNoPostings) {
  put("a", {1, 2, 3});
  damage(key(3));
  EXPECT_EQ(erase({"a"}), 1U);
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("b:2"));
  EXPECT_THAT(verify(), testing::Each(HasSubstr("meta 'counters'")));
}

TEST_P(DamagedDocument, CanBeReplaced) {
  put("a", {1, 2, 3});
  damage(key(3));
  EXPECT_TRUE(put("a", {3, 8}));
  EXPECT_THAT(found({1, 8}), ElementsAre("a:1"));
  EXPECT_THAT(verify(), testing::Each(HasSubstr("meta 'counters'")));
}

INSTANTIATE_TEST_SUITE_P(Parts, DamagedDocument,
                         testing::Values(Loss{"record", &Tables::records}, Loss{"text", &Tables::texts},
                                         Loss{"sequence", &Tables::sequences}),
                         [](const testing::TestParamInfo<Loss>& row) { return row.param.name; });

}  // namespace
}  // namespace akin::test
