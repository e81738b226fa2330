#include "index/collection/bulk.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/catalog_fixture.h"

namespace akin::test {
namespace {

constexpr std::size_t kBatches = 40;

/// A long and a short document by turns, each in a batch of its own: without an order, the short ones
/// overtake.
DocumentSource batches_of(const std::vector<std::string>& texts) {
  return [&texts, next = std::size_t{0}](std::uint64_t) mutable -> Result<std::vector<OwnedDocument>> {
    if (next == kBatches) return std::vector<OwnedDocument>();
    OwnedDocument document;
    document.id = "d" + std::to_string(next * 7919 % 997);
    document.text = texts[next++ % 2];
    return std::vector{std::move(document)};
  };
}

class BulkLoads : public CatalogTest {};

TEST_F(BulkLoads, NumberDocumentsInTheOrderOfTheSource) {
  const std::vector<std::string> texts{text_of("cats", 3'000), text_of("cats", 10)};
  std::vector<std::string> expected;
  const DocumentSource names = batches_of(texts);
  for (std::size_t i = 0; i < kBatches; ++i) expected.push_back(must(names(0)).front().id);
  const std::shared_ptr<Collection> books = must(catalog_->create("books", ""));
  BulkResult loaded;
  must(bulk_load(*books, batches_of(texts), {}, loaded));
  std::vector<StoredDocument> stored = must(must(books->snapshot())->list("", kBatches + 1));
  std::ranges::sort(stored, {}, &StoredDocument::number);
  std::vector<std::string> ids;
  for (const StoredDocument& one : stored) ids.push_back(one.id);
  EXPECT_EQ(ids, expected);
}

}  // namespace
}  // namespace akin::test
