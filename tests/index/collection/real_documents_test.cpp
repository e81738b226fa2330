// Search over real texts against X by its definition. Needs the corpora (AKIN_CORPORA, else
// build/corpora/corpora).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "tests/support/built.h"
#include "tests/support/catalog_fixture.h"
#include "tests/support/numbered.h"
#include "tests/support/sequences.h"

namespace akin::test {
namespace {

constexpr std::size_t kWorks = 12;
constexpr std::size_t kPieceBytes = 30'000;
constexpr std::size_t kPieces = 8;

std::filesystem::path corpora() {
  const char* named = std::getenv("AKIN_CORPORA");
  return named != nullptr ? std::filesystem::path(named) : test::source_folder() / "build/corpora/corpora";
}

/// Cuts of works that overlap by half, at line ends: neighbours share much, others what their authors repeat.
std::vector<std::string> overlapping_pieces() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(corpora() / "ru-novels")) {
    if (entry.path().extension() == ".txt" && entry.path().filename() != "SOURCE.txt")
      files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  files.resize(std::min(files.size(), kWorks));
  std::vector<std::string> pieces;
  for (const std::filesystem::path& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string work((std::istreambuf_iterator<char>(stream)), {});
    std::size_t begin = 0;
    for (std::size_t i = 0; i < kPieces && begin < work.size(); ++i) {
      const std::size_t end = work.find('\n', begin + kPieceBytes);
      pieces.push_back(work.substr(begin, end - begin));
      begin = work.find('\n', begin + kPieceBytes / 2);
    }
  }
  return pieces;
}

Values values_of(const FeatureSequence& sequence) {
  Values values;
  for (Feature feature : sequence.hashes) values.push_back(static_cast<std::uint64_t>(feature));
  return values;
}

class RealDocuments : public CatalogTest, public testing::WithParamInterface<const char*> {};

TEST_P(RealDocuments, AreFoundExactlyAsTheDefinitionSays) {
  if (!std::filesystem::exists(corpora() / "ru-novels")) GTEST_SKIP() << "no corpora in " << corpora();
  const std::shared_ptr<Collection> books = must(catalog_->create("books", GetParam()));
  const std::vector<std::string> pieces = overlapping_pieces();
  std::vector<std::string> names;
  for (std::size_t i = 0; i < pieces.size(); ++i) names.push_back(numbered("p", 1000 + i));
  std::vector<SourceDocument> sources;
  for (std::size_t i = 0; i < pieces.size(); ++i) sources.push_back({names[i], "", "", pieces[i]});
  must(books->put_all(sources));
  // Some are replaced, some removed: the rest must not notice.
  for (std::size_t i = 0; i < pieces.size(); i += 9) put(*books, names[i], pieces[(i + 1) % pieces.size()]);
  for (std::size_t i = 4; i < pieces.size(); i += 9) must(books->remove({names[i]}));

  std::map<std::string, Values> stored;
  const std::unique_ptr<Snapshot> view = must(books->snapshot());
  for (const std::string& id : ids(*books))
    stored[id] = values_of(must(books->analyze(must(view->text(id)))));
  for (const std::string& piece : pieces) {
    const FeatureSequence query = must(books->analyze(piece));
    SearchRequest request;
    request.query = &query;
    request.bound = 0;
    request.limit = 1000;
    request.evidence = true;
    const SearchResult result = must(view->search(request));
    std::map<std::string, std::uint64_t> expected;
    for (const auto& [id, values] : stored) {
      if (const std::uint64_t x = naive_x(values_of(query), values); x > 0) expected[id] = x;
    }
    std::map<std::string, std::uint64_t> actual;
    for (const Hit& hit : result.hits) {
      actual[hit.document.id] = hit.overlap.x;
      std::uint64_t in_passages = 0;
      for (const Passage& passage : hit.passages) in_passages += passage.features;
      EXPECT_EQ(in_passages, hit.overlap.x);
      EXPECT_EQ(hit.overlap.b_features, stored[hit.document.id].size());
    }
    EXPECT_EQ(actual, expected);
  }
  EXPECT_TRUE(verify(*books).empty());
}

INSTANTIATE_TEST_SUITE_P(Schemes, RealDocuments, testing::Values("sentence-pairs", "sentences", "paper-2009"),
                         [](const testing::TestParamInfo<const char*>& row) {
                           std::string name = row.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace akin::test
