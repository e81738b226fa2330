// Named collections in stores of their own, the others in one.
#include "index/collection/routed_catalog.h"

#include "index/lmdb/catalog.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/earlier_collection.h"

namespace akin::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class RoutedCatalogTest : public CatalogTest {
 protected:
  RoutedCatalogTest() {
    routed_ = route_collections(catalog_, {{{"news", "press"}, other_store_}});
    for (const char* name : {"books", "news"}) {
      const auto made = routed_->create(name, "", true).value();
      put(*made, "one", text_of(name, 3));
    }
  }

  std::shared_ptr<Catalog> other_store_ =
      open_data_folder(folder_.path() / "other", plain_, "none", true).value();
  std::shared_ptr<Catalog> routed_;
};

TEST_F(RoutedCatalogTest, EachCollectionIsInItsStore) {
  EXPECT_THAT(catalog_->list().value(), ElementsAre("books"));
  EXPECT_THAT(other_store_->list().value(), ElementsAre("news"));
  EXPECT_THAT(routed_->list().value(), ElementsAre("books", "news"));
  EXPECT_THAT(ids(*routed_->get("news").value()), ElementsAre("one"));
  EXPECT_EQ(routed_->get("press").error().code, Errc::not_found);
  EXPECT_EQ(routed_->open_now().size(), 2U);
}

TEST_F(RoutedCatalogTest, WhatAnotherStoreHasByARoutedNameIsNotSeen) {
  ASSERT_TRUE(catalog_->create("press", "", true).has_value());
  ASSERT_TRUE(other_store_->create("books", "", true).has_value());
  EXPECT_THAT(routed_->list().value(), ElementsAre("books", "news"));
  EXPECT_EQ(routed_->get("press").error().code, Errc::not_found);
  EXPECT_THAT(ids(*routed_->get("books").value()), ElementsAre("one"));
  EXPECT_EQ(routed_->open_now().size(), 2U);
}

TEST_F(RoutedCatalogTest, UnreadableCollectionsOfAllStoresAreNamed) {
  make_with_earlier_rules(*catalog_, "old", plain_, text_of("old", 3));
  make_with_earlier_rules(*catalog_, "press", plain_, text_of("not seen", 3));
  make_with_earlier_rules(*other_store_, "press", plain_, text_of("press", 3));
  std::vector<std::string> names;
  for (const UnreadableCollection& one : must(routed_->outdated()).unreadable) names.push_back(one.name);
  EXPECT_THAT(names, ElementsAre("old", "press"));
}

TEST_F(RoutedCatalogTest, JobsGoToTheStore) {
  ASSERT_TRUE(routed_->reindex("news", "sentences", {}).has_value());
  EXPECT_EQ(other_store_->identity("news").value().scheme, "sentences");
  EXPECT_EQ(routed_->identity("news").value().scheme, "sentences");
  ASSERT_TRUE(routed_->compact("news", {}).has_value());
  ASSERT_TRUE(routed_->drop("news").has_value());
  EXPECT_THAT(other_store_->list().value(), IsEmpty());
}

TEST_F(RoutedCatalogTest, CollectionsExpireInEveryStore) {
  for (const char* name : {"books", "news"}) {
    ASSERT_TRUE(routed_->set_expiry(name, time_now() - std::chrono::seconds(1)).has_value());
  }
  EXPECT_THAT(routed_->drop_expired(by_the_clock).value(), testing::UnorderedElementsAre("books", "news"));
  EXPECT_THAT(routed_->list().value(), IsEmpty());
}

TEST_F(RoutedCatalogTest, WhatExpiresUnderANameThatIsRoutedElsewhereIsNotTold) {
  const auto namesake = catalog_->create("news", "", true);
  ASSERT_TRUE(namesake.has_value());
  ASSERT_TRUE(catalog_->set_expiry("news", time_now() - std::chrono::seconds(1)).has_value());
  EXPECT_THAT(routed_->drop_expired(by_the_clock).value(), IsEmpty());
  EXPECT_THAT(ids(*routed_->get("news").value()), ElementsAre("one"));
}

TEST_F(RoutedCatalogTest, BackupTellsWhatItCannotContain) {
  const auto all = routed_->backup({{}, folder_.path() / "all", {}, {}});
  EXPECT_EQ(all.error().code, Errc::unsupported);
  EXPECT_THAT(all.error().reason, HasSubstr("'news'"));
  const auto some = routed_->backup({{"books"}, folder_.path() / "some", {}, {}});
  ASSERT_TRUE(some.has_value());
  EXPECT_EQ(some->collections.size(), 1U);
  const auto back = routed_->restore({folder_.path() / "some", {}, "press", false, {}});
  EXPECT_EQ(back.error().code, Errc::unsupported);
  EXPECT_TRUE(routed_->restore({folder_.path() / "some", {"books"}, "old-books", false, {}}).has_value());
  ASSERT_TRUE(routed_->drop("news").has_value());
  EXPECT_TRUE(routed_->backup({{}, folder_.path() / "rest", {}, {}}).has_value());
}

}  // namespace
}  // namespace akin::test
