// Packed blocks, runs, and lists merged from several runs, beside plain maps.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/hash.h"
#include "index/lmdb/postings/posting_lists.h"
#include "index/lmdb/postings/posting_stream.h"
#include "index/lmdb/postings/tombstones.h"
#include "index/lmdb/tables/packed_block.h"
#include "index/lmdb/tables/runs.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using List = std::map<std::uint32_t, std::uint32_t>;  // document → count
using Lists = std::map<std::uint64_t, List>;          // feature → list

/// Lists of many lengths; `seed` decides which documents, so that lists of two seeds overlap in features only
/// if `document_step` keeps their documents apart.
Lists random_lists(std::uint32_t seed, std::uint32_t first_document, bool crowded) {
  Lists lists;
  RandomValues random(seed, 10, 1);
  for (std::uint64_t i = 0; i < 3000; ++i) {
    const std::uint64_t feature = crowded ? 1000 + i / 2 * 3 : mix64(i + 1);
    std::uint64_t length = 1 + random.below(3);
    if (i % 50 == 0) length = 28 + random.below(8);
    if (i % 500 == 0) length = 3000 + random.below(20'000);
    std::uint32_t document = first_document;
    List& list = lists[feature];
    for (std::uint64_t n = 0; n < length; ++n) {
      document += 1 + static_cast<std::uint32_t>(random.below(i % 3 == 0 ? 2 : 4000));
      list[document] = random.below(20) == 0 ? 1 + static_cast<std::uint32_t>(random.below(100'000)) : 1;
    }
  }
  return lists;
}

class Postings : public testing::Test {
 protected:
  RunInfo add_run(std::uint32_t run, const Lists& lists) {
    RunInfo info;
    must(env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
      RunWriter writer(run, [&](std::string_view key, std::string_view block) {
        EXPECT_LE(block.size(), kBlockBytes);
        bytes_ += block.size();
        return append_block(txn, tables_, key, block);
      });
      for (const auto& [feature, list] : lists) {
        std::vector<DocNumber> documents;
        std::vector<std::uint32_t> counts;
        for (const auto& [document, count] : list) {
          documents.push_back(DocNumber{document});
          counts.push_back(count);
        }
        AKIN_CHECK(writer.add(Feature{feature}, documents, counts));
      }
      AKIN_CHECK(writer.flush());
      info = writer.info();
      AKIN_CHECK(read_state(txn));
      state_.runs.push_back(info);
      return write_posting_state(txn, tables_, state_);
    }));
    return info;
  }
  Result<void> read_state(const lmdb::Txn& txn) {
    AKIN_TRY(const std::optional<std::string_view> bytes, txn.get(tables_.meta, "postings"));
    state_ = bytes ? *decode_posting_state(*bytes) : PostingState();
    return {};
  }
  Lists walk(const std::vector<RunInfo>& runs, std::uint64_t from = 0, const Tombstones& tombstones = {}) {
    const lmdb::ReadTxn txn = must(env_.read());
    PostingStream stream = must(PostingStream::open(txn, tables_, runs, Feature{from}, tombstones));
    Lists lists;
    std::optional<Feature> last;
    while (must(stream.next())) {
      EXPECT_TRUE(!last || *last < stream.feature());
      last = stream.feature();
      List& list = lists[static_cast<std::uint64_t>(stream.feature())];
      for (std::size_t i = 0; i < stream.documents().size(); ++i) {
        list[static_cast<std::uint32_t>(stream.documents()[i])] = stream.counts()[i];
      }
      EXPECT_EQ(list.size(), stream.documents().size());
    }
    return lists;
  }

  TemporaryFolder folder_;
  lmdb::Env env_ = must(lmdb::Env::open(folder_.path(), table_specs(), {}, true));
  Tables tables_ = tables_of(env_);
  PostingState state_;
  std::size_t bytes_ = 0;
};

Lists joined(Lists left, const Lists& right) {
  for (const auto& [feature, list] : right) left[feature].insert(list.begin(), list.end());
  return left;
}

class PackedPostings : public Postings, public testing::WithParamInterface<bool> {};

TEST_P(PackedPostings, AreWalkedAsTheyWereWritten) {
  const Lists lists = random_lists(1, 0, GetParam());
  const RunInfo info = add_run(3, lists);
  EXPECT_EQ(walk({info}), lists);
}

TEST_P(PackedPostings, AreWalkedFromAnyFeatureOn) {
  const Lists lists = random_lists(1, 0, GetParam());
  add_run(0, random_lists(7, 0, false));
  const RunInfo info = add_run(1, lists);
  add_run(2, random_lists(8, 0, false));
  RandomValues random(5, 10, 1);
  for (int round = 0; round < 40; ++round) {
    auto from = std::next(lists.begin(), static_cast<std::ptrdiff_t>(random.below(lists.size())));
    for (const std::uint64_t feature : {from->first, from->first + 1}) {
      const Lists rest(lists.lower_bound(feature), lists.end());
      ASSERT_EQ(walk({info}, feature), rest);
    }
  }
}

TEST_P(PackedPostings, AreWalkedFromBehindALongList) {
  const Lists lists = random_lists(1, 0, GetParam());
  const RunInfo info = add_run(1, lists);
  for (const auto& [feature, list] : lists) {
    if (list.size() < 3000) continue;
    const Lists rest(lists.upper_bound(feature), lists.end());
    ASSERT_EQ(walk({info}, feature + 1), rest);
  }
}

TEST_P(PackedPostings, AreLookedUpOneByOne) {
  const Lists packed = random_lists(1, 0, GetParam());
  const Lists other = random_lists(2, 200'000'000, GetParam());
  const Lists recent = random_lists(3, 400'000'000, GetParam());
  add_run(0, packed);
  add_run(1, other);
  add_run(2, recent);
  const Lists all = joined(joined(packed, other), recent);
  const lmdb::ReadTxn txn = must(env_.read());
  PostingLists lists = must(PostingLists::open(txn, tables_));
  for (const auto& [feature, list] : all) {
    const ListRef ref = must(lists.find(Feature{feature}));
    ASSERT_EQ(ref.size, list.size());
    List read;
    must(lists.for_each(ref, [&](DocNumber document, std::uint32_t count) {
      read[static_cast<std::uint32_t>(document)] = count;
    }));
    ASSERT_EQ(read, list);
    EXPECT_EQ(must(lists.find(Feature{feature + 1})).size,
              all.contains(feature + 1) ? all.at(feature + 1).size() : 0U);
  }
  EXPECT_EQ(must(lists.find(Feature{0})).size, 0U);
  EXPECT_EQ(must(lists.find(Feature{~std::uint64_t{0}})).size, 0U);
}

TEST_P(PackedPostings, AreLookedUpTogetherAsOneByOne) {
  const Lists packed = random_lists(1, 0, GetParam());
  const Lists other = random_lists(2, 200'000'000, GetParam());
  add_run(0, packed);
  add_run(1, other);
  const Lists all = joined(packed, other);
  std::vector<Feature> features;
  for (const auto& [feature, list] : all) {
    features.push_back(Feature{feature});
    if (!all.contains(feature + 1)) features.push_back(Feature{feature + 1});
  }
  const lmdb::ReadTxn txn = must(env_.read());
  PostingLists lists = must(PostingLists::open(txn, tables_));
  std::vector<ListRef> found;
  must(lists.find_all(features, found));
  ASSERT_EQ(found.size(), features.size());
  for (std::size_t i = 0; i < features.size(); ++i) {
    ASSERT_EQ(found[i].feature, features[i]);
    List read;
    must(lists.for_each(found[i], [&](DocNumber document, std::uint32_t count) {
      read[static_cast<std::uint32_t>(document)] = count;
    }));
    const auto expected = all.find(static_cast<std::uint64_t>(features[i]));
    ASSERT_EQ(read, expected == all.end() ? List() : expected->second);
    ASSERT_EQ(found[i].size, read.size());
  }
}

TEST_P(PackedPostings, AreProbedForOneDocument) {
  const Lists packed = random_lists(1, 0, GetParam());
  const Lists recent = random_lists(3, 400'000'000, GetParam());
  add_run(0, packed);
  add_run(1, recent);
  const lmdb::ReadTxn txn = must(env_.read());
  PostingLists lists = must(PostingLists::open(txn, tables_));
  RandomValues random(9, 10, 1);
  for (const auto& [feature, list] : joined(packed, recent)) {
    const ListRef ref = must(lists.find(Feature{feature}));
    for (int round = 0; round < 5; ++round) {
      const auto at = std::next(list.begin(), static_cast<std::ptrdiff_t>(random.below(list.size())));
      ASSERT_EQ(must(lists.count(ref, DocNumber{at->first})), at->second);
      const std::uint32_t beside = at->first + 1;
      ASSERT_EQ(must(lists.count(ref, DocNumber{beside})), list.contains(beside) ? list.at(beside) : 0U);
    }
    ASSERT_EQ(must(lists.count(ref, DocNumber{0})), list.contains(0) ? list.at(0) : 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(Features, PackedPostings, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& row) {
                           return row.param ? "crowded" : "spread";
                         });

TEST_F(Postings, OfAllRunsAreMergedIntoWholeLists) {
  const Lists a = random_lists(1, 0, false);
  const Lists b = random_lists(2, 100'000'000, false);
  const Lists c = random_lists(3, 200'000'000, true);
  const Lists d = random_lists(4, 300'000'000, false);
  add_run(0, c);
  add_run(1, a);
  add_run(2, b);
  add_run(3, d);
  EXPECT_EQ(walk(state_.runs), joined(joined(a, b), joined(c, d)));
}

TEST_F(Postings, OfARunThatIsBeingMergedBeginWhereTheNewOneEnds) {
  const Lists lists = random_lists(1, 0, false);
  RunInfo info = add_run(0, lists);
  const auto middle = std::next(lists.begin(), 1500);
  info.from = Feature{middle->first};
  const Lists rest(middle, lists.end());
  EXPECT_EQ(walk({info}), rest);
  must(env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    AKIN_CHECK(erase_blocks_below(txn, tables_, 0, info.from));
    state_.runs = {info};
    return write_posting_state(txn, tables_, state_);
  }));
  EXPECT_EQ(walk({info}), rest);
  const lmdb::ReadTxn txn = must(env_.read());
  PostingLists found = must(PostingLists::open(txn, tables_));
  for (const auto& [feature, list] : lists) {
    ASSERT_EQ(must(found.find(Feature{feature})).size, feature < middle->first ? 0U : list.size());
  }
}

TEST_F(Postings, OfTombstonedDocumentsAreLeftOut) {
  Lists lists = random_lists(1, 0, false);
  add_run(0, lists);
  std::map<std::uint32_t, int> seen;
  for (const auto& entry : lists) ++seen[entry.second.begin()->first];
  must(env_.write([&](lmdb::WriteTxn& txn) -> Result<void> {
    for (const auto& [document, times] : seen)
      AKIN_CHECK(txn.put(tables_.tombstones, document_key(DocNumber{document}), "...."));
    return {};
  }));
  for (auto entry = lists.begin(); entry != lists.end();) {
    std::erase_if(entry->second, [&](const auto& posting) { return seen.contains(posting.first); });
    entry = entry->second.empty() ? lists.erase(entry) : std::next(entry);
  }
  const lmdb::ReadTxn txn = must(env_.read());
  const Tombstones tombstones = must(Tombstones::read(txn, tables_));
  EXPECT_EQ(walk(state_.runs, 0, tombstones), lists);
}

TEST_F(Postings, OfUniqueFeaturesTakeLessThanEightBytesEach) {
  Lists lists;
  constexpr std::uint32_t kDocuments = 2000;
  for (std::uint32_t document = 0; document < kDocuments; ++document) {
    for (std::uint64_t i = 0; i < 150; ++i) lists[mix64(document * std::uint64_t{1000} + i)][document] = 1;
  }
  add_run(0, lists);
  EXPECT_LT(bytes_, 8 * std::size_t{150} * kDocuments);
}

TEST_F(Postings, StateComesBackAsItWas) {
  PostingState state;
  state.runs = {{1, 2, DocNumber{4}, DocNumber{5}, Feature{6}},
                {7, 8, DocNumber{9}, DocNumber{10}, Feature{~std::uint64_t{0}}}};
  state.next_run = 11;
  state.recent_from = DocNumber{13};
  state.packed_to = DocNumber{14};
  const std::string bytes = encode_posting_state(state);
  ASSERT_TRUE(decode_posting_state(bytes));
  EXPECT_EQ(*decode_posting_state(bytes), state);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decode_posting_state(std::string(bytes, 0, length))) << length;
  }
}

}  // namespace
}  // namespace akin::test
