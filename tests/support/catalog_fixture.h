// A data folder with collections, real schemes and small dictionaries; and verbs.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "index/collection/catalog.h"
#include "index/lmdb/tables/tables.h"
#include "tests/support/store_kind.h"
#include "tests/support/temporary_folder.h"

namespace akin::test {

class CatalogTest : public testing::Test {
 protected:
  CatalogTest();

  /// A catalog of its own, as another process would have; `dictionary` null = the plain one.
  std::shared_ptr<Catalog> open_catalog(std::shared_ptr<const Dictionary> dictionary = nullptr) const;
  void reopen(std::shared_ptr<const Dictionary> dictionary = nullptr);
  /// Closes everything, changes the tables of a collection's first generation, and opens the catalog again.
  void change_tables(const std::string& collection,
                     const std::function<Result<void>(lmdb::WriteTxn&, const Tables&)>& change);
  /// Makes all collections like those of an akin that kept no dictionaries with them.
  void forget_dictionaries() const;
  /// The other one's words, with these lines of synonyms.
  [[nodiscard]] std::shared_ptr<const Dictionary> with_synonyms(const std::string& lines) const;

  /// A text of `sentences` sentences, different for each name; texts of one name and more sentences begin
  /// alike.
  static std::string text_of(const std::string& name, int sentences);

  static bool put(Collection& collection, const std::string& id, const std::string& text);
  static std::vector<std::string> ids(const Collection& collection);
  /// Ids of the documents that share more than `bound` features with the text, best first.
  static std::vector<std::string> found(const Collection& collection, const std::string& text,
                                        std::uint64_t bound = 0);
  static std::vector<std::string> verify(const Collection& collection);
  /// Names in DIR/collections/NAME, sorted.
  [[nodiscard]] std::vector<std::string> files(const std::string& collection) const;
  /// The leftovers in PostgreSQL of stores that belong to no present or former collection.
  [[nodiscard]] std::vector<std::string> database_leftovers() const;

  TemporaryFolder folder_;
  std::filesystem::path data_ = folder_.path() / "data";
  std::string database_;                     ///< where collections are PostgreSQL's
  std::shared_ptr<const Dictionary> plain_;  ///< no dictionary: every word is its own lemma
  std::shared_ptr<const Dictionary> other_;  ///< one with a handful of words: another fingerprint
  std::shared_ptr<Catalog> catalog_;
};

}  // namespace akin::test
