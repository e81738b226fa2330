// Lists that were sorted on disk are those made in memory.
#include "index/pairs/spooled_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <tuple>

#include "index/store/records.h"
#include "tests/index/pairs/made_lists.h"
#include "tests/support/numbered.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {
namespace {

using testing::ElementsAreArray;
using testing::IsEmpty;

using Postings = std::vector<std::tuple<Feature, std::uint32_t, std::uint32_t>>;

Postings postings_of(const ListSource& source) {
  Postings postings;
  const auto lists = source.lists().value();
  while (lists->next().value()) {
    for (std::size_t i = 0; i < lists->documents().size(); ++i) {
      postings.emplace_back(lists->feature(), static_cast<std::uint32_t>(lists->documents()[i]),
                            lists->counts()[i]);
    }
  }
  return postings;
}

SpooledLists spooled(const std::vector<Values>& documents, std::uint64_t memory) {
  SpooledLists lists = SpooledLists::make(memory).value();
  for (const Values& values : documents) {
    const MadeDocument made(numbered("d", lists.documents()), values);
    EXPECT_FALSE(
        lists.add(encode_record(made.document.record), count_features(made.features.hashes)).has_error());
  }
  EXPECT_FALSE(lists.finish().has_error());
  return lists;
}

std::vector<Values> random_documents() {
  RandomValues random(7, 500, 0x9e3779b97f4a7c15);
  std::vector<Values> documents;
  for (int i = 0; i < 300; ++i) documents.push_back(random.values(40));
  documents.emplace_back();
  return documents;
}

TEST(SpooledLists, AreThoseOfMemoryWhateverTheMemoryToSortIn) {
  const std::vector<Values> documents = random_documents();
  const MadeLists expected(documents);
  for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{5'000}, std::uint64_t{1} << 20U}) {
    const SpooledLists lists = spooled(documents, memory);
    EXPECT_EQ(SpooledLists::Lists(lists, std::nullopt).document_limit(), documents.size());
    EXPECT_THAT(postings_of(SpooledLists::Lists(lists, std::nullopt)),
                ElementsAreArray(postings_of(expected)));
    EXPECT_EQ(lists.record(DocNumber{299}).value().id, numbered("d", 299));
  }
}

TEST(SpooledLists, OfATierAreThoseOfItsFeatures) {
  const std::uint64_t first = std::uint64_t{1} << 62U;
  const std::vector<Values> documents = {
      {1, first, first + 1}, {2, first + 1, 2 * first}, {first - 1, 2 * first}};
  const SpooledLists lists = spooled(documents, 1);
  EXPECT_THAT(postings_of(SpooledLists::Lists(lists, 1)),
              ElementsAreArray(
                  Postings{{Feature{first}, 0, 1}, {Feature{first + 1}, 0, 1}, {Feature{first + 1}, 1, 1}}));
  EXPECT_THAT(postings_of(SpooledLists::Lists(lists, 3)), IsEmpty());
}

TEST(SpooledLists, LeaveNoFile) {
  const TemporaryFolder folder;
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  setenv("TMPDIR", folder.path().c_str(), 1);
  const SpooledLists lists = spooled({{1, 2}, {1}}, 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  std::filesystem::remove(folder.path());
  EXPECT_EQ(SpooledLists::make(1).error().code, Errc::io);
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", kept.c_str(), 1);
}

}  // namespace
}  // namespace akin::test
