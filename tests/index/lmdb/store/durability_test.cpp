#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <set>
#include <thread>

#include "index/lmdb/store/store.h"
#include "tests/support/child_process.h"
#include "tests/support/numbered.h"
#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::IsEmpty;

/// A document's features follow from its id, so that both processes know them: 20, half of them in other
/// documents too.
Values values_of(const std::string& id) {
  RandomValues random(static_cast<std::uint32_t>(std::hash<std::string>()(id)), 500, 1);
  Values values = random.values(20);
  values.push_back(std::hash<std::string>()(id));
  return values;
}

class Durability : public StoreTest {
 protected:
  Durability() { close(); }

  std::shared_ptr<LmdbStore> open_in_child(bool durable = true) const {
    LmdbStoreOptions options;
    options.lmdb.durable = durable;
    options.lmdb.map_bytes = std::size_t{256} << 10;
    return must(LmdbStore::open(path_, options));
  }

  /// Puts, replaces, removes and puts by batches forever; sends "+id" and "-id" when the store has
  /// acknowledged.
  int write_for_ever(const ChildSide& parent, const std::string& name, bool durable) const {
    const std::shared_ptr<LmdbStore> store = open_in_child(durable);
    for (std::uint64_t i = 0;; ++i) {
      const std::string id = name + std::to_string(i);
      must(store->put(MadeDocument(id, values_of(id)).view()));
      parent.tell("+" + id);
      if (i % 3 == 0) {
        must(store->put(MadeDocument(id, values_of(id)).view()));
      }
      if (i % 5 == 4) {
        parent.tell("?" + id);
        must(store->remove({id}));
        parent.tell("-" + id);
      }
      if (i % 7 == 6) {
        const std::string left = id + "l";
        const std::string right = id + "r";
        const MadeDocument first(left, values_of(left));
        const MadeDocument second(right, values_of(right));
        must(store->put_all({first.view(), second.view()}));
        parent.tell("+" + left);
        parent.tell("+" + right);
      }
    }
  }

  void expect_present(const std::string& id) {
    const std::unique_ptr<Snapshot> view = must(store_->snapshot());
    EXPECT_TRUE(must(view->find(id))) << id;
    const Values values = values_of(id);
    const FeatureSequence query = make_sequence(values);
    SearchRequest request;
    request.query = &query;
    request.bound = query.hashes.size() - 1;
    request.limit = 1000;
    std::set<std::string> hits;
    for (const Hit& hit : must(view->search(request)).hits) hits.insert(hit.document.id);
    EXPECT_TRUE(hits.contains(id)) << id;
  }
};

/// Without syncing, what the system has been given survives a killed process too, and far more moments are
/// hit.
class KilledWriter : public Durability, public testing::WithParamInterface<bool> {};

INSTANTIATE_TEST_SUITE_P(Syncing, KilledWriter, testing::Bool(), [](const testing::TestParamInfo<bool>& row) {
  return std::string(row.param ? "each_commit" : "never");
});

TEST_P(KilledWriter, LosesNothingItAcknowledged) {
  std::set<std::string> present;
  std::set<std::string> removed;
  std::size_t acknowledged = 0;
  RandomValues random(29, 2, 1);
  for (int round = 0; round < 10; ++round) {
    std::set<std::string> unsure;  // the removal was announced, but not confirmed
    {
      ChildProcess child([&](const ChildSide& parent) {
        return write_for_ever(parent, numbered("r", round) + "-", GetParam());
      });
      EXPECT_FALSE(child.line().empty());
      std::this_thread::sleep_for(std::chrono::milliseconds(random.below(80)));
      child.kill();
      for (const std::string& line : child.lines()) {
        ++acknowledged;
        const std::string id = line.substr(1);
        if (line[0] == '?') {
          unsure.insert(id);
          present.erase(id);
        } else if (line[0] == '-') {
          unsure.erase(id);
          removed.insert(id);
        } else {
          present.insert(id);
        }
      }
    }
    open();
    EXPECT_THAT(verify(), IsEmpty());
    for (const std::string& id : present) expect_present(id);
    for (const std::string& id : removed) EXPECT_FALSE(must(must(store_->snapshot())->find(id))) << id;
    close();
  }
  EXPECT_GT(acknowledged, 10U);
}

TEST_F(Durability, TwoProcessesWriteOneStore) {
  constexpr int kDocuments = 40;
  const auto write = [&](const std::string& name) {
    return [this, name](const ChildSide& parent) {
      const std::shared_ptr<LmdbStore> store = open_in_child();
      for (int i = 0; i < kDocuments; ++i) {
        const std::string id = name + std::to_string(i);
        must(store->put(MadeDocument(id, values_of(id)).view()));
        parent.tell("+" + id);
      }
      return 0;
    };
  };
  std::vector<std::string> acknowledged;
  {
    ChildProcess left(write("left"));
    ChildProcess right(write("right"));
    for (ChildProcess* child : {&left, &right}) {
      for (const std::string& line : child->lines()) acknowledged.push_back(line.substr(1));
      EXPECT_EQ(child->wait(), 0);
    }
  }
  EXPECT_EQ(acknowledged.size(), 2U * kDocuments);
  open();
  for (const std::string& id : acknowledged) expect_present(id);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Durability, ProcessGoesOnWhenAnotherIsKilledInTheMidstOfWriting) {
  ChildProcess survivor([&](const ChildSide& parent) {
    const std::shared_ptr<LmdbStore> store = open_in_child();
    for (int round = 0; round < 5; ++round) {
      parent.wait_for_go();
      must(store->put(MadeDocument(numbered("survivor", round), {1}).view()));
      const bool sound = must(must(store->snapshot())->verify(nullptr, nullptr)) == 0;
      parent.tell(sound ? "sound" : "damaged");
    }
    return 0;
  });
  for (int round = 0; round < 5; ++round) {
    ChildProcess killed(
        [&](const ChildSide& parent) { return write_for_ever(parent, numbered("r", round) + "-", false); });
    EXPECT_FALSE(killed.line().empty());
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + 7 * round));
    killed.kill();
    survivor.go();
    EXPECT_EQ(survivor.line(), "sound");
  }
  EXPECT_EQ(survivor.wait(), 0);
}

TEST_F(Durability, FollowsAMapThatAnotherProcessHasGrown) {
  ChildProcess child([&](const ChildSide& parent) {
    parent.wait_for_go();
    const std::shared_ptr<LmdbStore> store = open_in_child();
    must(store->put(MadeDocument("large", Values(100'000, 7)).view()));
    Values many(100'000);
    for (std::uint64_t i = 0; i < many.size(); ++i) many[i] = i * 0x9e3779b97f4a7c15;
    must(store->put(MadeDocument("many", many).view()));
    return 0;
  });
  open_with_a_small_map();
  put("before", {7});
  child.go();
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(found({7}).size(), 2U);
  put("after", {7});
  EXPECT_EQ(found({7}).size(), 3U);
}

void limit_file_size(std::uint64_t bytes) {
  rlimit limit = {};
  getrlimit(RLIMIT_FSIZE, &limit);
  limit.rlim_cur = bytes;
  setrlimit(RLIMIT_FSIZE, &limit);
}

struct Fullness {
  const char* name;
  std::size_t features;  ///< of each document: small ones fill pages, large ones make one long write
};

class DiskFull : public Durability, public testing::WithParamInterface<Fullness> {};

TEST_P(DiskFull, IsToldAndLosesNothingAndPassesWhenThereIsRoom) {
  const auto values = [](const std::string& id) {
    Values result = values_of(id);
    const std::uint64_t seed = std::hash<std::string>()(id);
    for (std::uint64_t i = 0; i < GetParam().features; ++i) result.push_back(seed + i * 0x9e3779b97f4a7c15);
    return result;
  };
  ChildProcess child([&](const ChildSide& parent) {
    std::signal(SIGXFSZ, SIG_IGN);
    const std::shared_ptr<LmdbStore> store = open_in_child();
    limit_file_size(std::uint64_t{600} << 10);
    bool full = false;
    for (int i = 0; i < 5000 && !full; ++i) {
      const std::string id = numbered("d", i);
      const Result<PutResult> outcome = store->put(MadeDocument(id, values(id)).view());
      full = outcome.has_error();
      parent.tell(full ? std::string("!") + std::string(error_name(outcome.error().code)) : "+" + id);
    }
    limit_file_size(RLIM_INFINITY);
    must(store->put(MadeDocument("late", values("late")).view()));
    parent.tell("+late");
    return 0;
  });
  std::vector<std::string> acknowledged;
  std::string failure;
  for (const std::string& line : child.lines()) {
    if (line[0] == '!') failure = line.substr(1);
    if (line[0] == '+') acknowledged.push_back(line.substr(1));
  }
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(failure, "disk_full");
  open();
  EXPECT_THAT(verify(), IsEmpty());
  const std::unique_ptr<Snapshot> view = must(store_->snapshot());
  for (const std::string& id : acknowledged) EXPECT_TRUE(must(view->find(id))) << id;
  EXPECT_EQ(must(view->stats()).documents, acknowledged.size());
}

INSTANTIATE_TEST_SUITE_P(Documents, DiskFull,
                         testing::Values(Fullness{"small", 50}, Fullness{"middle", 500},
                                         Fullness{"large", 20'000}),
                         [](const testing::TestParamInfo<Fullness>& row) { return row.param.name; });

}  // namespace
}  // namespace akin::test
