// Words of long texts in PostgreSQL: damaged ones are found.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/pg/client/connection.h"
#include "index/pg/tables/names.h"
#include "tests/support/long_text_fixture.h"

namespace akin::test {
namespace {

using testing::Contains;
using testing::ElementsAre;

class PgWordsOfLongTexts : public LongTextTest {
 protected:
  /// Closes the collection, runs a command in which "@" stands for its store's number, and opens it again.
  void change_store(const std::string& command) {
    collection_ = nullptr;
    catalog_ = nullptr;
    {
      auto connection = must(pg::Connection::open(database_));
      const auto stores = must(connection->run("SELECT store FROM akin.collections WHERE name = 'c'"));
      must(connection->command(pg::of_store(command, pg::StoreNumber{stores.number(0, 0)})));
    }
    reopen();
    collection_ = must(catalog_->get("c"));
  }
};

TEST_F(PgWordsOfLongTexts, ThatAreDamagedAreFoundByVerify) {
  put(*collection_, "long", text_in_parts());
  change_store("UPDATE akin.contents_@ SET words = substr(words, 1, length(words) - 1)");
  EXPECT_THAT(verify(*collection_),
              Contains("document 0: the words that are kept of its text cannot be decoded"));
}

TEST_F(PgWordsOfLongTexts, OfAnotherTextAreFoundByDeepVerify) {
  put(*collection_, "a", text_in_parts());
  put(*collection_, "b", text_in_parts().substr(text_in_parts().find('\n') + 1));
  change_store(
      "UPDATE akin.contents_@ SET words = (SELECT words FROM akin.contents_@ ORDER BY doc DESC LIMIT 1)");
  std::vector<std::string> found;
  must(collection_->verify_deep([&](const Finding& one) { found.push_back(one.where + ": " + one.broken); },
                                {}));
  EXPECT_THAT(found, ElementsAre("document 'a': its text has other words than those that are kept"));
}

}  // namespace
}  // namespace akin::test
