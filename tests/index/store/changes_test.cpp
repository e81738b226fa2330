// Writes under a condition, and many changes in one write.
#include <thread>

#include "tests/support/store_fixture.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Kind = Precondition::Kind;

class ConditionalWrites : public StoreTest {
 protected:
  Result<PutResult> put_if(const std::string& id, const Values& values, const Precondition& condition) {
    return store_->put(MadeDocument(id, values).view(), condition);
  }
  Result<bool> remove_if(std::string_view id, const Precondition& condition) {
    Change change{.id = id, .condition = condition};
    AKIN_TRY(const WriteResults results, store_->write({&change, 1}, WriteMode::all));
    return results.front()->replaced;
  }
  std::uint64_t revision_ = must(store_->put(MadeDocument("there", {1}).view())).revision.value;
};

struct ConditionRow {
  const char* name;
  const char* id;
  Kind kind;
  bool with_its_revision;
  bool holds;
};

class Conditions : public ConditionalWrites, public testing::WithParamInterface<ConditionRow> {
 protected:
  bool or_absent_ = false;
  Precondition condition() const {
    return {GetParam().kind,
            {Revision(revision_ + 1), Revision(revision_ - (GetParam().with_its_revision ? 0 : 1))},
            or_absent_};
  }
};

TEST_P(Conditions, DecideWhetherADocumentIsPut) {
  const Result<PutResult> outcome = put_if(GetParam().id, {2}, condition());
  EXPECT_EQ(!outcome.has_error(), GetParam().holds);
  if (outcome.has_error()) {
    EXPECT_EQ(outcome.error().code, Errc::precondition_failed);
    EXPECT_THAT(found({2}), IsEmpty());
  } else {
    EXPECT_EQ(found({2}).size(), 1U);
  }
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_P(Conditions, DecideWhetherADocumentIsRemoved) {
  const bool is_there = std::string_view(GetParam().id) == "there";
  const Result<bool> outcome = remove_if(GetParam().id, condition());
  EXPECT_EQ(!outcome.has_error(), GetParam().holds);
  if (!outcome.has_error()) {
    EXPECT_EQ(must(outcome), is_there);
  }
  EXPECT_EQ(found({1}).empty(), is_there && GetParam().holds);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_P(Conditions, ThatHoldWhereThereIsNoneLetItBeRemoved) {
  or_absent_ = true;
  const bool is_there = std::string_view(GetParam().id) == "there";
  const Result<bool> outcome = remove_if(GetParam().id, condition());
  EXPECT_EQ(!outcome.has_error(), !is_there || GetParam().holds);
  if (!is_there) {
    EXPECT_FALSE(must(outcome));
  }
  EXPECT_EQ(found({1}).empty(), is_there && GetParam().holds);
}

INSTANTIATE_TEST_SUITE_P(Writes, Conditions,
                         testing::Values(ConditionRow{"none", "there", Kind::none, false, true},
                                         ConditionRow{"none_new", "new", Kind::none, false, true},
                                         ConditionRow{"absent", "there", Kind::absent, false, false},
                                         ConditionRow{"absent_new", "new", Kind::absent, false, true},
                                         ConditionRow{"present", "there", Kind::present, false, true},
                                         ConditionRow{"present_new", "new", Kind::present, false, false},
                                         ConditionRow{"its_revision", "there", Kind::revision_in, true, true},
                                         ConditionRow{"another_revision", "there", Kind::revision_in, false,
                                                      false},
                                         ConditionRow{"revision_new", "new", Kind::revision_in, true, false}),
                         [](const testing::TestParamInfo<ConditionRow>& row) { return row.param.name; });

TEST_F(ConditionalWrites, TellWhatIsThere) {
  EXPECT_THAT(put_if("there", {2}, {Kind::absent}).error().reason, HasSubstr("there is one"));
  EXPECT_THAT(put_if("new", {2}, {Kind::present}).error().reason, HasSubstr("there is none"));
  EXPECT_THAT(put_if("there", {2}, {Kind::revision_in}).error().reason, HasSubstr("another revision"));
}

TEST_F(ConditionalWrites, OfManyThatReplaceOneRevisionOneSucceeds) {
  std::atomic<int> succeeded = 0;
  {
    std::vector<std::jthread> threads;
    for (std::uint64_t i = 0; i < 8; ++i) {
      threads.emplace_back([&, i] {
        if (!put_if("there", {100 + i}, {Kind::revision_in, {Revision(revision_)}}).has_error()) ++succeeded;
      });
    }
  }
  EXPECT_EQ(succeeded, 1);
  EXPECT_THAT(verify(), IsEmpty());
}

class Changes : public StoreTest {
 protected:
  std::vector<Result<PutResult>> apply(
      const std::vector<std::pair<std::string, std::optional<Values>>>& wanted) {
    std::vector<Change> changes;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto& [id, values] = wanted[i];
      changes.push_back({.id = id});
      if (values) changes.back().document = store_->prepare(MadeDocument(id, *values).view());
      if (i < conditions_.size()) changes.back().condition = conditions_[i];
    }
    return must(store_->write(changes, WriteMode::each));
  }
  std::vector<Precondition> conditions_;  ///< of the first changes
};

TEST_F(Changes, TakeEffectInTheirOrder) {
  put("a", {1});
  const auto results = apply(
      {{"a", std::nullopt}, {"a", Values{2}}, {"b", Values{3}}, {"b", std::nullopt}, {"b", std::nullopt}});
  std::vector<bool> replaced;
  for (const Result<PutResult>& result : results) replaced.push_back(must(result).replaced);
  EXPECT_THAT(replaced, ElementsAre(true, false, false, true, false));
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("a:1"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Changes, ThatCannotBeMadeLeaveTheOthers) {
  const auto results = apply({{"a", Values{1}}, {"", Values{2}}, {"c", Values{3}}});
  EXPECT_FALSE(results[0].has_error());
  EXPECT_EQ(results[1].error().code, Errc::invalid_argument);
  EXPECT_FALSE(results[2].has_error());
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("a:1", "c:1"));
}

TEST_F(Changes, WhosePreconditionDoesNotHoldLeaveTheOthers) {
  put("a", {1});
  conditions_ = {{Kind::absent}, {Kind::absent}, {Kind::present}};
  const auto results = apply({{"a", Values{2}}, {"b", Values{3}}, {"c", std::nullopt}});
  EXPECT_EQ(results[0].error().code, Errc::precondition_failed);
  EXPECT_FALSE(results[1].has_error());
  EXPECT_EQ(results[2].error().code, Errc::precondition_failed);
  EXPECT_THAT(found({1, 2, 3}), ElementsAre("a:1", "b:1"));
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Changes, HavePreconditionsOnWhatWasThereBeforeTheWrite) {
  put("a", {1});
  conditions_ = {{}, {Kind::present}};
  const auto results = apply({{"a", std::nullopt}, {"a", Values{2}}});
  EXPECT_FALSE(must(results[1]).replaced);
  EXPECT_THAT(found({1, 2}), ElementsAre("a:1"));
}

TEST_F(Changes, OfOneIdInOneWriteLeaveTheLast) {
  std::vector<std::pair<std::string, std::optional<Values>>> wanted;
  for (std::uint64_t i = 0; i < 20'000; ++i) wanted.emplace_back("same", Values{i, i + 1, i + 2});
  const auto results = apply(wanted);
  EXPECT_TRUE(must(results.back()).replaced);
  EXPECT_THAT(found({19'999, 5}), ElementsAre("same:1"));
  EXPECT_EQ(stats().postings, 3U);
  EXPECT_THAT(verify(), IsEmpty());
}

TEST_F(Changes, ThatAreNoneAreMade) { EXPECT_TRUE(apply({}).empty()); }

TEST_F(Changes, ShowInTheFiguresOfTheStore) {
  AKIN_SKIP_UNLESS_LMDB();
  put("a", {1, 2});
  put("b", {3});
  erase({"b"});
  const StoreStats now = stats();
  EXPECT_EQ(now.recent_postings, 3U);
  EXPECT_EQ(now.tombstones, 1U);
  EXPECT_EQ(now.runs, 1U);
  EXPECT_FALSE(now.merging);
  EXPECT_GT(now.map_bytes, now.map_used_bytes);
  EXPECT_GT(now.map_used_bytes, 0U);
  must(store_->flush_and_merge(true));
  EXPECT_EQ(stats().runs, 1U);
  EXPECT_EQ(stats().tombstones, 0U);
}

}  // namespace
}  // namespace akin::test
