#include "lab/evaluate/labelled_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_folder.h"

namespace akin::evaluate {
namespace {

using test::must;
using testing::ElementsAre;
using testing::HasSubstr;
using enum Judgement;

class LabelledSetTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& content) const {
    const std::filesystem::path file = path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << content;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
  /// The error of reading the folder.
  [[nodiscard]] std::string complaint(const LabelledSetRequest& more = {}) const {
    LabelledSetRequest request = more;
    if (request.set.empty()) request.set = path();
    const auto set = read_labelled_set(request);
    return set.has_error() ? set.error().message() : "none";
  }

 private:
  const test::TemporaryFolder folder_;
};

TEST_F(LabelledSetTest, WithoutLabelsListedPairsAreDuplicatesAndOthersAreNot) {
  write("x/one.txt",
        "\xEF\xBB\xBF"
        "One.");
  write("x/two.txt", "Two.");
  write("y/three.txt", "Three.");
  write("pairs.tsv", "work\tfile_a\tfile_b\nx\tone.txt\tx/two.txt\n");
  const LabelledSet set = must(read_labelled_set({.set = path()}));
  EXPECT_THAT(set.texts, ElementsAre("One.", "Two.", "Three."));
  EXPECT_THAT(set.pairs, ElementsAre(JudgedPair{0, 1, duplicate}));
  EXPECT_EQ(set.unlisted, Unlisted::different);
  EXPECT_EQ(set.count(duplicate), 1U);
  EXPECT_EQ(set.count(different), 2U);
  EXPECT_EQ(set.count(unknown), 0U);
}

TEST_F(LabelledSetTest, WithLabelsUnlistedPairsAreUnknown) {
  for (const char* name : {"a.txt", "b.txt", "c.txt", "not named.txt"}) write(name, name);
  write("pairs.tsv", "file\tsource\tcategory\nb.txt\ta.txt\tcut\nc.txt\ta.txt\tnon\nc.txt\tb.txt\t\n");
  const LabelledSet set = must(read_labelled_set({.set = path(), .positive = {"cut"}}));
  EXPECT_THAT(set.texts, ElementsAre("b.txt", "a.txt", "c.txt"));
  EXPECT_THAT(set.pairs, ElementsAre(JudgedPair{0, 1, duplicate}, JudgedPair{0, 2, unknown},
                                     JudgedPair{1, 2, different}));
  EXPECT_EQ(set.count(different), 1U);
  EXPECT_EQ(set.count(unknown), 1U);
  EXPECT_THAT(complaint(), HasSubstr("the label 'cut' means neither yes nor no"));
}

TEST_F(LabelledSetTest, TakesTextsFromTheTable) {
  write("news.tsv",
        "label\ttitle_a\ttext_a\ttitle_b\ttext_b\nOK\tA\tOne.\tB\tTwo.\nBAD\tC\tThree.\tD\tFour.\n");
  const LabelledSet set = must(read_labelled_set({.set = path() / "news.tsv"}));
  EXPECT_THAT(set.texts, ElementsAre("One.", "Two.", "Three.", "Four."));
  EXPECT_THAT(set.pairs, ElementsAre(JudgedPair{0, 1, duplicate}, JudgedPair{2, 3, different}));
  EXPECT_EQ(set.unlisted, Unlisted::unknown);
}

TEST_F(LabelledSetTest, TellsWhatIsWrong) {
  EXPECT_THAT(complaint({.set = path() / "nothing"}), HasSubstr("nothing"));
  EXPECT_THAT(complaint(), HasSubstr("pairs.tsv"));
  write("a.txt", "a");
  write("b.txt", "b");
  write("x/a.txt", "a");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"a\tc\n", "no column 'b'"},
      {"a\tb\na.txt\tmissing.txt\n", "line 2: names the text 'missing.txt', which is not below"},
      {"a\tb\na.txt\ta.txt\n", "pairs a text with itself"},
      {"a\tb\tlabel\na.txt\tb.txt\t1\nb.txt\ta.txt\t0\n", "judges one pair in two ways"},
  };
  for (const auto& [table, said] : cases) {
    write("pairs.tsv", table);
    EXPECT_THAT(complaint(), HasSubstr(said)) << table;
  }
  write("y/a.txt", "a");
  std::filesystem::remove(path() / "a.txt");
  write("pairs.tsv", "a\tb\na.txt\tb.txt\n");
  EXPECT_THAT(complaint(), HasSubstr("there are several"));
  write("b.txt", "\xFF");
  write("pairs.tsv", "a\tb\nx/a.txt\tb.txt\n");
  EXPECT_THAT(complaint(), HasSubstr("b.txt"));
}

}  // namespace
}  // namespace akin::evaluate
